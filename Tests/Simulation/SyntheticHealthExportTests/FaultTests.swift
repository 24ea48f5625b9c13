// SPDX-License-Identifier: Apache-2.0

import SyntheticHealthExport
import Testing

private typealias Options = SyntheticHealthExport.Options

@Suite struct `The faults of a synthetic export` {
  private func write(
    _ change: (inout Options) -> Void
  ) throws -> (truth: SyntheticHealthExport.Truth, bytes: [UInt8]) {
    var options = Options(size: .days(7))
    change(&options)
    return try ExportScan.write(options)
  }

  private func line(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset...].prefix(2000), as: UTF8.self)
  }

  @Test func `include a vertical tab`() throws {
    let (truth, bytes) = try write { $0.faults.controlCharacter = true }
    let faults = truth.faults.filter { $0.kind == .controlCharacter }
    #expect(!faults.isEmpty)
    #expect(faults.reduce(0) { $0 + $1.count } == bytes.count { $0 == 0x0b })
    for fault in faults {
      let text = line(bytes, fault.offset)
      #expect(text.hasPrefix(" <Record ") || text.hasPrefix(" <Correlation "))
      #expect(text.contains("\u{0b}"))
    }
  }

  @Test func `include an attribute that occurs twice`() throws {
    let (truth, bytes) = try write {
      $0.faults.duplicateAttribute = true
      $0.size = .days(40)
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
      .filter { $0.starts(with: "  <WorkoutStatistics ".utf8) }
    let doubled = lines.count {
      String(decoding: $0, as: UTF8.self).split(separator: " startDate=").count == 3
    }
    #expect(doubled > 0)
    #expect(truth.faults.count == doubled)
    for fault in truth.faults {
      #expect(fault.kind == .duplicateAttribute)
      #expect(line(bytes, fault.offset).hasPrefix("  <WorkoutStatistics "))
    }
  }

  @Test func `include exact copies, which change no day`() throws {
    let (clean, _) = try write { _ in }
    let (truth, bytes) = try write { $0.faults.duplicateRecords = 0.02 }
    let copies = truth.types.reduce(0) { $0 + $1.count - $1.distinct }
    #expect((100...700).contains(copies))
    #expect(truth.faults.map(\.count) == [copies])
    #expect(truth.grids == clean.grids)
    #expect(truth.types.map(\.distinct) == clean.types.map(\.distinct))
    #expect(ExportScan(bytes).records.values.reduce(0) { $0 + $1.count } == truth.topLevelRecords)
  }

  @Test func `include an end in the middle of an element`() throws {
    let (whole, complete) = try write { _ in }
    for cut in [0.05, 0.5, 0.97] {
      let (truth, bytes) = try write { $0.faults.cut = cut }
      #expect(complete.starts(with: bytes))
      #expect(abs(Double(bytes.count) - cut * Double(complete.count)) < 200_000)
      let fault = try #require(truth.faults.first)
      #expect(fault.kind == .cut)
      let rest = line(bytes, fault.offset)
      #expect(rest.hasPrefix(" <") && !rest.hasSuffix(">\n"))

      let scan = ExportScan(Array(bytes[..<fault.offset]))
      #expect(truth.topLevelRecords == scan.records.values.reduce(0) { $0 + $1.count })
      #expect(truth.elements == scan.elements)
      #expect(truth.topLevelRecords <= whole.topLevelRecords)
    }
  }

  @Test func `include the declaration of version 12`() throws {
    let (truth, bytes) = try write { $0.version = .version12 }
    let text = line(bytes, 0)
    #expect(truth.faults.map(\.kind) == [.malformedDeclaration])
    #expect(text.contains("HealthKit Export Version: 12"))
    let document = String(decoding: bytes.prefix(12_000), as: UTF8.self)
    let open = try #require(document.firstRange(of: "<!ATTLIST VisionPrescription"))
    let after = document[open.upperBound...]
    let close = try #require(after.firstIndex(of: ">"))
    let nested = try #require(after.firstRange(of: "<!ELEMENT RightEye"))
    #expect(nested.lowerBound < close)
    #expect(document.contains(">\n>\n]>\n<HealthData "))
  }
}
