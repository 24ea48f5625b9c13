// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// Generic devices that implement a profile of the Bluetooth SIG and nothing else.
extension VirtualDeviceModel {
  static let profileSenders = [bloodPressureMonitor, weightScale, bodyCompositionScale]

  /// A monitor that keeps to the Blood Pressure Profile; composed frames.
  public static let bloodPressureMonitor = VirtualDeviceModel(
    id: "blood-pressure-monitor", summary: "Blood Pressure Profile: mmHg, kPa and a failed one.",
    peripheralID: 3000, advertisedName: "Blood Pressure", advertisedServices: ["1810"],
    readingCount: 2
  ) { clock in
    VirtualMeasurementSender(
      .bloodPressure(
        information("BLP-1", systemID: 0x02_0001_FFFE_00_0417), hasClock: true,
        erasesSentMeasurements: true,
        memory: [
          // FL SYST DIAS MAPR  YEAR MO DA HH MM SS  PULS STAT
          [UInt8](frame: "16 7600 4C00 5A00  EA07 03 01 07 1E 00  4200 0000"),
          [UInt8](frame: "03 9BF0 65F0 77F0  EA07 03 01 13 05 00"),
          [UInt8](frame: "12 FF07 FF07 FF07  EA07 03 02 07 20 00  0200"),
        ]), clock: clock)
  }

  /// A scale that keeps to the Weight Scale Profile; composed frames.
  public static let weightScale = VirtualDeviceModel(
    id: "weight-scale", summary: "Weight Scale Profile: kilograms, pounds and a failed one.",
    peripheralID: 5000, advertisedName: "Weight Scale", advertisedServices: ["181D"],
    readingCount: 2
  ) { clock in
    VirtualMeasurementSender(
      .init(
        information: information("WSP-1", systemID: 0x02_0002_FFFE_00_0417),
        measurement: .weightMeasurement,
        constants: [VirtualCharacteristic("2A9E", value: [0x09, 0x00, 0x00, 0x00])],
        memory: [
          // FL  WGHT  YEAR MO DA HH MM SS
          [UInt8](frame: "02 083E  EA07 03 01 07 1E 00"),
          [UInt8](frame: "03 AA44  EA07 03 02 07 1F 00"),
          [UInt8](frame: "02 FFFF  EA07 03 03 07 20 00"),
        ],
        measure: { number, time in
          WeightMeasurement(
            rawWeight: UInt16(15_880 - number * 9 % 200), timestamp: Timestamp(time)
          ).payload
        }), clock: clock)
  }

  /// A scale that has the Body Composition Service alone; composed frames.
  public static let bodyCompositionScale = VirtualDeviceModel(
    id: "body-composition-scale", summary: "Body Composition Service alone, weight and all.",
    peripheralID: 7000, advertisedName: "Body Composition", advertisedServices: ["181B"],
    readingCount: 1
  ) { clock in
    VirtualMeasurementSender(
      .init(
        information: information("BCS-1", systemID: 0x02_0003_FFFE_00_0417),
        measurement: .bodyCompositionMeasurement,
        constants: [VirtualCharacteristic("2A9B", value: [0x09, 0x03, 0x00, 0x00])],
        memory: [
          composition(
            1, LocalDateTime(year: 2026, month: 3, day: 1, hour: 7, minute: 30, second: 0))
        ],
        measure: composition), clock: clock)
  }

  @Sendable private static func composition(_ number: Int, _ time: LocalDateTime) -> [UInt8] {
    var components = BodyCompositionMeasurement.Components()
    components.rawMusclePercentage = 412
    components.rawImpedance = 4870
    components.rawWeight = UInt16(15_880 - number * 9 % 200)
    return BodyCompositionMeasurement(
      rawBodyFatPercentage: UInt16(197 + number % 5), timestamp: Timestamp(time),
      components: components
    ).payload
  }

  /// What the devices say of themselves; the System IDs are of addresses that nobody has assigned.
  private static func information(_ model: String, systemID: UInt64) -> [VirtualService] {
    [
      .deviceInformation(
        manufacturer: "Santorio", model: model, serialNumber: "\(model)-000417",
        firmwareRevision: "1.0", systemID: systemID), .battery(percent: 88),
    ]
  }
}
