// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Kinsa's QuickCare and Smart Stick.
  package static let kinsa = DriverModel(
    id: "kinsa", name: "Kinsa thermometer", required: [.kinsaMessage], confidence: .single,
    sources: ["waynehartman/KinsaTherm"]
  ) { context in
    LiveThermometerDriver(context, results: [.kinsaMessage]) { DeviceReading(kinsa: $0) }
  }
}

extension GATTAttribute {
  /// Messages of a Kinsa thermometer.
  package static let kinsaMessage = GATTAttribute(
    "00000000-006B-746C-6165-4861736E694B", "00000002-006B-746C-6165-4861736E694B")
}

extension DeviceReading {
  /// A message of a Kinsa thermometer; nil for one that is no result.
  init?(kinsa bytes: [UInt8]) {
    guard let message = try? KinsaMessage(payload: bytes),
      message.kind == .result || message.kind == .failure
    else { return nil }
    self.init(celsius: message.celsius, payload: bytes)
  }
}
