// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A stored session of a Viatom ring: a file of version 3 (.vld).
///
/// ```
/// // 03 00  EA07 01 1F 16 21 28  D2040000  1000  0000  5F  5A  01 02  7800 03 0F  55  E1100000 ...
/// // VE MO  YEAR MO DA HH MM SS  SIZE      SECS  ?     AVG MIN D3 D4  <90% EV %   SC  STEPS    ?
/// // 58    6500  00   00      one sample of five bytes
/// // SPO2  PULS  MOT  ?
/// ```
///
/// The header has 40 bytes. A sample stands for 2 or 4 seconds, by the duration and the number of
/// samples; any other quotient means that a part of the file is missing.
/// Source: home-health-hub/viatom-o2ring-ble, ecostech/viatom-ble.
package struct ViatomRecording: CharacteristicValue {
  /// One sample.
  package struct Sample: Hashable, Sendable {
    /// The saturation as sent: 255 when the ring was not worn.
    package let saturationByte: UInt8
    /// The pulse rate as sent.
    package let pulseRateWord: UInt16
    /// How much the hand moved.
    package let movement: UInt8
    /// A byte whose meaning is not public.
    package let reserved: UInt8

    package init(saturation: UInt8?, pulseRate: UInt16?, movement: UInt8 = 0) {
      saturationByte = saturation ?? 255
      pulseRateWord = pulseRate ?? 0xFFFF
      self.movement = movement
      reserved = 0
    }

    fileprivate init(from reader: inout PayloadReader) throws(PayloadError) {
      saturationByte = try reader.uint8(field: "SpO2")
      pulseRateWord = try reader.uint16(field: "Pulse Rate")
      movement = try reader.uint8(field: "Movement")
      reserved = try reader.uint8(field: "Reserved")
    }

    /// Whether the ring was worn.
    package var isWorn: Bool { saturationByte != 255 }
    /// The saturation in percent; nil when the ring was not worn.
    package var saturation: Int? { isWorn ? Int(saturationByte) : nil }
    /// The pulse rate in beats per minute; nil when the ring was not worn.
    package var pulseRate: Int? { isWorn ? Int(pulseRateWord) : nil }
  }

  /// What the ring computed over the session.
  package struct Summary: Hashable, Sendable {
    /// The average saturation in percent.
    package var averageSaturation: UInt8
    /// The lowest saturation in percent.
    package var lowestSaturation: UInt8
    /// How often the saturation fell by 3 percent points or more.
    package var dropsOfThree: UInt8
    /// How often the saturation fell by 4 percent points or more.
    package var dropsOfFour: UInt8

    package init(
      averageSaturation: UInt8, lowestSaturation: UInt8, dropsOfThree: UInt8, dropsOfFour: UInt8
    ) {
      self.averageSaturation = averageSaturation
      self.lowestSaturation = lowestSaturation
      self.dropsOfThree = dropsOfThree
      self.dropsOfFour = dropsOfFour
    }
  }

  /// Byte 1: the mode that the ring was in.
  package let mode: UInt8
  /// When the session began, on the ring's clock.
  package let start: Timestamp
  /// The size of the file as the header has it.
  package let fileSize: UInt32
  /// How long the session was, in seconds.
  package let durationSeconds: UInt16
  /// What the ring computed over the session.
  package let summary: Summary
  /// The samples, oldest first.
  package let samples: [Sample]
  private let reserved: UInt16
  private let restOfHeader: [UInt8]

  /// Makes a recording with a sample each four seconds.
  package init(start: Timestamp, summary: Summary, samples: [Sample]) {
    mode = 0
    self.start = start
    self.samples = Array(samples.prefix(Int(UInt16.max) / 4))
    fileSize = UInt32(Self.headerCount + Self.sampleCount * self.samples.count)
    durationSeconds = UInt16(4 * self.samples.count)
    self.summary = summary
    reserved = 0
    restOfHeader = [UInt8](repeating: 0, count: 19)
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    guard try reader.uint8(field: "Version") == 3 else {
      throw PayloadError(
        .reservedValue, field: "Version", offset: 0,
        message: "Only version 3 is known. Keep the file on the device.")
    }
    mode = try reader.uint8(field: "Mode")
    start = try reader.timestamp(field: "Start")
    fileSize = try reader.uint32(field: "File Size")
    let durationOffset = reader.offset
    durationSeconds = try reader.uint16(field: "Duration")
    reserved = try reader.uint16(field: "Reserved")
    summary = Summary(
      averageSaturation: try reader.uint8(field: "Average SpO2"),
      lowestSaturation: try reader.uint8(field: "Lowest SpO2"),
      dropsOfThree: try reader.uint8(field: "Drops of 3 %"),
      dropsOfFour: try reader.uint8(field: "Drops of 4 %"))
    restOfHeader = try reader.bytes(19, field: "Rest of Header")
    var samples: [Sample] = []
    while reader.remainingCount > 0 { samples.append(try Sample(from: &reader)) }
    self.samples = samples
    let duration = Int(durationSeconds)
    guard samples.isEmpty || [2, 4].contains(where: { duration == $0 * samples.count }) else {
      throw PayloadError(
        .outOfRange, field: "Duration", offset: durationOffset,
        message: "It is 2 or 4 seconds a sample. A part of the file is missing: read it again.")
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append([3, mode])
    writer.timestamp(start)
    writer.uint32(fileSize)
    writer.uint16(durationSeconds)
    writer.uint16(reserved)
    writer.append([summary.averageSaturation, summary.lowestSaturation])
    writer.append([summary.dropsOfThree, summary.dropsOfFour])
    writer.append(restOfHeader)
    for sample in samples {
      writer.uint8(sample.saturationByte)
      writer.uint16(sample.pulseRateWord)
      writer.append([sample.movement, sample.reserved])
    }
  }

  private static let headerCount = 40
  private static let sampleCount = 5
}

extension ViatomRecording {
  /// How many seconds a sample stands for: 2 or 4; 0 without samples.
  package var step: Int { samples.isEmpty ? 0 : Int(durationSeconds) / samples.count }
}
