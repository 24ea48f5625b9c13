// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Testing
import VirtualDevices

@Suite struct `Measuring given values` {
  private static let values: [VirtualMeasurement.Values] = [
    .bloodPressure(systolic: 128, diastolic: 82, pulse: 71),
    .glucose(milligramsPerDeciliter: 131), .glucose(milligramsPerDeciliter: 131, meal: .after),
    .temperature(celsius: 37.4), .weight(kilograms: 71.2),
    .weight(kilograms: 71.2, fatPercent: 24.5), .oximetry(saturation: 95, pulse: 71),
    .heartRate(71),
  ]

  private static let impossible: [VirtualMeasurement.Values] = [
    .bloodPressure(systolic: 1_000_000, diastolic: -1_000_000, pulse: 1_000_000),
    .glucose(milligramsPerDeciliter: -1), .glucose(milligramsPerDeciliter: .max),
    .temperature(celsius: .nan), .temperature(celsius: 1e9), .weight(kilograms: -.infinity),
    .weight(kilograms: 1e9, fatPercent: 1e9), .oximetry(saturation: 0, pulse: 0),
    .oximetry(saturation: 300, pulse: 300), .heartRate(-1), .heartRate(.max),
  ]

  private func time(_ seconds: Double) -> DriverTime {
    DriverTime(elapsed: .zero, secondsSince1970: 1_774_353_600 + seconds, utcOffsetSeconds: 0)
  }

  private func isMeasured(
    _ values: VirtualMeasurement.Values, by model: VirtualDeviceModel
  ) -> Bool {
    var logic = model.make(VirtualClock())
    logic.eraseMeasurements()
    return logic.measure(VirtualMeasurement(values), at: time(0)) != nil
  }

  @Test(arguments: [
    ("bm54", [0]), ("ua-651ble", [0]), ("taidoc-td3128", [0]), ("accu-chek-guide", [1, 2]),
    ("onetouch-verio-flex", [1, 2]), ("cgm-sensor", [1, 2]), ("taidoc-td4272", [1]),
    ("ut-201ble", [3]), ("taidoc-td1261", [3]), ("uc-352ble", [4, 5]), ("bf720", [4, 5]),
    ("mi-scale", [4, 5]), ("nonin-3230", [6]), ("o2ring", [6]), ("polar-h10", [7]),
    ("kinsa-quickcare", []),
  ])
  func `is done by the devices that have such values`(id: String, measured: [Int]) throws {
    let model = try #require(VirtualDeviceModel(id: id))
    #expect(Self.values.indices.filter { isMeasured(Self.values[$0], by: model) } == measured)
  }

  @Test(arguments: VirtualDeviceModel.all.map(\.id))
  func `is not done with what no format holds`(id: String) throws {
    let model = try #require(VirtualDeviceModel(id: id))
    for values in Self.impossible {
      #expect(!isMeasured(values, by: model), "\(values)")
    }
  }

  @Test func `makes the device's own frame, of the time at which it was measured`() {
    var monitor = VirtualDeviceModel.bm54().make(VirtualClock(offsetSeconds: 60))
    monitor.eraseMeasurements()
    #expect(!monitor.isAdvertising)
    let measurement = VirtualMeasurement(
      .bloodPressure(systolic: 128, diastolic: 82, pulse: 71), user: 1)
    for day in [-1.0, 0] {
      #expect(monitor.measure(measurement, at: time(day * 86_400)) == [])
    }
    #expect(monitor.isAdvertising)
    let source = GATTAttribute("1810", "2A35")
    let frames: [[UInt8]] = [
      [0x1E, 128, 0, 82, 0, 0xFF, 7, 0xEA, 7, 3, 23, 12, 1, 0, 71, 0, 1, 0, 0],
      [0x1E, 128, 0, 82, 0, 0xFF, 7, 0xEA, 7, 3, 24, 12, 1, 0, 71, 0, 1, 0, 0],
    ]
    #expect(
      monitor.handle(.subscribed(source), at: time(0))
        == [.report(.subscribed)] + frames.map { .send(source, $0) })
  }
}
