// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  /// The A&D UC-352BLE with the Weight Scale Service: bonds, has a clock within that service,
  /// erases what it has sent.
  ///
  /// Services and properties as in the public capture of HEADS-project/ThingML-BLE,
  /// `Documentation/AND_Medical_UC352BLE.md`; the frames are composed.
  package static let uc352BLE = VirtualDeviceModel(
    id: "uc-352ble", summary: "A&D UC-352BLE weight scale: bonds, has a settable clock.",
    peripheralID: 31, advertisedName: "A&D_UC-352BLE_AA26F0", advertisedServices: ["181D"],
    readingCount: 2
  ) { clock in
    VirtualMeasurementSender(
      .init(
        information: aAndD(firmware: "WSP001_201"), measurement: .weightMeasurement,
        constants: [VirtualCharacteristic("2A9E", value: [0x19, 0x00, 0x00, 0x00])],
        clock: .weightScaleDateTime,
        memory: [
          // FL  WGHT  YEAR MO DA HH MM SS
          [UInt8](frame: "02 083E  E807 03 09 07 1E 00"),
          [UInt8](frame: "02 FFFF  E807 03 09 07 1F 10"),
          [UInt8](frame: "02 F43D  E807 03 0A 07 20 00"),
        ],
        measure: { number, time in
          weight(UInt16(15_880 - number * 9 % 200), time)
        }, encode: { $0.weightPayload(at: $1) }), clock: clock)
  }

  /// The first A&D UC-352BLE, with A&D's own weight scale service.
  ///
  /// The frames are composed after A&D's sample code (andengineering/AndroidSampleCode).
  package static let uc352BLEOwnService = VirtualDeviceModel(
    id: "uc-352ble-own-service",
    summary: "A&D UC-352BLE of the first generation, with A&D's own weight scale service.",
    peripheralID: 14, advertisedName: "A&D_UC-352BLE_AA11C2",
    advertisedServices: [GATTAttribute.aAndDWeightMeasurement.service], readingCount: 2
  ) { clock in
    VirtualMeasurementSender(
      .init(
        information: aAndD(firmware: "CWSP008_108"), measurement: .aAndDWeightMeasurement,
        clock: .aAndDWeightDateTime,
        memory: [
          [UInt8](frame: "02 1A03  E807 03 09 07 1E 00"),
          [UInt8](frame: "03 CB06  E807 03 0A 07 20 00"),
        ],
        measure: { number, time in
          weight(UInt16(794 - number % 10), time)
        }), clock: clock)
  }

  private static func aAndD(firmware: String) -> [VirtualService] {
    [
      .deviceInformation(
        manufacturer: "A&D Medical", model: "UC-352BLE", serialNumber: "5170200412",
        firmwareRevision: firmware), .battery(percent: 70),
    ]
  }

  private static func weight(_ steps: UInt16, _ time: LocalDateTime) -> [UInt8] {
    WeightMeasurement(rawWeight: steps, timestamp: Timestamp(time)).payload
  }

  static let weightScales = [uc352BLE, uc352BLEOwnService, bf720, esWBE28]
}
