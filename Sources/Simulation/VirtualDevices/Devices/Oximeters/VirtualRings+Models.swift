// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  static let oximeters = liveOximeters + [po60, o2Ring, o2RingS]

  /// An O2Ring with two nights in its memory.
  ///
  /// The first is the file in the tests of home-health-hub/viatom-o2ring-ble, four samples long;
  /// the second is composed.
  package static let o2Ring = VirtualDeviceModel(
    id: "o2ring", summary: "Viatom O2Ring: recordings and live values; one public test file.",
    peripheralID: 10301, advertisedName: "O2Ring 0467", advertisedServices: [], readingCount: 2
  ) { clock in
    VirtualO2Ring(
      serialNumber: "2141000467",
      files: [
        .init(name: "20260131223340.vld", bytes: shortNight),
        .init(name: "20260328221500.vld", bytes: night(samples: 300)),
      ], clock: clock)
  }

  /// An O2Ring-S with a complete recording and one that it has not finished.
  package static let o2RingS = VirtualDeviceModel(
    id: "o2ring-s", summary: "Viatom O2Ring-S: recordings and live values; composed files.",
    peripheralID: 10302, advertisedName: "S8-AW 2210", advertisedServices: [], readingCount: 1
  ) { clock in
    VirtualOxyIIRing(
      serialNumber: "25B2302210",
      files: [
        .init(name: "20260327225900", bytes: finished(samples: 900).payload),
        .init(
          name: "20260328230100",
          bytes: OxyIIRecording(samples: course(700), trailer: nil).payload),
      ], clock: clock)
  }

  private static let shortNight: [UInt8] =
    [
      0x03, 0x00, 0xEA, 0x07, 0x01, 0x1F, 0x16, 0x21, 0x28, 0xD2, 0x04, 0x00, 0x00, 0x10, 0x00,
      0x00, 0x00, 0x5F, 0x5A, 0x01, 0x02, 0x78, 0x00, 0x03, 0x0F, 0x55, 0xE1, 0x10, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    ] + [
      0x58, 0x65, 0x00, 0x00, 0x00, 0x57, 0x63, 0x00, 0x04, 0x00, 0xFF, 0xFF, 0xFF, 0x00, 0x00,
      0x5A, 0x2C, 0x01, 0x01, 0x00,
    ]

  private static func night(samples: Int) -> [UInt8] {
    let start = LocalDateTime(year: 2026, month: 3, day: 28, hour: 22, minute: 15, second: 0)
    let summary = ViatomRecording.Summary(
      averageSaturation: 96, lowestSaturation: 91, dropsOfThree: 4, dropsOfFour: 2)
    return ViatomRecording(
      start: Timestamp(start), summary: summary, samples: (0..<samples).map(nightSample)
    ).payload
  }

  /// Once in four minutes the ring slips off for a sample.
  private static func nightSample(_ index: Int) -> ViatomRecording.Sample {
    guard index % 60 != 30 else { return .init(saturation: nil, pulseRate: nil) }
    return .init(saturation: UInt8(94 + index % 4), pulseRate: UInt16(58 + index % 9))
  }

  private static func course(_ samples: Int) -> [OxyIIRecording.Sample] {
    (0..<samples).map { (index: Int) -> OxyIIRecording.Sample in
      guard index >= 5 else { return .init(saturation: 0, pulseRate: nil) }
      return .init(saturation: UInt8(95 + index % 3), pulseRate: 61)
    }
  }

  private static func finished(samples: Int) -> OxyIIRecording {
    OxyIIRecording(
      samples: course(samples),
      trailer: .init(
        averageSaturation: 96, lowestSaturation: 95, averagePulseRate: 61, dropsOfThree: 1))
  }
}
