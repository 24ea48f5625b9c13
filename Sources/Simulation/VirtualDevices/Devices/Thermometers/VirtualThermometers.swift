// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  /// The A&D UT-201BLE: bonds, has a clock within the thermometer service, erases what it has sent.
  ///
  /// Its first temperature has the value of a frame in a published walk-through; times and the
  /// other temperatures are composed after it.
  package static let ut201BLE = VirtualDeviceModel(
    id: "ut-201ble", summary: "A&D UT-201BLE thermometer: bonds, has a settable clock.",
    peripheralID: 10_460, advertisedName: "A&D_UT201BLE_4A0917", advertisedServices: ["1809"],
    readingCount: 2
  ) { clock in
    VirtualMeasurementSender(
      .init(
        information: [
          .deviceInformation(
            manufacturer: "A&D Medical", model: "UT-201BLE", serialNumber: "5190504A09",
            firmwareRevision: "HTP008_134"), .battery(percent: 82),
        ],
        measurement: .temperatureMeasurement,
        constants: [VirtualCharacteristic("2A1D", value: [0x02])], clock: .temperatureDateTime,
        memory: [
          // FL  TEMPERAT  YEAR MO DA HH MM SS  TY
          [UInt8](frame: "06 730100FF  E807 03 09 07 1E 00  02"),
          [UInt8](frame: "06 FFFF7F00  E807 03 09 07 24 00  02"),
          [UInt8](frame: "06 810100FF  E807 03 09 13 2D 00  02"),
        ], measure: { temperature($0, $1, .body) },
        encode: { $0.temperaturePayload(.body, at: $1) }), clock: clock)
  }

  /// An ear thermometer of the Health Thermometer Profile: °F, no clock, and the body site in a
  /// characteristic of its own.
  public static let earThermometer = VirtualDeviceModel(
    id: "ear-thermometer",
    summary: "Ear thermometer of the Health Thermometer Profile: °F, no clock; composed frames.",
    peripheralID: 4000, advertisedName: "Ear Thermometer", advertisedServices: ["1809"],
    readingCount: 1
  ) { clock in
    VirtualMeasurementSender(
      .init(
        information: [
          .deviceInformation(
            manufacturer: "Santorio", model: "Ear Thermometer", serialNumber: "ET-000031",
            firmwareRevision: "1.0"), .battery(percent: 60),
        ],
        measurement: .temperatureMeasurement,
        constants: [VirtualCharacteristic("2A1D", value: [0x03])], demandsBond: false,
        memory: [[UInt8](frame: "01 E30300FF")],
        measure: { number, _ in temperature(number, nil, nil) }), clock: clock)
  }

  static let thermometers = [ut201BLE, earThermometer]

  /// A normal temperature or a slight fever.
  private static func temperature(
    _ number: Int, _ time: LocalDateTime?, _ place: TemperatureType?
  ) -> [UInt8] {
    let celsius = 36.4 + Double(number * 3 % 17) / 10
    guard let value = try? MedicalFloat32(celsius, exponent: -1) else { return [] }
    return TemperatureMeasurement(
      value: value, timestamp: time.map { Timestamp($0) }, temperatureType: place
    ).payload
  }
}
