// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  /// A glucose meter TD-4272.
  ///
  /// The values are of the tests of glucometers-tech/glucometerutils and shawn-gxp/sh3-pi, the
  /// times composed. One record is a test of the control solution, one was measured with another
  /// strip.
  package static let taiDocGlucose = VirtualDeviceModel(
    id: "taidoc-td4272", summary: "TaiDoc TD-4272: a glucose meter with TaiDoc's frames.",
    peripheralID: 10_253, advertisedName: "TAIDOC TD4272",
    advertisedServices: [GATTAttribute.taiDoc.service], readingCount: 3
  ) { clock in
    VirtualTaiDocDevice(
      .init(
        number: TaiDocModel(number: 0x4272), serialNumber: "4272171300123456",
        memory: [
          0: records([
            ("2026-03-27 07:05", [0x62, 0x00, 0x00, 0x00]),
            ("2026-03-27 07:12", [0x6E, 0x00, 0x00, 0xC0]),
            ("2026-03-27 12:31", [0x78, 0x00, 0x00, 0x40]),
            ("2026-03-27 12:40", [0x1E, 0x00, 0x00, 0x1C]),
            ("2026-03-27 14:20", [0x85, 0x00, 0x00, 0x80]),
          ])
        ], demandsBond: true), clock: clock)
  }

  /// A blood pressure monitor TD-3128 with four users; composed, but for the first value, which is
  /// of the tests of shawn-gxp/sh3-pi.
  package static let taiDocBloodPressure = VirtualDeviceModel(
    id: "taidoc-td3128",
    summary: "TaiDoc TD-3128: a blood pressure monitor of four users with TaiDoc's frames.",
    peripheralID: 10_150, advertisedName: "TAIDOC TD3128",
    advertisedServices: [GATTAttribute.taiDoc.service], readingCount: 3
  ) { clock in
    VirtualTaiDocDevice(
      .init(
        number: TaiDocModel(number: 0x3128), serialNumber: "3128145200001122",
        memory: [
          1: records([
            ("2026-03-28 07:31", [120, 90, 80, 72]), ("2026-03-28 21:04", [133, 101, 86, 69]),
          ]),
          2: records([
            ("2026-03-28 08:00", [141, 108, 91, 77]), ("2026-03-28 08:04", [0, 0, 0, 0]),
          ]),
        ]), clock: clock)
  }

  /// A thermometer TD-1261; composed.
  package static let taiDocThermometer = VirtualDeviceModel(
    id: "taidoc-td1261", summary: "TaiDoc TD-1261: an ear thermometer with TaiDoc's frames.",
    peripheralID: 10_404, advertisedName: "TAIDOC TD1261",
    advertisedServices: [GATTAttribute.taiDoc.service], readingCount: 2
  ) { clock in
    VirtualTaiDocDevice(
      .init(
        number: TaiDocModel(number: 0x1261), serialNumber: "1261163800000456",
        memory: [
          0: records([
            ("2026-03-28 22:15", [0x82, 0x01, 0xE1, 0x00]),
            ("2026-03-29 07:40", [0x74, 0x01, 0xDA, 0x00]),
          ])
        ]), clock: clock)
  }

  /// An oximeter TD-8255, which sends its current values on request; composed.
  package static let taiDocOximeter = VirtualDeviceModel(
    id: "taidoc-td8255", summary: "TaiDoc TD-8255: an oximeter that sends its values on request.",
    peripheralID: 10_350, advertisedName: "TAIDOC TD8255",
    advertisedServices: [GATTAttribute.taiDoc.service], readingCount: 1
  ) { clock in
    VirtualTaiDocDevice(
      .init(
        number: TaiDocModel(number: 0x8255), serialNumber: "8255190200000789", memory: [:],
        samplesWithoutFinger: 3), clock: clock)
  }

  static let taiDocDevices = [
    taiDocGlucose, taiDocBloodPressure, taiDocThermometer, taiDocOximeter,
  ]

  /// Records of times such as "2026-03-27 07:05" and four bytes.
  private static func records(
    _ list: [(time: String, value: [UInt8])]
  ) -> [VirtualTaiDocDevice.Record] {
    list.compactMap { time, value in
      let numbers = time.split { !$0.isNumber }.compactMap { Int($0) }
      guard numbers.count == 5,
        let bytes = try? TaiDocDateTime(
          LocalDateTime(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
            minute: numbers[4], second: 0))
      else { return nil }
      return VirtualTaiDocDevice.Record(time: bytes, value: value)
    }
  }
}
