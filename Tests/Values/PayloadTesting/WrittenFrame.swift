// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

import HealthGATT

/// A payload written out for a combination of flags, with the fields it is made of.
package struct WrittenFrame {
  package private(set) var bytes: [UInt8]
  package private(set) var fields: [(name: String, start: Int)]

  package init(_ name: String, _ hexadecimal: String) throws {
    bytes = []
    fields = []
    try append(name, hexadecimal)
  }

  package mutating func append(_ name: String, _ hexadecimal: String) throws {
    fields.append((name, bytes.count))
    bytes += try TestSupport.bytes(hexadecimal)
  }

  /// Cuts the frame at every length and expects the field that does not fit, at its start.
  package func expectTruncation(as characteristic: String) throws {
    for length in 0..<bytes.count {
      let error = try refusal(of: Array(bytes[..<length]), as: characteristic)
      let cut = try #require(fields.last { $0.start <= length })

      #expect(error.code == .truncated, "\(length) bytes")
      #expect(error.field == cut.name, "\(length) bytes")
      #expect(error.offset == cut.start, "\(length) bytes")
    }
  }

  /// A frame of 2A18.
  package static func glucoseMeasurement(flags: Int) throws -> WrittenFrame {
    var frame = try WrittenFrame("Flags", String(flags >> 4, radix: 16) + hexDigit(flags))
    try frame.append("Sequence Number", "0700")
    try frame.append("Base Time", "EA07 03 01 00 0A 00")
    if flags & 1 != 0 { try frame.append("Time Offset", "30FD") }
    if flags & 2 != 0 {
      try frame.append("Glucose Concentration", "62B0")
      try frame.append("Type-Sample Location", "2A")
    }
    if flags & 8 != 0 { try frame.append("Sensor Status Annunciation", "0108") }
    return frame
  }

  /// A frame of 2A34.
  package static func glucoseContext(flags: Int) throws -> WrittenFrame {
    var frame = try WrittenFrame("Flags", String(flags >> 4, radix: 16) + hexDigit(flags))
    try frame.append("Sequence Number", "1E00")
    if flags & 0x80 != 0 { try frame.append("Extended Flags", "5A") }
    if flags & 0x01 != 0 {
      try frame.append("Carbohydrate ID", "04")
      try frame.append("Carbohydrate", "3CD0")
    }
    if flags & 0x02 != 0 { try frame.append("Meal", "03") }
    if flags & 0x04 != 0 { try frame.append("Tester-Health", "42") }
    if flags & 0x08 != 0 {
      try frame.append("Exercise Duration", "8403")
      try frame.append("Exercise Intensity", "50")
    }
    if flags & 0x10 != 0 {
      try frame.append("Medication ID", "01")
      try frame.append("Medication", "0AA0")
    }
    if flags & 0x40 != 0 { try frame.append("HbA1c", "3FF0") }
    return frame
  }

  /// A frame of 2AA7 with one record; its check is not that of its bytes.
  package static func cgmMeasurement(flags: Int, hasCRC: Bool) throws -> WrittenFrame {
    let optional = [
      (0x80, "Sensor Status Annunciation - Status", "02"),
      (0x40, "Sensor Status Annunciation - Cal/Temp", "14"),
      (0x20, "Sensor Status Annunciation - Warning", "C0"),
      (0x01, "CGM Trend Information", "02F0"), (0x02, "CGM Quality", "E5F3"),
    ].filter { flags & $0.0 != 0 }
    let size = optional.reduce(hasCRC ? 8 : 6) { $0 + $1.2.count / 2 }
    var frame = try WrittenFrame("Size", "0" + hexDigit(size))
    try frame.append("Flags", String(flags >> 4, radix: 16) + hexDigit(flags))
    try frame.append("CGM Glucose Concentration", "7800")
    try frame.append("Time Offset", "1E00")
    for (_, name, bytes) in optional { try frame.append(name, bytes) }
    if hasCRC { try frame.append("E2E-CRC", "0000") }
    return frame
  }

  private static func hexDigit(_ number: Int) -> String { String(number & 0xF, radix: 16) }
}
