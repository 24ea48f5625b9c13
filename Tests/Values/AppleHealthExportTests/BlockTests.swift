// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import TestSupport
import Testing

@Suite struct `Blocks of a document` {
  @Test(arguments: [1, 2, 3, 7, 64, 1000, 4096, 5000])
  func `may end anywhere`(size: Int) throws {
    let whole = try Reading(SampleDocument.all)
    #expect(whole.counts.records == 5 && whole.counts.workouts == 2 && whole.problems.count == 0)
    #expect(try Reading(SampleDocument.all, blocks: size) == whole)
  }

  @Test func `may be of different sizes`() throws {
    let whole = try Reading(SampleDocument.all)
    for seed in 0..<50 {
      var random = SeededGenerator(seed: UInt64(seed))
      let reading = try Reading(Array(SampleDocument.all.utf8)) {
        Int.random(in: 1...300, using: &random)
      }
      #expect(reading == whole, "seed \(seed)")
    }
  }

  @Test func `may be two, split at any byte`() throws {
    let bytes = Array(SampleDocument.document(SampleDocument.steps + SampleDocument.pressure).utf8)
    let whole = try Reading(bytes, blocks: { .max })
    for place in 1..<bytes.count {
      var sizes = [place, bytes.count][...]
      #expect(try Reading(bytes, blocks: { sizes.removeFirst() }) == whole, "split at \(place)")
    }
  }
}

@Suite struct `Cut documents` {
  @Test func `deliver what is before the cut`() throws {
    let text = SampleDocument.document(
      SampleDocument.steps + SampleDocument.pressure + SampleDocument.newWorkout)
    let bytes = Array(text.utf8)
    let whole = try Reading(bytes, blocks: { .max })
    let first = whole.found.records.first?.sample.offset ?? 0
    for end in stride(from: first, to: bytes.count - 14, by: 1) {
      let reading = try Reading(Array(bytes[..<end]), blocks: { 100 })
      #expect(!reading.isComplete)
      #expect(reading.problems.first.map(\.kind) == [.cut], "cut at \(end)")
      #expect(whole.found.records.starts(with: reading.found.records))
      #expect(whole.found.correlations.starts(with: reading.found.correlations))
      let elements = reading.counts.records + reading.counts.correlations + reading.counts.workouts
      #expect(reading.position.elements == elements)
    }
  }

  @Test func `name the element that is cut and where it begins`() throws {
    let text = SampleDocument.document(SampleDocument.pressure)
    let whole = try Reading(text)
    let offset = try #require(whole.found.correlations.first).sample.offset
    let reading = try Reading(String(text.dropLast(60)))
    #expect(
      reading.problems.first.map(\.description)
        == ["the file is cut off: Correlation (byte \(offset))"])
    #expect(reading.counts.unread == 1)
  }
}

@Suite struct `Reading on` {
  @Test func `continues at the position of another reader`() throws {
    let bytes = Array(SampleDocument.all.utf8)
    let whole = try Reading(bytes, blocks: { .max })
    var positions: Set<ExportPosition> = []
    for end in stride(from: 0, through: bytes.count, by: 50) {
      var reader = HealthExportReader(handler: Collector())
      try reader.feed(Array(bytes[..<end]))
      let position = reader.position
      positions.insert(position)
      let rest = try Reading(Array(bytes[position.offset...]), at: position, blocks: { 77 })
      #expect(reader.handler.types + rest.found.types == whole.found.types)
      #expect(reader.handler.headers.count + rest.found.headers.count == 1)
      #expect(rest.position == whole.position && rest.isComplete)
      #expect(
        rest.found.records.map(\.sample.offset)
          == whole.found.records.suffix(rest.found.records.count).map(\.sample.offset))
    }
    // Every element that the document has at its top level, and the beginning.
    #expect(positions.count == whole.position.elements + 1)
  }

  @Test func `counts what another reader has counted, and nothing twice`() throws {
    for seed in 0..<1000 {
      var random = SeededGenerator(seed: UInt64(seed))
      var bytes = Array(SampleDocument.all.utf8)
      if seed > 0 { bytes = mutate(bytes, &random) }
      let whole = Result { () throws(HealthExportError) in try Reading(bytes, blocks: { .max }) }
      guard case .success(let whole) = whole else { continue }
      var reader = HealthExportReader(handler: Collector())
      try reader.feed(Array(bytes[..<Int.random(in: 0...bytes.count, using: &random)]))
      let rest = try Reading(
        Array(bytes[reader.position.offset...]), at: reader.position, after: reader.findings,
        blocks: { 77 })
      #expect(rest.counts == whole.counts, "seed \(seed)")
      #expect(rest.problems == whole.problems, "seed \(seed)")
    }
  }
}

/// Changes, removes, repeats or inserts some bytes.
private func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
    case 3: bytes[place] = Array("<>\"'/&!?-=".utf8).randomElement(using: &random) ?? 0
    default: bytes.removeLast(bytes.count - place)
    }
  }
  return bytes
}

@Suite struct `Damaged documents` {
  @Test func `never stop the program and read alike in all blocks`() throws {
    let whole = Array(SampleDocument.all.utf8)
    for seed in 0..<3000 {
      var random = SeededGenerator(seed: UInt64(seed))
      let bytes = mutate(whole, &random)
      let all = Result { () throws(HealthExportError) in try Reading(bytes, blocks: { .max }) }
      let parts = Result { () throws(HealthExportError) in
        try Reading(bytes) { Int.random(in: 1...200, using: &random) }
      }
      #expect(all == parts, "seed \(seed)")
      guard case .success(let reading) = all else { continue }
      #expect(reading.position.offset <= bytes.count)
      #expect(reading.isComplete || reading.problems.counts[.cut] == 1, "seed \(seed)")
    }
  }

  @Test func `lose only what is near the damage`() throws {
    // One damaged byte costs at most its neighbours. Not so a bracket that ends a name early: an
    // open element that is not known is skipped with its content.
    let content = String(repeating: SampleDocument.steps, count: 60)
    let whole = Array(SampleDocument.document(content).utf8)
    let begin = try #require(try Reading(whole, blocks: { .max }).found.records.first).sample.offset
    for seed in 0..<2000 {
      var random = SeededGenerator(seed: UInt64(seed))
      var bytes = whole
      let place = Int.random(in: begin..<bytes.count - 15, using: &random)
      bytes[place] = Array("<\"'/& x9".utf8).randomElement(using: &random) ?? 0
      let reading = try Reading(bytes, blocks: { .max })
      #expect(reading.counts.records >= 57, "seed \(seed)")
    }
  }

  @Test func `of noise alone are refused or empty`() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let bytes = Array("<HealthData>".utf8) + random.bytes(0...2000)
      let reading = try Reading(bytes) { Int.random(in: 1...50, using: &random) }
      #expect(reading.found.records.isEmpty)
    }
  }
}
