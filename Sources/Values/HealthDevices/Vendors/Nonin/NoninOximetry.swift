// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Oximetry Measurement of Nonin 3230, 3231 and 3150 BLE, notified once a second.
///
/// ```
/// // 0A  10    1E   00FA  0005  61    0048
/// // LN  STAT  BAT  PAI   CNT   SPO2  PULS
/// ```
///
/// All numbers are big endian. Source: characteristic 0AAD7EA0-0D60-11E2-8E3C-0002A5D5C51B as read
/// by andreasdri/nonin-3230-ble and calebmgshort/Nonin3230Oximeter.
package struct NoninOximetry: CharacteristicValue {
  /// Status: what the oximeter knows of its signal.
  package struct Status: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 1: the pulse signal is weak.
    package static let weakSignal = Status(rawValue: 1 << 1)
    /// Bit 2: SmartPoint, the oximeter itself says that the value is one to record.
    package static let smartPoint = Status(rawValue: 1 << 2)
    /// Bit 3: the oximeter searches for a pulse.
    package static let searching = Status(rawValue: 1 << 3)
    /// Bit 4: the sensor is on a finger and works.
    package static let sensorIsCorrect = Status(rawValue: 1 << 4)
    /// Bit 5: the battery is low.
    package static let lowBattery = Status(rawValue: 1 << 5)
    /// Bit 6: the connection is encrypted.
    package static let encrypted = Status(rawValue: 1 << 6)
  }

  /// The length in the packet, 10 or more.
  package let length: UInt8
  /// Status, reserved bits included.
  package var status: Status
  /// The battery's voltage in tenths of a volt.
  package var batteryTenths: UInt8
  /// The pulse amplitude index in hundredths of a percent.
  package var pulseAmplitudeHundredths: UInt16
  /// The number of the second since the oximeter was switched on.
  package var counter: UInt16
  /// The saturation as sent: 127 when there is none.
  package var saturationByte: UInt8
  /// The pulse rate as sent: 511 when there is none.
  package var pulseRateWord: UInt16
  /// What follows the pulse rate.
  package let trailingBytes: [UInt8]

  package init(
    status: Status, batteryTenths: UInt8 = 30, pulseAmplitudeHundredths: UInt16 = 0,
    counter: UInt16 = 0, saturation: UInt8?, pulseRate: UInt16?
  ) {
    length = 10
    self.status = status
    self.batteryTenths = batteryTenths
    self.pulseAmplitudeHundredths = pulseAmplitudeHundredths
    self.counter = counter
    saturationByte = saturation ?? Self.noSaturation
    pulseRateWord = pulseRate ?? Self.noPulseRate
    trailingBytes = []
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    length = try reader.uint8(field: "Length")
    status = Status(rawValue: try reader.uint8(field: "Status"))
    batteryTenths = try reader.uint8(field: "Battery Voltage")
    pulseAmplitudeHundredths = try reader.bigEndianUInt16(field: "Pulse Amplitude Index")
    counter = try reader.bigEndianUInt16(field: "Counter")
    saturationByte = try reader.uint8(field: "SpO2")
    pulseRateWord = try reader.bigEndianUInt16(field: "Pulse Rate")
    trailingBytes = reader.remainingBytes()
    guard (10...reader.offset).contains(Int(length)) else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: 0,
        message: "It is 10...\(reader.offset) here. Refuse the packet.")
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(length)
    writer.uint8(status.rawValue)
    writer.uint8(batteryTenths)
    writer.bigEndianUInt16(pulseAmplitudeHundredths)
    writer.bigEndianUInt16(counter)
    writer.uint8(saturationByte)
    writer.bigEndianUInt16(pulseRateWord)
    writer.append(trailingBytes)
  }

  private static let noSaturation: UInt8 = 127
  private static let noPulseRate: UInt16 = 511
}

extension NoninOximetry {
  /// What is written to the control point after a spot check, to let the oximeter switch off.
  package static let measurementComplete: [UInt8] = [0x62, 0x4E, 0x4D, 0x49]

  /// The saturation in percent; nil when the oximeter has none.
  package var saturation: Int? { saturationByte == Self.noSaturation ? nil : Int(saturationByte) }
  /// The pulse rate in beats per minute; nil when the oximeter has none.
  package var pulseRate: Int? { pulseRateWord == Self.noPulseRate ? nil : Int(pulseRateWord) }
  /// The pulse amplitude index in percent.
  package var pulseAmplitudeIndex: Double { Double(pulseAmplitudeHundredths) / 100 }
  /// The battery's voltage in volts.
  package var batteryVoltage: Double { Double(batteryTenths) / 10 }

  /// The measured values; nil without a finger, and while the oximeter searches.
  package var sample: OximetrySample? {
    guard status.contains(.sensorIsCorrect), !status.contains(.searching) else { return nil }
    return OximetrySample(
      saturation: saturation, pulseRate: pulseRate, perfusionIndex: pulseAmplitudeIndex)
  }
}
