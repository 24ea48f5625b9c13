// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency

@testable import IngestServer

/// A folder that vanishes with its owner.
final class TemporaryFolder: Sendable {
  let path: String
  var storage: String { path + "/store.sqlite" }
  var media: String { storage + "-media" }

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/ingest-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A server on a free port with one user, Alice of «acme».
final class TestServer: Sendable {
  static let adminToken = "the-administrator"

  let folder: TemporaryFolder
  let server: IngestServer
  let alice: IngestUser
  let log: LogLines

  init(
    folder: TemporaryFolder? = nil, store: (any RecordStore)? = nil,
    files: (any MediaStore)? = nil, limits: HTTPDaemon.Limits = HTTPDaemon.Limits(),
    heartbeat: DispatchTimeInterval = .seconds(15)
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    let lines = LogLines()
    var configuration = IngestServer.Configuration(
      storagePath: folder.storage, adminToken: Self.adminToken, log: { lines.append($0) })
    configuration.limits = limits
    configuration.heartbeat = heartbeat
    server = try IngestServer(
      configuration, store: try store ?? SQLiteRecordStore(path: folder.storage),
      files: try files ?? MediaFolder(path: folder.media))
    alice = try server.createUser(organization: "acme", uid: "alice")
    log = lines
    self.folder = folder
  }

  deinit { server.stop() }

  var client: SocketClient { get throws { try SocketClient(server.port, keeping: self) } }

  /// The path of Alice's records.
  var records: String { Self.path(alice) + "/records" }

  static func path(_ user: IngestUser) -> String {
    "/v1/organizations/\(user.organization)/users/\(user.id)"
  }

  /// Posts a batch for Alice.
  func post(_ lines: [String], on client: SocketClient? = nil) throws -> SocketClient.Reply {
    try (client ?? self.client).request(
      "POST", records + ":batch", token: alice.token, type: "application/x-ndjson",
      body: lines.joined(separator: "\n") + "\n")
  }

  /// Sends a request of Alice.
  func request(
    _ method: String, _ path: String, type: String? = nil, headers: [String] = [],
    body: String? = nil
  ) throws -> SocketClient.Reply {
    try client.request(
      method, path, token: alice.token, type: type, headers: headers, body: body)
  }

  /// Sends an image of one of Alice's records.
  func put(_ image: TestImage, to logID: String) throws -> SocketClient.Reply {
    try client.request(
      "PUT", "\(records)/\(logID)/media/\(image.digest)", token: alice.token, type: image.type,
      octets: image.octets)
  }

  /// What became of each line of a batch.
  func statuses(_ lines: [String]) throws -> [String] {
    try post(lines).json().member("results").elements().map { try $0.member("status").string() }
  }
}

/// The log of a server.
final class LogLines: Sendable {
  private let lines = Locked<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A store whose commits wait until the gate opens.
final class GatedStore: RecordStore {
  private let store: any RecordStore
  private let gate = DispatchSemaphore(value: 0)
  private let entered = DispatchSemaphore(value: 0)
  private let isOpen = Locked(true)
  private let sizes = Locked<[Int]>([])

  init(_ store: any RecordStore) { self.store = store }

  /// The number of changes of each commit.
  var commitSizes: [Int] { sizes.withLock { $0 } }

  func shut() { isOpen.withLock { $0 = false } }

  /// Waits until a commit stands at the gate.
  func waitForCommit() -> Bool { entered.wait(timeout: .now() + 240) == .success }

  func open() {
    isOpen.withLock { $0 = true }
    gate.signal()
  }

  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome] {
    sizes.withLock { $0.append(changes.count) }
    if !isOpen.withLock({ $0 }) {
      entered.signal()
      gate.wait()
    }
    return try store.commit(changes)
  }

  func account(tokenDigest: [UInt8]) throws(IngestError) -> Account? {
    try store.account(tokenDigest: tokenDigest)
  }
  func recordCount(of account: Account) throws(IngestError) -> Int {
    try store.recordCount(of: account)
  }
  func records(
    of account: Account, after: Int64, limit: Int
  ) throws(IngestError) -> [StoredRecord] {
    try store.records(of: account, after: after, limit: limit)
  }
  func record(of account: Account, logID: String) throws(IngestError) -> StoredRecord? {
    try store.record(of: account, logID: logID)
  }
  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]? {
    try store.media(of: account, logID: logID)
  }
  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool {
    try store.needsMedia(digest)
  }
  func arrivals(after: Int64, limit: Int) throws(IngestError) -> [Arrival] {
    try store.arrivals(after: after, limit: limit)
  }
  func totals() throws(IngestError) -> Totals { try store.totals() }
}

/// A store that fails as long as it is told to.
final class FailingStore: RecordStore {
  private let store: any RecordStore
  private let failure = Locked<IngestError?>(nil)

  init(_ store: any RecordStore) { self.store = store }

  func fail(with error: IngestError?) { failure.withLock { $0 = error } }

  private func check() throws(IngestError) {
    if let error = failure.withLock({ $0 }) { throw error }
  }

  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome] {
    try check()
    return try store.commit(changes)
  }

  func account(tokenDigest: [UInt8]) throws(IngestError) -> Account? {
    try store.account(tokenDigest: tokenDigest)
  }
  func recordCount(of account: Account) throws(IngestError) -> Int {
    try store.recordCount(of: account)
  }
  func records(
    of account: Account, after: Int64, limit: Int
  ) throws(IngestError) -> [StoredRecord] {
    try store.records(of: account, after: after, limit: limit)
  }
  func record(of account: Account, logID: String) throws(IngestError) -> StoredRecord? {
    try store.record(of: account, logID: logID)
  }
  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]? {
    try store.media(of: account, logID: logID)
  }
  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool {
    try store.needsMedia(digest)
  }
  func arrivals(after: Int64, limit: Int) throws(IngestError) -> [Arrival] {
    try store.arrivals(after: after, limit: limit)
  }
  func totals() throws(IngestError) -> Totals { try store.totals() }
}

/// A record of one blood pressure reading as a client sends it.
func reading(_ logID: String, systolic: Int = 120, more: String = "") -> String {
  #"{"log_id":"\#(logID)","type":"measurement","start_time":"2026-03-04T05:06:07Z","#
    + #""source":{"type":"bluetooth"},"#
    + #""metrics":[{"type":"systolic","unit":"mmHg","value":\#(systolic)}]\#(more)}"#
}

extension TemporaryFolder {
  /// The names of the files of images.
  func images() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: media))
  }

  /// Whether any file of the storage holds the octets of a text.
  func holds(_ text: String) throws -> Bool {
    try ["", "-wal", "-shm"].contains { suffix in
      let octets = try Data(self.octets(suffix))
      return octets.range(of: Data(text.utf8)) != nil
    }
  }

  /// The octets of the storage or of one of its companions.
  func octets(_ suffix: String) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: storage + suffix) else { return [] }
    return try Array(Data(contentsOf: URL(fileURLWithPath: storage + suffix)))
  }
}
