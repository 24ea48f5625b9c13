// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Blood Pressure Measurement as the Beurer BM85, BM48, BM59 and Elite 900 send it in 2A35.
///
/// ```
/// // 56  8100 6200 0000  DE07 02 02 0D 0F 00  0046  01  0040
/// // FL  SYST DIAS MAP   YEAR MO DA HH MM SS  PULS  US  STAT
/// ```
///
/// There is a user although Flags bit 3 is clear, and pulse rate and status are big endian; all
/// else is as specified. Source: smurfix/ble-stuff, captures of a BM85.
package struct BeurerMeasurement: CharacteristicValue {
  private static let flags = BloodPressureFlags(rawValue: 0x56)
  private static let byteCount = 19

  /// The measurement; its own Flags say that there is a user.
  package let measurement: BloodPressureMeasurement

  /// Whether a payload of 2A35 has this layout.
  ///
  /// Its flags announce 18 bytes and it has 19, and what should be the pulse rate is none.
  package static func matches(_ payload: [UInt8]) -> Bool {
    guard payload.count == byteCount, payload[0] == flags.rawValue,
      let plain = try? BloodPressureMeasurement(payload: payload)
    else { return false }
    return !(30...250).contains(plain.pulseRate?.double ?? 0)
  }

  /// Gives a measurement this layout, as a BM85 sends it: with time, pulse rate, user and status.
  ///
  /// - Throws: `outOfRange` when one of these is missing.
  package init(asBM85 measurement: BloodPressureMeasurement) throws(PayloadError) {
    var measurement = measurement
    measurement.reservedFlags = Self.flags.intersection(.reserved)
    self.measurement = measurement
    guard measurement.userID != nil, flags == Self.flags else {
      throw PayloadError(
        .outOfRange, field: "Flags",
        message: "This layout always has time, pulse rate, user and status. Add what is missing.")
    }
  }

  /// Reads the fields that Flags announce, and the user.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    let flags = BloodPressureFlags(rawValue: try reader.uint8(field: "Flags"))
    guard !flags.contains(.userIDPresent) else {
      throw PayloadError(
        .reservedValue, field: "Flags", offset: start,
        message: "Bit 3 is clear in this layout. Read it as 2A35 is specified.")
    }
    var value = BloodPressureMeasurement(
      unit: flags.unit, systolic: try reader.medicalFloat16(field: "Systolic"),
      diastolic: try reader.medicalFloat16(field: "Diastolic"),
      meanArterialPressure: try reader.medicalFloat16(field: "Mean Arterial Pressure"))
    if flags.contains(.timestampPresent) {
      value.timestamp = try reader.timestamp(field: "Time Stamp")
    }
    if flags.contains(.pulseRatePresent) {
      value.pulseRate = MedicalFloat16(rawValue: try reader.bigEndianUInt16(field: "Pulse Rate"))
    }
    value.userID = UserID(rawValue: try reader.uint8(field: "User ID"))
    if flags.contains(.measurementStatusPresent) {
      value.measurementStatus = BloodPressureStatus(
        rawValue: try reader.bigEndianUInt16(field: "Measurement Status"))
    }
    value.reservedFlags = flags.intersection(.reserved)
    value.trailingBytes = reader.remainingBytes()
    measurement = value
  }

  /// Writes Flags without bit 3, the fields, and the trailing bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    writer.medicalFloat16(measurement.systolic)
    writer.medicalFloat16(measurement.diastolic)
    writer.medicalFloat16(measurement.meanArterialPressure)
    if let timestamp = measurement.timestamp { writer.timestamp(timestamp) }
    if let pulseRate = measurement.pulseRate { writer.bigEndianUInt16(pulseRate.rawValue) }
    if let userID = measurement.userID { writer.uint8(userID.rawValue) }
    if let status = measurement.measurementStatus { writer.bigEndianUInt16(status.rawValue) }
    writer.append(measurement.trailingBytes)
  }

  /// Flags as on the wire.
  package var flags: BloodPressureFlags { measurement.flags.subtracting(.userIDPresent) }

  /// What follows the last field that is known.
  package var trailingBytes: [UInt8] { measurement.trailingBytes }
}

extension BloodPressureStatus {
  /// Bit 6, which Beurer uses: the heart was at rest.
  package static let beurerResting = BloodPressureStatus(rawValue: 1 << 6)
}
