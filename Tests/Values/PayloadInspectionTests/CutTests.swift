// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

/// One row of a specification's table: the name of a field, the bit that announces it, and its
/// bytes in the frame that a test builds.
private struct Row {
  let field: String
  let bit: Int?
  let bytes: String

  init(_ field: String, _ bytes: String, bit: Int? = nil) {
    self.field = field
    self.bit = bit
    self.bytes = bytes
  }
}

/// A characteristic whose length follows from its flags.
private struct FlaggedLayout: CustomTestStringConvertible {
  let characteristic: String
  let flagsField: String
  let flagsByteCount: Int
  let rows: [Row]

  var testDescription: String { characteristic }

  /// Every combination of the bits that announce a field.
  var combinations: [Int] {
    let bits = Set(rows.compactMap(\.bit)).sorted()
    return (0..<1 << bits.count).map { choice in
      bits.enumerated().reduce(0) { $0 | (choice >> $1.offset & 1) << $1.element }
    }
  }

  /// The fields of a frame with these flags: their names and their bytes.
  func fields(flags: Int) throws -> [(name: String, bytes: [UInt8])] {
    let flagsBytes = (0..<flagsByteCount).map { UInt8(flags >> (8 * $0) & 0xFF) }
    return [(flagsField, flagsBytes)]
      + (try rows.filter { $0.bit.map { flags >> $0 & 1 != 0 } ?? true }.map {
        ($0.field, try TestSupport.bytes($0.bytes))
      })
  }
}

private let timestamp = "EA07 05 04 07 1E 0F"

private let layouts = [
  FlaggedLayout(
    characteristic: "2A5E", flagsField: "Flags", flagsByteCount: 1,
    rows: [
      Row("SpO2PR-Spot-Check - SpO2", "6100"), Row("SpO2PR-Spot-Check - PR", "4800"),
      Row("Time Stamp", timestamp, bit: 0), Row("Measurement Status", "8001", bit: 1),
      Row("Device and Sensor Status", "200001", bit: 2),
      Row("Pulse Amplitude Index", "22F0", bit: 3),
    ]),
  FlaggedLayout(
    characteristic: "2A5F", flagsField: "Flags", flagsByteCount: 1,
    rows: [
      Row("SpO2PR-Normal - SpO2", "6100"), Row("SpO2PR-Normal - PR", "4800"),
      Row("SpO2PR-Fast - SpO2", "6000", bit: 0), Row("SpO2PR-Fast - PR", "4900", bit: 0),
      Row("SpO2PR-Slow - SpO2", "6200", bit: 1), Row("SpO2PR-Slow - PR", "4700", bit: 1),
      Row("Measurement Status", "2001", bit: 2),
      Row("Device and Sensor Status", "200001", bit: 3),
      Row("Pulse Amplitude Index", "22F0", bit: 4),
    ]),
  FlaggedLayout(
    characteristic: "2A60", flagsField: "Supported Features", flagsByteCount: 2,
    rows: [
      Row("Measurement Status Support", "E0FF", bit: 0),
      Row("Device and Sensor Status Support", "FFFF00", bit: 1),
    ]),
  FlaggedLayout(
    characteristic: "2A1C", flagsField: "Flags", flagsByteCount: 1,
    rows: [
      Row("Temperature Measurement Value", "730100FF"), Row("Time Stamp", timestamp, bit: 1),
      Row("Temperature Type", "02", bit: 2),
    ]),
  FlaggedLayout(
    characteristic: "2A1E", flagsField: "Flags", flagsByteCount: 1,
    rows: [
      Row("Temperature Measurement Value", "730100FF"), Row("Time Stamp", timestamp, bit: 1),
      Row("Temperature Type", "02", bit: 2),
    ]),
  FlaggedLayout(
    characteristic: "2A9D", flagsField: "Flags", flagsByteCount: 1,
    rows: [
      Row("Weight", "783E"), Row("Time Stamp", timestamp, bit: 1), Row("User ID", "01", bit: 2),
      Row("BMI", "EE00", bit: 3), Row("Height", "2607", bit: 3),
    ]),
  FlaggedLayout(
    characteristic: "2A9C", flagsField: "Flags", flagsByteCount: 2,
    rows: [
      Row("Body Fat Percentage", "C500"), Row("Time Stamp", timestamp, bit: 1),
      Row("User ID", "01", bit: 2), Row("Basal Metabolism", "A01B", bit: 3),
      Row("Muscle Percentage", "7C01", bit: 4), Row("Muscle Mass", "1127", bit: 5),
      Row("Fat Free Mass", "2227", bit: 6), Row("Soft Lean Mass", "3C2F", bit: 7),
      Row("Body Water Mass", "7420", bit: 8), Row("Impedance", "5212", bit: 9),
      Row("Weight", "B036", bit: 10), Row("Height", "D606", bit: 11),
    ]),
  FlaggedLayout(
    characteristic: "2A37", flagsField: "Flags", flagsByteCount: 1,
    rows: [
      Row("Heart Rate Measurement Value", "3A"), Row("Energy Expended", "3201", bit: 3),
      Row("RR-Interval", "0A04", bit: 4),
    ]),
]

