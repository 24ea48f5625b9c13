// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  static let continuousGlucoseMonitors = [cgmSensor, protectedCGMSensor]

  /// A sensor of the Continuous Glucose Monitoring Profile that was not given the time; composed
  /// records.
  public static let cgmSensor = sensor(
    "cgm-sensor", "CGM Profile: a session without a start time, HI, LO and a fault.",
    name: "CGM Sensor 0417",
    VirtualCGMSensor.Model(
      model: "CGM-1", serialNumber: "CGM1-000417", memory: .composedSession))

  /// The same with a check in all its values, and with a time that it was given; composed records.
  public static let protectedCGMSensor = sensor(
    "cgm-sensor-crc", "CGM Profile with E2E-CRC: a session that knows its start time.",
    name: "CGM Sensor 0418",
    {
      var model = VirtualCGMSensor.Model(
        model: "CGM-2", serialNumber: "CGM2-000418", memory: .composedSession)
      model.hasCRC = true
      model.knowsTime = true
      return model
    }())

  private static func sensor(
    _ id: String, _ summary: String, name: String, _ model: VirtualCGMSensor.Model
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: summary, peripheralID: 8000, advertisedName: name,
      advertisedServices: ["181F"], readingCount: 7
    ) { clock in VirtualCGMSensor(model, clock: clock) }
  }
}

extension [CGMRecord] {
  /// Forty minutes: readings, a low battery, a fault of the sensor, HI without a number and with the
  /// limit of the range, and an alert.
  static let composedSession: [CGMRecord] = [
    record("06 00 5F00 0500"),
    record("0A 03 6800 0A00 12F0 6000"),
    record("07 80 7600 0F00 02"),
    record("07 80 FF07 1400 08"),
    record("07 20 FE07 1900 80"),
    record("08 A0 3600 1E00 02 05"),
    record("07 20 9001 2300 80"),
    record("06 00 7A00 2800"),
  ]
  .compactMap(\.self)

  // SZ FL GLUC OFFS [ST] [CT] [WA] [TREN] [QUAL]
  private static func record(_ frame: String) -> CGMRecord? {
    (try? CGMMeasurement(payload: [UInt8](frame: frame)))?.records.first
  }
}
