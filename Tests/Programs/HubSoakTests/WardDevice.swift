// SPDX-License-Identifier: Apache-2.0

import Foundation
import VirtualDevices

/// A device of the ward that runs in another process.
struct WardDevice {
  /// The kinds with values enough that no two measurements of an hour are alike.
  static let kinds: [SoakKind] = [
    .sharedMonitor, .pressureCuff, .pressureMonitor, .glucoseMeter, .scale, .pressureCuff,
  ]

  let number: Int
  let kind: SoakKind
  /// Its beds, with the user of each in its readings; empty while it is nobody's.
  var owners: [(bed: Int, user: UInt8?)]
  /// The identifier that the hub has given to it.
  var identifier: UUID?
  var isAwake = false
  /// When it is switched off.
  var sleepsAt = Date.distantPast
  /// When it was heard last that it had sent what it had.
  var lastSent = Date.distantPast

  var model: VirtualDeviceModel { kind.model }
  var isShared: Bool { kind == .sharedMonitor }
  var measuresPressure: Bool { kind == .pressureCuff || kind == .pressureMonitor }
  var serial: String { "WARD-\(number)" }

  /// A label of an owner, as a person reads it on the device.
  static func label(_ user: UInt8?) -> Int? { user.map { Int($0) + 1 } }
}

extension VirtualMeasurement.Values {
  /// The kind and its values in words, for a device in another process.
  var words: String {
    switch self {
    case .bloodPressure(let systolic, let diastolic, let pulse):
      "pressure \(systolic) \(diastolic) \(pulse)"
    case .glucose(let milligrams, _): "glucose \(milligrams)"
    case .temperature(let celsius): "temperature \(celsius)"
    case .weight(let kilograms, _): "weight \(kilograms)"
    default: "unknown"
    }
  }
}
