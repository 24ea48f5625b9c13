// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

/// The unit in which a Mi Scale shows and broadcasts the weight.
package enum MiScaleUnit: String, Hashable, Sendable {
  /// Steps of 0.005 kg.
  case kilogram = "kg"
  /// Steps of 0.01 lb.
  case pound = "lb"
  /// Steps of 0.01 catty (jin); one is half a kilogram.
  case catty

  /// The weight in this unit.
  package func value(_ word: UInt16) -> Double {
    self == .kilogram ? Double(word) / 200 : Double(word) / 100
  }

  /// The weight as the scale shows it; nil in kilograms, whose steps say nothing of the digits, and
  /// in catties, which records have no unit of.
  func shown(_ word: UInt16) -> ShownValue? {
    self == .pound ? ShownValue(steps: word, exponent: -2, .pounds) : nil
  }

  /// The weight in kilograms; a pound is 0.45359237 kg.
  func kilograms(_ word: UInt16) -> Double {
    switch self {
    case .kilogram, .catty: Double(word) / 200
    case .pound: Double(word) * 45_359_237 / 10_000_000_000
    }
  }
}
