// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import SyntheticHealthExport
import Testing

/// A record found in a document.
struct FoundRecord: Hashable {
  var type = ""
  var source = ""
  var device = ""
  var value: String?
  var start = 0
  var end = 0

  /// 0 for a watch, 1 for a phone, 2 for anything else.
  var rank: Int {
    device.contains("hardware:Watch") ? 0 : device.contains("hardware:iPhone") ? 1 : 2
  }
}

/// Counts what is in a document, line by line: each element of an export stands on its own line.
struct ExportScan {
  var elements: [String: Int] = [:]
  /// At top level, by type.
  var records: [String: [FoundRecord]] = [:]
  var bytes: [UInt8] = []

  init(_ options: SyntheticHealthExport.Options) throws {
    let (truth, bytes) = try Self.write(options)
    self = Self(bytes)
    #expect(truth.documentBytes == bytes.count)
  }

  static func write(
    _ options: SyntheticHealthExport.Options
  ) throws -> (SyntheticHealthExport.Truth, [UInt8]) {
    let collected = Collected()
    let truth = try SyntheticHealthExport(options).writeDocument { collected.bytes += $0 }
    return (truth, collected.bytes)
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      let depth = text.prefix { $0 == " " }.count
      guard text.dropFirst(depth).first == "<", let second = text.dropFirst(depth + 1).first,
        second.isLetter
      else { continue }
      let name = String(text.dropFirst(depth + 1).prefix(while: \.isLetter))
      elements[name, default: 0] += 1
      if name == "Record", depth == 1 {
        let record = Self.record(text)
        records[record.type, default: []].append(record)
      }
    }
  }

  private static func record(_ line: String) -> FoundRecord {
    // Values stand between quotation marks, names before them.
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    var record = FoundRecord()
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      let value = String(parts[index + 1])
      switch parts[index].split(separator: " ").last {
      case "type=": record.type = value
      case "sourceName=": record.source = value
      case "device=": record.device = value
      case "value=": record.value = value
      case "startDate=": record.start = instant(value)
      case "endDate=": record.end = instant(value)
      default: break
      }
    }
    return record
  }

  /// The instant of `2025-11-15 09:15:42 -0500`.
  static func instant(_ text: String) -> Int {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let local = LocalDateTime("\(parts[0])T\(parts[1])")?.secondsSince1970,
      let offset = Int(parts[2])
    else { return 0 }
    return local - (offset / 100 * 3600 + offset % 100 * 60)
  }
}

private final class Collected {
  var bytes: [UInt8] = []
}
