// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import SyntheticHealthExport

/// A record found in a document.
struct FoundRecord: Hashable {
  var type = ""
  var source = ""
  var device = ""
  var value: String?
  var start = 0
  var end = 0

  /// 0 for a watch, 1 for a phone, 2 for anything else.
  var rank = 2
}

/// Counts what is in a document, line by line: each element of an export stands on its own line.
struct ExportScan {
  var elements: [String: Int] = [:]
  /// At top level, by type.
  var records: [String: [FoundRecord]] = [:]

  static func write(
    _ options: SyntheticHealthExport.Options
  ) throws -> (SyntheticHealthExport.Truth, [UInt8]) {
    let collected = Collected()
    let truth = try SyntheticHealthExport(options).writeDocument { collected.bytes += $0 }
    return (truth, collected.bytes)
  }

  init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let tag = line.drop { $0 == UInt8(ascii: " ") }
      guard tag.first == UInt8(ascii: "<") else { continue }
      let name = String(decoding: tag.dropFirst().prefix(while: Self.isLetter), as: UTF8.self)
      guard !name.isEmpty else { continue }
      elements[name, default: 0] += 1
      if name == "Record", tag.startIndex == line.startIndex + 1 {
        let record = Self.record(tag)
        records[record.type, default: []].append(record)
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "z")).contains(byte)
  }

  private static func record(_ tag: ArraySlice<UInt8>) -> FoundRecord {
    // Values stand between quotation marks, names before them.
    let parts = tag.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    var record = FoundRecord()
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      let value = String(decoding: parts[index + 1], as: UTF8.self)
      switch String(decoding: parts[index].suffix(6), as: UTF8.self) {
      case " type=": record.type = value
      case "eName=": record.source = value
      case "evice=":
        record.device = value
        record.rank =
          value.contains("hardware:Watch") ? 0 : value.contains("hardware:iPhone") ? 1 : 2
      case "value=": record.value = value
      case "tDate=": record.start = instant(value)
      case "dDate=": record.end = instant(value)
      default: break
      }
    }
    return record
  }

  /// The instant of `2025-11-15 09:15:42 -0500`.
  static func instant(_ text: String) -> Int {
    let parts = text.utf8.split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.count == 3, let local = LocalDateTime("\(parts[0])T\(parts[1])")?.secondsSince1970,
      let offset = Int(parts[2])
    else { return 0 }
    return local - (offset / 100 * 3600 + offset % 100 * 60)
  }
}

private final class Collected {
  var bytes: [UInt8] = []
}
