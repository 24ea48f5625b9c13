// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

/// A field as the specification's table has it.
private struct TableRow {
  let field: String
  let length: Int

  init(_ field: String, _ length: Int) {
    self.field = field
    self.length = length
  }
}

/// The tables of the characteristics that have a fixed length.
private let fixedLayouts: [String: [TableRow]] = [
  "2A08": [TableRow("Date Time", 7)],
  "2A0F": [TableRow("Time Zone", 1), TableRow("DST Offset", 1)],
  "2A14": [
    TableRow("Time Source", 1), TableRow("Time Accuracy", 1), TableRow("Days Since Update", 1),
    TableRow("Hours Since Update", 1),
  ],
  "2A19": [TableRow("Battery Level", 1)],
  "2A23": [TableRow("System ID", 8)],
  "2A2B": [
    TableRow("Date Time", 7), TableRow("Day of Week", 1), TableRow("Fractions256", 1),
    TableRow("Adjust Reason", 1),
  ],
  "2A50": [
    TableRow("Vendor ID Source", 1), TableRow("Vendor ID", 2), TableRow("Product ID", 2),
    TableRow("Product Version", 2),
  ],
  "SFLOAT": [TableRow("SFLOAT", 2)],
  "FLOAT": [TableRow("FLOAT", 4)],
]

/// A sound value of each characteristic that has a fixed length.
private let fixedPayloads: [String: String] = [
  "2A08": "E807021D173B3B",
  "2A0F": "0804",
  "2A14": "0208010C",
  "2A19": "4B",
  "2A23": "AABBCCDDEE112233",
  "2A2B": "E807021D173B3B04FF03",
  "2A50": "02341278560001",
  "SFLOAT": "7800",
  "FLOAT": "2D1E00FE",
]

/// The table of Blood Pressure Measurement for given flags.
private func bloodPressureLayout(_ flags: Int, _ pressures: [String]) -> [TableRow] {
  var rows = [TableRow("Flags", 1)] + pressures.map { TableRow($0, 2) }
  if flags & 0b00010 != 0 { rows.append(TableRow("Time Stamp", 7)) }
  if flags & 0b00100 != 0 { rows.append(TableRow("Pulse Rate", 2)) }
  if flags & 0b01000 != 0 { rows.append(TableRow("User ID", 1)) }
  if flags & 0b10000 != 0 { rows.append(TableRow("Measurement Status", 2)) }
  return rows
}

/// Cuts the payload at every length and expects the first row that does not fit, at its start.
private func expectTruncation(
  of payload: [UInt8], as characteristic: String, layout: [TableRow]
) throws {
  try #require(payload.count == layout.map(\.length).reduce(0, +))
  for length in 0..<payload.count {
    var start = 0
    let missing = try #require(
      layout.first { row in
        guard start + row.length <= length else { return true }
        start += row.length
        return false
      })

    let error = try refusal(of: Array(payload[..<length]), as: characteristic)

    #expect(error.code == .truncated, "\(length) bytes")
    #expect(error.field == missing.field, "\(length) bytes")
    #expect(error.offset == start, "\(length) bytes")
  }
}

@Suite struct `Truncated payloads` {
  @Test(arguments: fixedPayloads.keys.sorted())
  func `of a fixed length name the field that is cut`(characteristic: String) throws {
    let payload = try bytes(try #require(fixedPayloads[characteristic]))
    let layout = try #require(fixedLayouts[characteristic])

    try expectTruncation(of: payload, as: characteristic, layout: layout)
  }

  @Test(arguments: 0...0b11111)
  func `of a blood pressure measurement name the field that is cut`(flags: Int) throws {
    try expectTruncation(
      of: try BloodPressureFrame(flags: flags).bytes, as: "2A35",
      layout: bloodPressureLayout(flags, ["Systolic", "Diastolic", "Mean Arterial Pressure"]))
  }

  @Test(arguments: 0...0b11111)
  func `of a cuff pressure name the field that is cut`(flags: Int) throws {
    try expectTruncation(
      of: try BloodPressureFrame(flags: flags).bytes, as: "2A36",
      layout: bloodPressureLayout(
        flags,
        [
          "Current Cuff Pressure", "Diastolic - Unused", "Mean Arterial Pressure - Unused",
        ]))
  }

  @Test func `of the blood pressure features name the field`() throws {
    try expectTruncation(
      of: [0x04, 0x00], as: "2A49", layout: [TableRow("Blood Pressure Feature", 2)])
  }

  @Test(arguments: Vector.valid.filter { $0.char == "2A35" || $0.char == "2A36" })
  func `of captured frames are refused at every length`(vector: Vector) throws {
    let payload = try bytes(vector.hex)
    for length in 0..<payload.count {
      let error = try refusal(of: Array(payload[..<length]), as: vector.char)
      #expect(error.code == .truncated)
    }
  }
}

@Suite struct `Payloads that are too long` {
  @Test(arguments: fixedPayloads.keys.sorted())
  func `are refused where the length is fixed`(characteristic: String) throws {
    let payload = try bytes(try #require(fixedPayloads[characteristic]))

    let error = try refusal(of: payload + [0x00], as: characteristic)

    #expect(error.code == .trailingBytes)
    #expect(error.offset == payload.count)
  }

  @Test(arguments: ["2A35", "2A36", "2A49"])
  func `keep and report what follows where flags set the length`(characteristic: String) throws {
    let frame =
      characteristic == "2A49" ? [0x04, 0x00] : try BloodPressureFrame(flags: 0x1E).bytes
    let codec = try #require(CharacteristicCodec.codec(for: characteristic))

    let value = try codec.value(frame + [0xAB, 0xCD])

    #expect(value.trailingBytes == [0xAB, 0xCD])
    let written = try #require(value as? any CharacteristicValue).payload
    #expect(written == frame + [0xAB, 0xCD])
  }
}
