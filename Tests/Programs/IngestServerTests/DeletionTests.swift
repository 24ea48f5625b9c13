// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite
import TestSupport
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Deleted content` {
  private let folder: TemporaryFolder
  private let store: SQLiteRecordStore
  private let alice: Account

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteRecordStore(path: folder.storage)
    alice = try store.makeUser()
  }

  private static func record(_ logID: String, _ note: String) -> IncomingRecord {
    let body = reading(logID, more: #","user_notes":[{"type":"message","value":"\#(note)"}]"#)
    guard case .record(let record) = BatchItem(Array(body.utf8), line: nil) else {
      return IncomingRecord(logID: logID, digest: [], bytes: [])
    }
    return record
  }

  private func put(_ record: IncomingRecord) -> Change {
    Change(.put(record, .none, of: alice), at: .testing)
  }

  private func delete(_ logID: String) -> Change {
    Change(.delete(logID: logID, .none, of: alice), at: .testing)
  }

  @Test func `is neither in the file nor in its log`() throws {
    _ = try store.commit([
      put(Self.record("a", "first-content")), put(Self.record("a", "second-content")),
      put(Self.record("b", "other-content")),
      Change(
        .store(
          [BatchItem(Array(#"{"log_id":"a","type":"rejected-content"}"#.utf8), line: 1)],
          of: alice), at: .testing),
    ])
    for text in ["first-content", "second-content", "rejected-content", "other-content"] {
      #expect(try folder.holds(text))
    }

    _ = try store.commit([delete("a")])

    for text in ["first-content", "second-content", "rejected-content"] {
      #expect(try !folder.holds(text))
    }
    #expect(try folder.holds("other-content"))
  }

  // SQLite leaves copies of rows behind when it moves them between pages, even where it zeroes what
  // it deletes: a table of rows of many sizes that lost its rows one by one showed some.
  @Test(arguments: 1...UInt64(cases(few: 1, many: 3)))
  func `leaves no copy among many remaining records`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var digests: [[UInt8]] = []
    for hundred in 0..<6 {
      let records = (0..<100).map { place in
        let number = hundred * 100 + place
        let size = [1, 5, 20, 60, 300].randomElement(using: &random) ?? 1
        return Self.record(
          "r\(number)", "mark-\(number)|" + String(repeating: "x", count: 17 * size))
      }
      digests += records.map(\.digest)
      for record in records { _ = try store.commit([put(record)]) }
    }
    var stay = Set(0..<600)

    for number in (0..<400).shuffled(using: &random) {
      stay.remove(number)
      let change = delete("r\(number)")
      // A revision of another in between.
      let other = stay.randomElement(using: &random) ?? 599
      let revision = put(Self.record("r\(other)", "mark-\(other)|again \(number)"))
      _ = try store.commit(number.isMultiple(of: 5) ? [change, revision] : [change])
      guard stay.count.isMultiple(of: 25) else { continue }
      let file = Data(try folder.bytes("") + folder.bytes("-wal"))
      #expect(Self.marks(in: file) == Set(stay.map { "mark-\($0)" }))
    }

    let file = Data(try folder.bytes("") + folder.bytes("-wal"))
    for (number, digest) in digests.enumerated() where number % 8 == 0 {
      #expect((file.range(of: Data(digest)) != nil) == stay.contains(number))
    }
    let check = try SQLiteDatabase(path: folder.storage).prepare("PRAGMA integrity_check")
      .all { $0.text(0) }
    #expect(check == ["ok"])
  }

  /// All marks that stand anywhere in a file.
  private static func marks(in file: Data) -> Set<String> {
    var marks: Set<String> = []
    var place = file.startIndex
    while let start = file.range(of: Data("mark-".utf8), in: place..<file.endIndex) {
      let mark = file[start.lowerBound...].prefix(24).prefix { $0 != UInt8(ascii: "|") }
      marks.insert(String(decoding: mark, as: UTF8.self))
      place = start.upperBound
    }
    return marks
  }

  @Test func `is not restored by a rejected item with its log_id`() throws {
    _ = try store.commit([put(Self.record("a", "x")), delete("a")])

    let item = BatchItem(Array(#"{"log_id":"a","type":"late-content"}"#.utf8), line: 1)
    _ = try store.commit(.store([item], of: alice))

    #expect(try !folder.holds("late-content"))
    #expect(try store.totals().rejected == 1)
  }

  @Test func `is wiped from the log when a blocking reader has ended`() throws {
    _ = try store.commit([put(Self.record("a", "old-content"))])
    let other = try SQLiteDatabase(path: folder.storage)
    try other.execute("BEGIN")
    _ = try other.integer("SELECT count(*) FROM record")

    _ = try store.commit([delete("a")])
    #expect(try folder.holds("old-content"))
    try other.execute("COMMIT")
    _ = try store.commit(.probe)

    #expect(try !folder.holds("old-content"))
  }

  @Test func `is wiped from the log at the next start after a kill`() throws {
    _ = try store.commit([put(Self.record("a", "old-content"))])
    let other = try SQLiteDatabase(path: folder.storage)
    try other.execute("BEGIN")
    _ = try other.integer("SELECT count(*) FROM record")
    _ = try store.commit([delete("a")])
    try other.execute("COMMIT")
    #expect(try folder.holds("old-content"))

    _ = try SQLiteRecordStore(path: folder.storage)

    #expect(try !folder.holds("old-content"))
  }

  @Test func `is reported as a deletion to clients that page`() throws {
    _ = try store.commit([put(Self.record("a", "x")), put(Self.record("b", "y"))])
    _ = try store.commit([delete("a"), put(Self.record("a", "z"))])

    let arrivals = try store.arrivals(after: 0, limit: 10).elements

    #expect(arrivals.map(\.number) == [2, 3, 4])
    #expect(
      arrivals.map { arrival in
        switch arrival.event {
        case .stored(let record): "stored \(record.id) \(record.revision)"
        case .deleted(let id): "deleted \(id)"
        case .erased: "erased"
        }
      } == ["stored 2 1", "deleted 1", "stored 1 2"])
    #expect(try store.arrivals(after: 0, limit: 2).elements.map(\.number) == [2, 3])
    #expect(try store.arrivals(after: 3, limit: 2).elements.map(\.number) == [4])
    #expect(
      try store.totals() == Totals(arrival: 4, created: 3, deleted: 1))
    #expect(try store.recordCount(of: alice) == 2)
  }
}