/// Frames whose fields do not depend on flags.
private let plainFrames: [(characteristic: String, rows: [Row])] = [
  ("2A1D", [Row("Temperature Type", "06")]),
  ("2A21", [Row("Measurement Interval", "100E")]),
  ("2A9B", [Row("Body Composition Feature", "559D0100")]),
  ("2A9E", [Row("Weight Scale Feature", "B7000000")]),
  ("2A38", [Row("Body Sensor Location", "01")]),
  ("2A39", [Row("Heart Rate Control Point", "01")]),
  ("2A80", [Row("Age", "2A")]),
  ("2A85", [Row("Year", "C307"), Row("Month", "07"), Row("Day", "04")]),
  ("2A8C", [Row("Gender", "01")]),
  ("2A8E", [Row("Height", "AF00")]),
  ("2A98", [Row("Weight", "983A")]),
  ("2A99", [Row("Database Change Increment", "01000000")]),
]

/// Requests and an answer of the User Control Point.
private let controlPointFrames: [[Row]] = [
  [Row("Op Code", "01"), Row("Consent Code", "D204")],
  [Row("Op Code", "02"), Row("User Index", "01"), Row("Consent Code", "D204")],
  [Row("Op Code", "05"), Row("User Index", "01")],
  [
    Row("Op Code", "20"), Row("Request Op Code", "01"), Row("Response Value", "01"),
    Row("User Index", "02"),
  ],
]

/// Cuts a frame at every length; the error must name the first field that does not fit.
private func expectCuts(
  of fields: [(name: String, bytes: [UInt8])], as characteristic: String,
  mayEndAt complete: Set<Int> = []
) throws {
  let frame = fields.flatMap(\.bytes)
  for length in 0..<frame.count where !complete.contains(length) {
    var start = 0
    let missing = try #require(
      fields.first { field in
        guard start + field.bytes.count <= length else { return true }
        start += field.bytes.count
        return false
      })

    let error = try refusal(of: Array(frame[..<length]), as: characteristic)

    #expect(error.code == .truncated, "\(length) bytes")
    #expect(error.field == missing.name, "\(length) bytes")
    #expect(error.offset == start, "\(length) bytes")
  }
}

@Suite struct `Cut payloads` {
  @Test(arguments: layouts)
  private func `name the field that is cut for all flags`(layout: FlaggedLayout) throws {
    for flags in layout.combinations {
      let fields = try layout.fields(flags: flags)
      let length = fields.map(\.bytes.count).reduce(0, +)
      // A list of intervals may be empty although the flag is set.
      let complete: Set<Int> = fields.last?.name == "RR-Interval" ? [length - 2] : []

      try expectCuts(of: fields, as: layout.characteristic, mayEndAt: complete)
    }
  }

  @Test(arguments: layouts)
  private func `are whole when nothing is cut, and return to their bytes`(
    layout: FlaggedLayout
  ) throws {
    let codec = try #require(CharacteristicCodec.codec(for: layout.characteristic))
    for flags in layout.combinations {
      let frame = try layout.fields(flags: flags).flatMap(\.bytes)

      let value = try codec.value(frame)

      #expect((value as? any CharacteristicValue)?.payload == frame)
      #expect(value.trailingBytes.isEmpty)
    }
  }

  @Test(arguments: plainFrames.indices)
  func `of a fixed length name the field, and may not be longer`(index: Int) throws {
    let (characteristic, rows) = plainFrames[index]
    let fields = try rows.map { ($0.field, try bytes($0.bytes)) }
    let frame = fields.flatMap(\.1)

    try expectCuts(of: fields, as: characteristic)
    let error = try refusal(of: frame + [0x00], as: characteristic)

    #expect(error.code == .trailingBytes)
    #expect(error.offset == frame.count)
  }

  @Test(arguments: controlPointFrames.indices)
  func `of the user control point name the field`(index: Int) throws {
    let fields = try controlPointFrames[index].map { ($0.field, try bytes($0.bytes)) }

    try expectCuts(of: fields, as: "2A9F")
  }

  @Test(arguments: ["2A5E", "2A5F", "2A60", "2A1C", "2A1E", "2A9D", "2A9C"])
  func `keep and report what follows the last field`(characteristic: String) throws {
    let layout = try #require(layouts.first { $0.characteristic == characteristic })
    let frame = try layout.fields(flags: layout.combinations.last ?? 0).flatMap(\.bytes)
    let codec = try #require(CharacteristicCodec.codec(for: characteristic))

    let value = try codec.value(frame + [0xAB, 0xCD])

    #expect(value.trailingBytes == [0xAB, 0xCD])
    #expect((value as? any CharacteristicValue)?.payload == frame + [0xAB, 0xCD])
  }
}
