// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(5))) struct `Content that was deleted` {
  private static let now = Date(timeIntervalSince1970: 1_772_600_000)

  private let folder: TemporaryFolder
  private let store: SQLiteRecordStore
  private let alice: Account

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteRecordStore(path: folder.storage)
    let change = Change.provision(
      organization: "acme", uid: "alice", id: "1", tokenDigest: [1], at: Self.now)
    guard case .provisioned(let account)? = try store.commit([change]).first else {
      throw IngestError(.unavailable, "no user")
    }
    alice = account
  }

  private static func record(_ logID: String, _ mark: String, times: Int = 1) -> IncomingRecord {
    let note = String(repeating: mark + "|", count: times)
    let body = reading(logID, more: #","user_notes":[{"type":"message","value":"\#(note)"}]"#)
    guard case .record(let record) = BatchItem(Array(body.utf8), line: nil) else {
      return IncomingRecord(logID: logID, digest: [], octets: [])
    }
    return record
  }

  private func put(_ record: IncomingRecord) -> Change {
    .put(record, mustExist: false, of: alice, at: Self.now)
  }

  @Test func `is nowhere in the file nor in its log`() throws {
    _ = try store.commit([
      put(Self.record("a", "first-content")), put(Self.record("a", "second-content")),
      put(Self.record("b", "other-content")),
      .store(
        [BatchItem(Array(#"{"log_id":"a","type":"rejected-content"}"#.utf8), line: 1)],
        of: alice, at: Self.now),
    ])
    for text in ["first-content", "second-content", "rejected-content", "other-content"] {
      #expect(try folder.holds(text))
    }

    _ = try store.commit([.delete(logID: "a", of: alice)])

    for text in ["first-content", "second-content", "rejected-content"] {
      #expect(try !folder.holds(text))
    }
    #expect(try folder.holds("other-content"))
  }

  // SQLite leaves copies of rows behind when it moves them between pages; many rows of many sizes,
  // revised and deleted in any order, would show one.
  @Test(arguments: [1, 2] as [UInt64])
  func `leaves no copy behind among many that stay`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var kept: [String: [(mark: String, digest: [UInt8])]] = [:]
    var gone: [(mark: String, digest: [UInt8])] = []
    for step in 0..<400 {
      var changes: [Change] = []
      for part in 0..<Int.random(in: 1...3, using: &random) {
        let logID = kept.keys.sorted().randomElement(using: &random)
        if let logID, Int.random(in: 0..<10, using: &random) < 3 {
          gone += kept.removeValue(forKey: logID) ?? []
          changes.append(.delete(logID: logID, of: alice))
          continue
        }
        let isRevision = Int.random(in: 0..<10, using: &random) < 3
        let target = isRevision ? logID ?? "r\(step)-\(part)" : "r\(step)-\(part)"
        let mark = "mark-\(step)-\(part)-\(seed)"
        let times = [1, 5, 30, 300].randomElement(using: &random) ?? 1
        let record = Self.record(target, mark, times: times)
        kept[target, default: []].append((mark: mark, digest: record.digest))
        changes.append(put(record))
      }
      _ = try store.commit(changes)
    }

    let file = Data(try folder.octets("") + folder.octets("-wal"))
    #expect(gone.count > 100)
    let stay = Array(kept.values.joined())
    let found = Self.marks(in: file)
    #expect(found.isDisjoint(with: gone.map(\.mark)))
    #expect(found.isSuperset(of: stay.map(\.mark)))
    for content in gone.prefix(60) { #expect(file.range(of: Data(content.digest)) == nil) }
    // The search finds what is there.
    for content in stay.prefix(10) { #expect(file.range(of: Data(content.digest)) != nil) }
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

  @Test func `is not brought back by an item of its log_id that is rejected`() throws {
    _ = try store.commit([put(Self.record("a", "x")), .delete(logID: "a", of: alice)])

    let item = BatchItem(Array(#"{"log_id":"a","type":"late-content"}"#.utf8), line: 1)
    _ = try store.commit([.store([item], of: alice, at: Self.now)])

    #expect(try !folder.holds("late-content"))
    #expect(try store.totals().rejected == 1)
  }

  @Test func `leaves the log when a reader that was in the way has gone`() throws {
    _ = try store.commit([put(Self.record("a", "old-content"))])
    let other = try SQLiteDatabase(path: folder.storage)
    try other.execute("BEGIN")
    _ = try other.integer("SELECT count(*) FROM record")

    _ = try store.commit([.delete(logID: "a", of: alice)])
    #expect(try folder.holds("old-content"))
    try other.execute("COMMIT")
    _ = try store.commit([.probe])

    #expect(try !folder.holds("old-content"))
  }

  @Test func `leaves the log at the next start where the server was killed in between`() throws {
    _ = try store.commit([put(Self.record("a", "old-content"))])
    let other = try SQLiteDatabase(path: folder.storage)
    try other.execute("BEGIN")
    _ = try other.integer("SELECT count(*) FROM record")
    _ = try store.commit([.delete(logID: "a", of: alice)])
    try other.execute("COMMIT")
    #expect(try folder.holds("old-content"))

    _ = try SQLiteRecordStore(path: folder.storage)

    #expect(try !folder.holds("old-content"))
  }

  @Test func `is told as a deletion to who reads on`() throws {
    _ = try store.commit([put(Self.record("a", "x")), put(Self.record("b", "y"))])
    _ = try store.commit([.delete(logID: "a", of: alice), put(Self.record("a", "z"))])

    let arrivals = try store.arrivals(after: 0, limit: 10)

    #expect(arrivals.map(\.number) == [2, 3, 4])
    #expect(
      arrivals.map { arrival in
        switch arrival.event {
        case .stored(let record): "stored \(record.id) \(record.revision)"
        case .deleted(let logID): "deleted \(logID)"
        }
      } == ["stored 2 1", "deleted a", "stored 1 2"])
    #expect(try store.arrivals(after: 0, limit: 2).map(\.number) == [2, 3])
    #expect(try store.arrivals(after: 3, limit: 2).map(\.number) == [4])
    #expect(
      try store.totals() == Totals(arrival: 4, created: 3, deleted: 1))
    #expect(try store.recordCount(of: alice) == 2)
  }
}
