// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Beurer's monitors, and those of the manufacturers that sell them by another name.
  ///
  /// Some stay silent when they are asked for measurements less than three seconds after their
  /// attributes were read.
  package static let beurerBloodPressure = DriverModel(
    id: "beurer-blood-pressure", name: "Blood Pressure Profile, Beurer",
    required: [.bloodPressureMeasurement],
    optional: [.bloodPressureDateTime, .currentTime],
    confidence: .captured,
    sources: [
      "smurfix/ble-stuff", "weliem/LivecareBluetoothSDK", "derdilla/blood-pressure-monitor-fl",
    ],
    // M1 and M2 on the monitor.
    userNumbering: .from(
      0,
      sources: [
        "Beurer, BM54 transmission protocol, revision 3, as quoted by shawn-gxp/sh3-pi@086b6f0c, "
          + "datasheets/beurer/BLE_PROTOCOL_ANALYSIS.md (User ID 0 is user 1)",
        "smurfix/ble-stuff@86457cbc, Logs/Beurer 1.pcapng (0 and 1 of a monitor with M1 and M2)",
      ])
  ) { context in
    PushDriver(
      context, steps: [.pause(.seconds(3))] + .bloodPressureClocks + .bloodPressureMeasurements,
      measurements: [.bloodPressureMeasurement]
    ) { _, bytes, _ in DeviceReading(beurerMeasurement: bytes) }
  }
}

extension DeviceReading {
  /// A Blood Pressure Measurement of a Beurer monitor, which says whether the heart was at rest.
  init?(beurerMeasurement bytes: [UInt8]) {
    self.init(bloodPressureMeasurement: bytes)
    let status = (try? BloodPressureMeasurement(indicated: bytes))?.measurementStatus
    if rejection == nil, status?.contains(.beurerResting) == true {
      findings.append(.init("resting"))
    }
  }
}
