// SPDX-License-Identifier: Apache-2.0

/// A power of ten before a unit of the International System.
@nonexhaustive
public enum HKMetricPrefix: Int, @unchecked Sendable {
  case none = 0
  case pico = 1
  case nano = 2
  case micro = 3
  case milli = 4
  case centi = 5
  case deci = 6
  case deca = 7
  case hecto = 8
  case kilo = 9
  case mega = 10
  case giga = 11
  case tera = 12
  case femto = 13

  /// The letters as unit strings have them; micro is `mc`.
  var symbol: String {
    switch self {
    case .none: ""
    case .femto: "f"
    case .pico: "p"
    case .nano: "n"
    case .micro: "mc"
    case .milli: "m"
    case .centi: "c"
    case .deci: "d"
    case .deca: "da"
    case .hecto: "h"
    case .kilo: "k"
    case .mega: "M"
    case .giga: "G"
    case .tera: "T"
    }
  }

  /// What the prefix multiplies by.
  var factor: Double {
    switch self {
    case .none: 1
    case .femto: 1e-15
    case .pico: 1e-12
    case .nano: 1e-9
    case .micro: 1e-6
    case .milli: 1e-3
    case .centi: 1e-2
    case .deci: 1e-1
    case .deca: 1e1
    case .hecto: 1e2
    case .kilo: 1e3
    case .mega: 1e6
    case .giga: 1e9
    case .tera: 1e12
    }
  }

  /// Every prefix that has letters, the longer ones first.
  static let spelled: [HKMetricPrefix] = [
    .micro, .deca, .femto, .pico, .nano, .milli, .centi, .deci, .hecto, .kilo, .mega, .giga,
    .tera,
  ]
}
