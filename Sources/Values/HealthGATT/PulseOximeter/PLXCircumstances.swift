// SPDX-License-Identifier: Apache-2.0

/// The optional fields that end both pulse oximeter measurements.
///
/// The two characteristics announce them by different bits.
package struct PLXCircumstances {
  package var measurementStatus: PLXMeasurementStatus?
  package var deviceAndSensorStatus: PLXDeviceAndSensorStatus?
  package var pulseAmplitudeIndex: MedicalFloat16?

  /// The three presence bits, the measurement status as bit 0.
  var presence: UInt8 {
    (measurementStatus != nil ? 0b001 : 0) | (deviceAndSensorStatus != nil ? 0b010 : 0)
      | (pulseAmplitudeIndex != nil ? 0b100 : 0)
  }

  /// Whether a status says that the numbers are no reading.
  var isUnusable: Bool {
    !(measurementStatus ?? []).isDisjoint(with: .unusable)
      || !(deviceAndSensorStatus ?? []).isDisjoint(with: .unusable)
  }

  func encode(to writer: inout PayloadWriter) {
    if let measurementStatus { writer.uint16(measurementStatus.rawValue) }
    if let deviceAndSensorStatus { writer.uint24(deviceAndSensorStatus.rawValue) }
    if let pulseAmplitudeIndex { writer.medicalFloat16(pulseAmplitudeIndex) }
  }
}

extension PLXCircumstances {
  init(presence: UInt8, from reader: inout PayloadReader) throws(PayloadError) {
    if presence & 0b001 != 0 {
      measurementStatus = PLXMeasurementStatus(
        rawValue: try reader.uint16(field: "Measurement Status"))
    }
    if presence & 0b010 != 0 {
      deviceAndSensorStatus = PLXDeviceAndSensorStatus(
        rawValue: try reader.uint24(field: "Device and Sensor Status"))
    }
    if presence & 0b100 != 0 {
      pulseAmplitudeIndex = try reader.medicalFloat16(field: "Pulse Amplitude Index")
    }
  }
}
