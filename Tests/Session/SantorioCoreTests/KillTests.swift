// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import SantorioCore
import SantorioConcurrency

/// What the children told, kept outside of all that is killed.
private final class Ledger: Sendable {
  struct Entries {
    var acknowledged: Set<String> = []
    var submitted: [String: Int] = [:]
    var others: [String] = []
  }

  private let entries = Locked(Entries())
  let changes = AsyncStream<Void>.makeStream()

  var all: Entries { entries.withLock { $0 } }

  func take(_ line: String?) {
    guard let words = line?.split(separator: " ").map(String.init), words.count == 2 else { return }
    entries.withLock { entries in
      switch words[0] {
      case "ACK": entries.acknowledged.insert(words[1])
      case "SUBMITTED": entries.submitted[words[1], default: 0] += 1
      default: entries.others.append(words.joined(separator: " "))
      }
    }
    changes.continuation.yield()
  }
}

/// Producer, uploader and server as processes that can be killed and started again.
private final class Ward {
  enum Part: String, CaseIterable { case producer, uploader, server }

  let folder: TemporaryFolder
  let storage: TemporaryFolder
  let ledger = Ledger()
  let user: User
  private(set) var port: UInt16 = 0
  private var children: [Part: ChildProcess] = [:]
  private var generation = 0

  init() throws {
    folder = try TemporaryFolder()
    storage = try TemporaryFolder()
    user = try LiveServer(in: storage).alice
  }

  func start(_ part: Part) async throws {
    generation += 1
    let (ledger, url) = (ledger, LiveServer.url(port: port).absoluteString)
    switch part {
    case .server: try await startServer()
    case .producer:
      children[part] = try ChildProcess(
        "OutboxCrashChild", ["produce", folder.url.path, url, "g\(generation)"]
      ) { ledger.take($0) }
    case .uploader:
      children[part] = try ChildProcess(
        "OutboxCrashChild", ["upload", folder.url.path, url, "-"]
      ) { ledger.take($0) }
    }
  }

  /// Returns when the server listens; a restarted one on the port it had.
  private func startServer() async throws {
    let lines = AsyncStream<String?>.makeStream()
    children[.server] = try ChildProcess(
      "IngestServerChild", [storage.path("store.sqlite"), LiveServer.adminToken, "\(port)"]
    ) { lines.continuation.yield($0) }
    for await line in lines.stream {
      port = try #require(line.flatMap { UInt16($0.dropFirst("listening ".count)) })
      return
    }
  }

  func kill(_ part: Part) { children.removeValue(forKey: part)?.end() }

  /// How many records wait or have an event that was not told.
  func open() throws -> Int64 {
    try SQLiteDatabase(path: folder.path("outbox.sqlite"))
      .integer("SELECT (SELECT count(*) FROM q) + (SELECT count(*) FROM ev)")
  }
}

@Suite(.serialized) struct `Killed processes` {
  @Test(.timeLimit(.minutes(10)))
  func `lose nothing that was acknowledged and store nothing twice`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["SANTORIO_KILLS"].flatMap { Int($0) } ?? 20
    let seed = environment["SANTORIO_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...999_999)
    var random = SplitMix(state: seed)
    let ward = try Ward()
    try await ward.start(.server)
    try await Session(
      .init(directory: ward.folder.url, endpoint: LiveServer.url(port: ward.port))
    ).start(ward.user)
    for part in [Ward.Part.producer, .uploader] { try await ward.start(part) }

    var killed: [Ward.Part: Int] = [:]
    for _ in 0..<kills {
      // The moment of the kill is what is drawn here; nothing is waited for.
      try await Task.sleep(for: .milliseconds(Int.random(in: 10...300, using: &random)))
      let part = Ward.Part.allCases.randomElement(using: &random) ?? .uploader
      ward.kill(part)
      killed[part, default: 0] += 1
      try await ward.start(part)
    }
    ward.kill(.producer)
    for await _ in ward.ledger.changes.stream where try ward.open() == 0 { break }
    ward.kill(.uploader)
    ward.kill(.server)

    let counts = Ward.Part.allCases.map { "\($0.rawValue) \(killed[$0] ?? 0)" }
    try compare(ward, "seed \(seed), killed \(counts.joined(separator: ", "))")
  }

  private func compare(_ ward: Ward, _ circumstances: String) throws {
    let entries = ward.ledger.all
    let database = try SQLiteDatabase(path: ward.storage.path("store.sqlite"))
    let stored = Set(try database.prepare("SELECT log_id FROM record").all { $0.text(0) })
    let told = Set(entries.submitted.keys)
    let toldAgain = entries.submitted.values.count { $0 > 1 }
    print(
      """
      \(circumstances): \(entries.acknowledged.count) acknowledged, \(stored.count) stored, \
      lost \(entries.acknowledged.subtracting(stored).count), \(toldAgain) told again
      """)

    #expect(entries.acknowledged.count > 100, "\(circumstances)")
    #expect(entries.acknowledged.subtracting(stored) == [], "lost; \(circumstances)")
    #expect(told.subtracting(stored) == [], "told of what is not stored; \(circumstances)")
    #expect(stored.subtracting(told) == [], "stored and not told; \(circumstances)")
    #expect(entries.others == [], "\(circumstances)")
    let rows = try database.integer("SELECT count(*) FROM record")
    let revisions = try database.integer("SELECT count(*) FROM revision")
    #expect(Int(rows) == stored.count, "stored twice; \(circumstances)")
    #expect(revisions == rows, "stored twice; \(circumstances)")
  }
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct `Full disk` {
  private static let mount = [
    "unshare", "-Urm", "sh", "-c", #"mount -t tmpfs -o size=3m none "$0" && exec "$@""#,
  ]

  /// Whether this machine lets a process mount a file system of its own.
  private static var canMount: Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = mount + ["/mnt", "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test(.enabled(if: canMount, "needs user namespaces"))
  func `refuses the caller, and what was acknowledged before reaches the server`() async throws {
    let folder = try TemporaryFolder()
    let server = try LiveServer()
    let lines = AsyncStream<String?>.makeStream()
    let child = try ChildProcess(
      "OutboxCrashChild", ["fill", folder.url.path, server.url.absoluteString, "r"],
      prefix: Self.mount + [folder.url.path]
    ) { lines.continuation.yield($0) }
    child.write("\(server.alice.userID) acme \(server.alice.accessToken)\n")

    var acknowledged = 0
    var refusal: [String] = []
    var submitted: Set<String> = []
    for await line in lines.stream {
      let words = try #require(line).split(separator: " ").map(String.init)
      switch words[0] {
      case "ACKED": acknowledged = try #require(Int(words[1]))
      case "REFUSED": refusal = Array(words.dropFirst())
      default: submitted.insert(words[1])
      }
      if !refusal.isEmpty, submitted.count == acknowledged { break }
    }
    child.end()

    #expect(acknowledged > 1000)
    #expect(refusal == ["disk_full", "\(acknowledged)"])
    #expect(try server.stored().count == acknowledged)
  }
}
