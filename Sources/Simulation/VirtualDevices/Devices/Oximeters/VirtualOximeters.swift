// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  /// An oximeter of the Pulse Oximeter Profile that keeps finished readings.
  ///
  /// Its frames are those of the tests of hnu-digihealth/sensorframework (one without a finger, one
  /// with a clock that was never set) and one composed for demonstrations.
  public static let spotCheckOximeter = VirtualDeviceModel(
    id: "plx-spot-check",
    summary: "Oximeter of the Pulse Oximeter Profile that keeps finished readings.",
    peripheralID: 2000, advertisedName: "Oximeter 0112", advertisedServices: ["1822"],
    readingCount: 2
  ) { clock in
    VirtualMeasurementSender(
      .init(
        information: oximeter(serialNumber: "PLX-000112"), measurement: .plxSpotCheckMeasurement,
        constants: [VirtualCharacteristic("2A60", value: [0x0C, 0x00])], demandsBond: false,
        memory: [
          // FL  SPO2 PRAT …
          [UInt8](frame: "02 6000 5000 8000"),
          [UInt8](frame: "06 FF07 FF07 0080 000800"),
          [UInt8](frame: "02 6300 3C00 0004"),
          [UInt8](frame: "11 6200 4700 D007 01 01 00 00 00"),
        ],
        measure: { number, time in
          (try? PulseOximetry(
            percent: Double(94 + number % 5), beatsPerMinute: Double(58 + number * 7 % 30)))
            .map {
              PLXSpotCheckMeasurement($0, timestamp: Timestamp(time)).payload
            } ?? []
        }), clock: clock)
  }

  /// An oximeter of the Pulse Oximeter Profile that only streams.
  ///
  /// There is no finger at first, then there are estimates that settle. The frames are composed.
  public static let continuousOximeter = VirtualDeviceModel(
    id: "plx-continuous",
    summary: "Oximeter of the Pulse Oximeter Profile that streams once a second.",
    peripheralID: 2000, advertisedName: "Oximeter 0207", advertisedServices: ["1822"],
    readingCount: 1
  ) { _ in
    VirtualLiveSensor(
      .init(
        information: oximeter(serialNumber: "PLX-000207"), measurement: .plxContinuousMeasurement,
        constants: [
          VirtualCharacteristic("2A60", value: [0x43, 0x00, 0x60, 0x00, 0x00, 0x08, 0x00])
        ],
        frame: oximeterFrame))
  }

  static let profileOximeters = [spotCheckOximeter, continuousOximeter]

  private static func oximeter(serialNumber: String) -> [VirtualService] {
    [
      .deviceInformation(
        manufacturer: "Santorio", model: "Oximeter", serialNumber: serialNumber,
        firmwareRevision: "1.0"), .battery(percent: 88),
    ]
  }

  /// No finger for three seconds, four seconds of estimates, then a steady signal.
  private static func oximeterFrame(_ second: Int, _ number: Int) -> [UInt8] {
    guard second >= 3 else {
      return PLXContinuousMeasurement(
        PulseOximetry(oxygenSaturation: .notANumber, pulseRate: .notANumber),
        measurementStatus: .measurementOngoing, deviceAndSensorStatus: .sensorUnconnectedToUser
      ).payload
    }
    let settling = max(7 - second, 0)
    let pulse = Double(60 + number % 12 + second % 3)
    guard
      let numbers = try? PulseOximetry(
        percent: Double(97 - settling), beatsPerMinute: pulse),
      let perfusion = try? MedicalFloat16(3.4, exponent: -1)
    else { return [] }
    return PLXContinuousMeasurement(
      numbers,
      measurementStatus: settling > 0
        ? [.measurementOngoing, .earlyEstimateData] : .measurementOngoing,
      deviceAndSensorStatus: [], pulseAmplitudeIndex: perfusion
    ).payload
  }
}
