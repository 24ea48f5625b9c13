// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A measurement of a Welch Allyn 1500 or 1700 and other monitors made by Transtek (8A91).
///
/// ```
/// // 34  FF00  FE00  0000  FFFFFF00  FD00  00  00  00  01
/// // HD  SYST  DIAS  ?     SECONDS   PULS  ?   FL  ?   DEV
/// ```
///
/// The monitor erases a measurement as soon as it is acknowledged. Source:
/// casebeer/welch-allyn-bp100-python.
package struct TranstekRecord: CharacteristicValue {
  /// What was found during the measurement.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 0: the body moved.
    package static let bodyMovement = Flags(rawValue: 1 << 0)
    /// Bit 2: the pulse was irregular.
    package static let irregularPulse = Flags(rawValue: 1 << 2)
  }

  /// The first byte.
  package var header: UInt8
  /// In mmHg.
  package var systolic: UInt16
  /// In mmHg.
  package var diastolic: UInt16
  /// The time on the device's clock.
  package var time: TranstekTime
  /// Beats per minute.
  package var pulseRate: UInt16
  /// What was found during the measurement.
  package var flags: Flags
  /// The last byte; bit 0: the battery is good.
  package var deviceFlags: UInt8
  private var unknownWord: UInt16 = 0
  private var unknownBytes: [UInt8] = [0, 0]

  /// Whether the battery is good.
  package var hasGoodBattery: Bool { deviceFlags & 1 != 0 }

  /// Creates a measurement as a monitor with a good battery sends it.
  package init(
    header: UInt8 = 0x34, systolic: UInt16, diastolic: UInt16, pulseRate: UInt16,
    time: TranstekTime, flags: Flags = [], deviceFlags: UInt8 = 1
  ) {
    self.header = header
    self.systolic = systolic
    self.diastolic = diastolic
    self.pulseRate = pulseRate
    self.time = time
    self.flags = flags
    self.deviceFlags = deviceFlags
  }

  /// Reads the 17 bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    header = try reader.uint8(field: "Header")
    systolic = try reader.uint16(field: "Systolic")
    diastolic = try reader.uint16(field: "Diastolic")
    unknownWord = try reader.uint16(field: "Reserved")
    time = try TranstekTime(from: &reader)
    pulseRate = try reader.uint16(field: "Pulse Rate")
    unknownBytes[0] = try reader.uint8(field: "Reserved")
    flags = Flags(rawValue: try reader.uint8(field: "Flags"))
    unknownBytes[1] = try reader.uint8(field: "Reserved")
    deviceFlags = try reader.uint8(field: "Device Flags")
  }

  /// Writes the 17 bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(header)
    writer.uint16(systolic)
    writer.uint16(diastolic)
    writer.uint16(unknownWord)
    time.encode(to: &writer)
    writer.uint16(pulseRate)
    writer.append([unknownBytes[0], flags.rawValue, unknownBytes[1], deviceFlags])
  }
}
