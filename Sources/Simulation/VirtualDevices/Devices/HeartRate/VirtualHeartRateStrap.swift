// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  /// A chest strap like the Polar H10: reports skin contact and the intervals between beats.
  ///
  /// The frames are composed.
  package static let polarH10 = VirtualDeviceModel(
    id: "polar-h10", summary: "Polar H10 chest strap: streams heart rate and intervals.",
    peripheralID: 6000, advertisedName: "Polar H10 8C4A1F2B", advertisedServices: ["180D"],
    readingCount: 1
  ) { _ in
    VirtualLiveSensor(
      .init(
        information: [
          .deviceInformation(
            manufacturer: "Polar Electro Oy", model: "H10", serialNumber: "8C4A1F2B",
            firmwareRevision: "5.0.0"), .battery(percent: 95),
        ],
        measurement: .heartRateMeasurement,
        constants: [
          VirtualCharacteristic("2A38", value: [BodySensorLocation.chest.rawValue])
        ], frame: { strapFrame($0, UInt8(60 + $1 % 12)) }, encode: strapFrame))
  }

  static let heartRateSensors = [polarH10]

  /// A frame of a given heart rate, 30...240 beats per minute.
  private static func strapFrame(_ measurement: VirtualMeasurement, _ second: Int) -> [UInt8]? {
    guard case .heartRate(let rate) = measurement.values, (30...240).contains(rate) else {
      return nil
    }
    return strapFrame(second, UInt8(rate))
  }

  /// Two seconds without skin contact, then a resting heart rate.
  private static func strapFrame(_ second: Int, _ lowest: UInt8) -> [UInt8] {
    guard second >= 2 else {
      return HeartRateMeasurement(beatsPerMinute: 0, sensorContact: .notDetected).payload
    }
    let rate = UInt16(lowest) + UInt16(second % 5)
    return HeartRateMeasurement(
      beatsPerMinute: rate, sensorContact: .detected,
      rrIntervals: [RRInterval(rawValue: UInt16(61_440 / UInt32(rate)))]
    ).payload
  }
}
