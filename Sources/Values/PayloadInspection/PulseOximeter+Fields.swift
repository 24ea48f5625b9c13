// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension PLXSpotCheckMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("spo2", .init(oximetry.oxygenSaturation)),
      .init("pulse", .init(oximetry.pulseRate)),
    ] + Timestamp.fields(timestamp) + [
      .init("clock_not_set", .bool(!isDeviceClockSet))
    ] + circumstances.fields
  }
}

extension PLXContinuousMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("spo2", .init(normal.oxygenSaturation)),
      .init("pulse", .init(normal.pulseRate)),
      .init("spo2_fast", .init(fast?.oxygenSaturation)),
      .init("pulse_fast", .init(fast?.pulseRate)),
      .init("spo2_slow", .init(slow?.oxygenSaturation)),
      .init("pulse_slow", .init(slow?.pulseRate)),
    ] + circumstances.fields
  }
}

extension PLXCircumstances {
  var fields: [DecodedPayload.Field] {
    [
      .init("measurement_status", .init(measurementStatus?.rawValue)),
      .init("measurement_status_names", .init(names: measurementStatus?.names)),
      .init("device_sensor_status", .init(deviceAndSensorStatus?.rawValue)),
      .init("device_sensor_status_names", .init(names: deviceAndSensorStatus?.names)),
      .init("pulse_amplitude_index", .init(pulseAmplitudeIndex)),
    ]
  }
}

extension PLXMeasurementStatus {
  var names: [String] {
    zip(Self.namesFromBit5, 5..<16).filter { rawValue >> $0.1 & 1 != 0 }.map(\.0)
  }

  private static let namesFromBit5 = [
    "ongoing", "earlyEstimate", "validated", "fullyQualified", "fromStorage", "demo", "testing",
    "calibrationOngoing", "unavailable", "questionable", "invalid",
  ]
}

extension PLXDeviceAndSensorStatus {
  var names: [String] {
    zip(Self.namesFromBit0, 0..<16).filter { rawValue >> $0.1 & 1 != 0 }.map(\.0)
  }

  private static let namesFromBit0 = [
    "extendedDisplayUpdate", "equipmentMalfunction", "signalProcessingIrregularity",
    "inadequateSignal", "poorSignal", "lowPerfusion", "erraticSignal", "nonpulsatileSignal",
    "questionablePulse", "signalAnalysisOngoing", "sensorInterference", "sensorUnconnectedToUser",
    "unknownSensor", "sensorDisplaced", "sensorMalfunctioning", "sensorDisconnected",
  ]
}

extension PLXFeatures: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("features", .init(features.rawValue)),
      .init("measurement_status_support", .init(measurementStatusSupport?.rawValue)),
      .init("device_sensor_status_support", .init(deviceAndSensorStatusSupport?.rawValue)),
    ]
  }
}
