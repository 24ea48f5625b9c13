// SPDX-License-Identifier: Apache-2.0

/// The optional fields that Blood Pressure Measurement and Intermediate Cuff Pressure share.
package struct BloodPressureCircumstances {
  package var timestamp: Timestamp?
  package var pulseRate: MedicalFloat16?
  package var userID: UserID?
  package var measurementStatus: BloodPressureStatus?

  var flags: BloodPressureFlags {
    var flags: BloodPressureFlags = []
    if timestamp != nil { flags.insert(.timestampPresent) }
    if pulseRate != nil { flags.insert(.pulseRatePresent) }
    if userID != nil { flags.insert(.userIDPresent) }
    if measurementStatus != nil { flags.insert(.measurementStatusPresent) }
    return flags
  }

  func encode(to writer: inout PayloadWriter) {
    if let timestamp { writer.timestamp(timestamp) }
    if let pulseRate { writer.medicalFloat16(pulseRate) }
    if let userID { writer.uint8(userID.rawValue) }
    if let measurementStatus { writer.uint16(measurementStatus.rawValue) }
  }
}

extension BloodPressureCircumstances {
  init(_ flags: BloodPressureFlags, from reader: inout PayloadReader) throws(PayloadError) {
    if flags.contains(.timestampPresent) {
      timestamp = try reader.timestamp(field: "Time Stamp")
    }
    if flags.contains(.pulseRatePresent) {
      pulseRate = try reader.medicalFloat16(field: "Pulse Rate")
    }
    if flags.contains(.userIDPresent) {
      userID = UserID(rawValue: try reader.uint8(field: "User ID"))
    }
    if flags.contains(.measurementStatusPresent) {
      measurementStatus = BloodPressureStatus(
        rawValue: try reader.uint16(field: "Measurement Status"))
    }
  }
}
