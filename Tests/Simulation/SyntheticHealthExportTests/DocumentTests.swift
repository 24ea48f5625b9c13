// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyntheticHealthExport
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

private typealias Options = SyntheticHealthExport.Options

@Suite struct `A synthetic export` {
  @Test func `is the same for the same options`() throws {
    let (truth, bytes) = try ExportScan.write(Options(size: .days(3), seed: 9))
    let (other, repeated) = try ExportScan.write(Options(size: .days(3), seed: 9))
    #expect(bytes == repeated)
    #expect(truth == other)
    #expect(truth.json == other.json)
    #expect(try ExportScan.write(Options(size: .days(3), seed: 10)).1 != bytes)
  }

  @Test func `keeps a day's figures in a longer history`() throws {
    let short = try ExportScan.write(Options(size: .days(4), seed: 9)).0.grids[0].days
    let long = try ExportScan.write(Options(size: .days(9), seed: 9)).0.grids[0].days
    #expect(short.suffix(3) == long.suffix(3))
  }

  @Test func `has the size that was asked for`() throws {
    for bytes in [500_000, 1_300_000, 8_000_000, 25_000_000] {
      let size = try ExportScan.write(Options(size: .bytes(bytes))).0.documentBytes
      #expect(abs(size - bytes) * 20 < bytes, "\(bytes): \(size)")
    }
  }

  @Test func `has the shape of a real one`() throws {
    let truth = try ExportScan.write(Options(size: .days(30))).0
    #expect((1400...1650).contains(truth.topLevelRecords / truth.dayCount))
    #expect((400...450).contains(truth.documentBytes / truth.topLevelRecords))
    #expect(truth.types.count >= 45)
    #expect(
      Set(truth.workouts.map(\.form.rawValue)) == ["attributes", "statistics", "durationOnly"])
    #expect(truth.workouts.contains { $0.hasPause && $0.durationSeconds < $0.end - $0.start })
    #expect(!truth.bloodPressures.isEmpty && truth.faults.isEmpty)
  }

  @Test func `repeats the records of correlations at top level`() throws {
    let (truth, bytes) = try ExportScan.write(Options(size: .days(5)))
    let lines = Set(bytes.split(separator: UInt8(ascii: "\n")))
    let nested = lines.filter { $0.starts(with: "  <Record ".utf8) }
    #expect(truth.elements["Record"] ?? 0 > truth.topLevelRecords)
    #expect(nested.count > 50)
    #expect(nested.allSatisfy { lines.contains($0.dropFirst()) })
  }

  @Test func `is XML that a parser reads to its end`() throws {
    // With a declaration, the parser of Swift 6.3 on Linux ends with a fault of its own.
    var options = Options(size: .days(3))
    options.version = .undeclared
    let (truth, bytes) = try ExportScan.write(options)
    let counter = ElementCounter()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = counter
    #expect(parser.parse())
    #expect(counter.elements == truth.elements)
    #expect(counter.sources.contains("Sam’s Apple\u{a0}Watch"))
    #expect(counter.sources.contains("Meal Log"))
    #expect(counter.units.contains("mmol<180.1558800000541>/L"))
  }

  @Test func `gives dates one offset, or that of the place and time`() throws {
    var options = Options(size: .days(20), seed: 4)
    options.abroad = .init(
      timeZone: "Asia/Kolkata", first: .init(daysSince1970: 20_395),
      last: .init(daysSince1970: 20_399))
    func offsets() throws -> Set<String> {
      let parts = try ExportScan.write(options).1.split(separator: UInt8(ascii: "\""))
      let dates = zip(parts, parts.dropFirst()).filter { $0.0.elementsEqual(" startDate=".utf8) }
      return Set(dates.map { String(decoding: $0.1.suffix(5), as: UTF8.self) })
    }
    #expect(try offsets() == ["-0500"])
    options.offsets = .atCapture
    #expect(try offsets() == ["-0400", "+0530", "-0500"])
  }

  @Test func `writes the folder that a phone exports`() throws {
    let folder = try TemporaryFolder()
    var options = Options(size: .days(30))
    options.documentName = "导出.xml"
    let truth = try SyntheticHealthExport(options).write(to: folder.url.path)

    let export = folder.url.appendingPathComponent("apple_health_export")
    let document = try Data(contentsOf: export.appendingPathComponent("导出.xml"))
    #expect(document.count == truth.documentBytes)
    let routes = truth.workouts.compactMap(\.route)
    #expect(!routes.isEmpty)
    for route in routes {
      let gpx = try String(contentsOf: export.appendingPathComponent(route), encoding: .utf8)
      #expect(gpx.contains("<trkpt "))
    }
    let tables = try FileManager.default.contentsOfDirectory(
      atPath: export.appendingPathComponent("electrocardiograms").path)
    #expect(tables.count == 2)
    let json = try Data(contentsOf: folder.url.appendingPathComponent("truth.json"))
    #expect(Array(json) == truth.json)
    #expect(try JSONSerialization.jsonObject(with: json) is [String: Any])
  }

  @Test func `refuses options that cannot be`() {
    var rate = Options()
    rate.faults.duplicateRecords = 0.6
    var cut = Options()
    cut.faults.cut = 1.5
    var name = Options()
    name.documentName = "../export.xml"
    var zone = Options()
    zone.timeZone = "Europe/Atlantis"
    var stay = Options()
    stay.abroad = .init(
      timeZone: "Europe/Berlin", first: .init(daysSince1970: 0), last: .init(daysSince1970: 3))
    let refused = [
      rate, cut, name, zone, stay, Options(size: .days(0)), Options(size: .bytes(1000)),
    ]
    for options in refused {
      let error = #expect(throws: SyntheticHealthExportError.self) {
        try SyntheticHealthExport(options)
      }
      #expect(error?.code == .invalidOption)
    }
  }

  @Test func `says which file it cannot write`() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.path("taken")))
    let error = #expect(throws: SyntheticHealthExportError.self) {
      try SyntheticHealthExport(Options(size: .days(1))).write(to: folder.path("taken"))
    }
    #expect(error?.code == .unwritable)
    #expect(error?.message.contains("taken/apple_health_export/export.xml") == true)
  }
}

private final class ElementCounter: NSObject, XMLParserDelegate {
  var elements: [String: Int] = [:]
  var sources: Set<String> = []
  var units: Set<String> = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements[name, default: 0] += 1
    if let source = attributes["sourceName"] { sources.insert(source) }
    if let unit = attributes["unit"] { units.insert(unit) }
  }
}
