// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Jumper's JPD-FR thermometers.
  ///
  /// The only public reader does not say which characteristic notifies; it takes any
  /// that does.
  package static let jumperThermometer = DriverModel(
    id: "jumper-thermometer", name: "Jumper JPD-FR thermometer", required: [.jumperTemperature],
    optional: [.jumperOtherTemperature], confidence: .single,
    sources: ["weliem/LivecareBluetoothSDK"]
  ) { context in
    LiveThermometerDriver(context, results: [.jumperTemperature, .jumperOtherTemperature]) {
      DeviceReading(jumper: $0)
    }
  }
}

extension GATTAttribute {
  package static let jumperTemperature = GATTAttribute("FFF0", "FFF1")
  package static let jumperOtherTemperature = GATTAttribute("FFF0", "FFF4")
}

extension DeviceReading {
  /// A result of a Jumper thermometer; nil for what cannot be one.
  init?(jumper bytes: [UInt8]) {
    guard let result = try? JumperTemperature(payload: bytes) else { return nil }
    self.init(celsius: result.celsius, payload: bytes)
    findings = result.site.map { [Finding("sample_location", "\($0)")] } ?? []
  }
}
