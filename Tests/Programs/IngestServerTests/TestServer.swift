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

/// A server on a free port with one user, Alice of "acme".
final class TestServer: Sendable {
  static let adminToken = "the-administrator"

  let folder: TemporaryFolder
  let server: IngestServer
  let alice: IngestUser
  let log: LogLines

  init(
    folder: TemporaryFolder? = nil, store: (any RecordStore)? = nil,
    files: (any MediaStore)? = nil, limits: IngestServer.Limits = IngestServer.Limits(),
    heartbeat: DispatchTimeInterval = .seconds(15),
    _ change: (inout IngestServer.Configuration) -> Void = { _ in }
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    let lines = LogLines()
    var configuration = IngestServer.Configuration(
      storagePath: folder.storage, adminToken: Self.adminToken, log: { lines.append($0) })
    configuration.limits = limits
    configuration.heartbeat = heartbeat
    change(&configuration)
    server = try IngestServer(
      configuration, StorageLock(storage: folder.storage),
      store: try store
        ?? SQLiteRecordStore(
          path: folder.storage, now: configuration.now(), log: { lines.append($0) }),
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
      bytes: image.bytes)
  }

  /// What became of each line of a batch.
  func statuses(_ lines: [String]) throws -> [String] {
    try post(lines).json().member("results").elements().map { try $0.member("status").string() }
  }
}

/// The log of a server.
final class LogLines: @unchecked Sendable {
  // `changed` guards `lines`.
  private let changed = NSCondition()
  private var lines: [String] = []

  var all: [String] {
    changed.lock()
    defer { changed.unlock() }
    return lines
  }

  func append(_ line: String) {
    changed.lock()
    lines.append(line)
    changed.broadcast()
    changed.unlock()
  }

  /// Waits for a line that contains a text; false when none comes.
  func wait(for text: String) -> Bool {
    changed.lock()
    defer { changed.unlock() }
    let end = Date(timeIntervalSinceNow: 240)
    while !lines.contains(where: { $0.contains(text) }) {
      guard changed.wait(until: end) else { return false }
    }
    return true
  }
}

/// A store around another one, which does what it does not do itself.
protocol StoreWrapper: RecordStore {
  var store: any RecordStore { get }
}

extension StoreWrapper {
  func grant(tokenDigest: [UInt8]) throws(IngestError) -> Grant? {
    try store.grant(tokenDigest: tokenDigest)
  }
  func account(_ path: UserPath) throws(IngestError) -> Account? { try store.account(path) }
  func users(
    of organization: String, after id: String?, limit: Int
  ) throws(IngestError) -> [StoredUser] {
    try store.users(of: organization, after: id, limit: limit)
  }
  func tokens(of holder: TokenHolder) throws(IngestError) -> [StoredToken]? {
    try store.tokens(of: holder)
  }
  func recordCount(of account: Account) throws(IngestError) -> Int {
    try store.recordCount(of: account)
  }
  func records(
    of account: Account, after: Int64, deleted: Bool, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRecord> {
    try store.records(of: account, after: after, deleted: deleted, limit: limit)
  }
  func record(
    of account: Account, logID: String, deleted: Bool
  ) throws(IngestError) -> StoredRecord? {
    try store.record(of: account, logID: logID, deleted: deleted)
  }
  func revisions(
    of account: Account, logID: String, after: Int64, deleted: Bool, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision>? {
    try store.revisions(of: account, logID: logID, after: after, deleted: deleted, limit: limit)
  }
  func history(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRevision> {
    try store.history(of: account, after: after, limit: limit)
  }
  func rejections(
    of account: Account, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<StoredRejection> {
    try store.rejections(of: account, after: after, limit: limit)
  }
  func media(of account: Account, logID: String) throws(IngestError) -> [StoredMedia]? {
    try store.media(of: account, logID: logID)
  }
  func media(of account: Account) throws(IngestError) -> [(record: Int64, image: StoredMedia)] {
    try store.media(of: account)
  }
  func auditEnd() throws(IngestError) -> (line: Int64, hash: [UInt8]) { try store.auditEnd() }
  func auditLines(
    of user: UserPath, after: Int64, limit: PageLimit
  ) throws(IngestError) -> Page<AuditLine> {
    try store.auditLines(of: user, after: after, limit: limit)
  }
  func needsMedia(_ digest: MediaDigest) throws(IngestError) -> Bool {
    try store.needsMedia(digest)
  }
  func pendingRemovals() throws(IngestError) -> [MediaDigest] { try store.pendingRemovals() }
  func identity() throws(IngestError) -> String { try store.identity() }
  func emptyLog() { store.emptyLog() }
  func wipeLog() { store.wipeLog() }
  func arrivals(
    after: Int64, through last: Int64, limit: PageLimit, in organization: String?
  ) throws(IngestError) -> Page<Arrival> {
    try store.arrivals(after: after, through: last, limit: limit, in: organization)
  }
  func position(
    before count: Int, in organization: String, after start: Int64
  ) throws(IngestError) -> Int64 {
    try store.position(before: count, in: organization, after: start)
  }
  func totals() throws(IngestError) -> Totals { try store.totals() }
}

/// A store whose commits wait until the gate opens.
final class GatedStore: StoreWrapper {
  let store: any RecordStore
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
    // What the server does by itself, at some time after its start.
    let isUpkeep = changes.allSatisfy {
      if case .expireRejections = $0.action { true } else { false }
    }
    guard !isUpkeep else { return try store.commit(changes) }
    sizes.withLock { $0.append(changes.count) }
    if !isOpen.withLock({ $0 }) {
      entered.signal()
      gate.wait()
    }
    return try store.commit(changes)
  }
}

/// A store that fails as long as it is told to.
final class FailingStore: StoreWrapper {
  let store: any RecordStore
  private let failure = Locked<IngestError?>(nil)

  init(_ store: any RecordStore) { self.store = store }

  func fail(with error: IngestError?) { failure.withLock { $0 = error } }

  func commit(_ changes: [Change]) throws(IngestError) -> [Change.Outcome] {
    if let error = failure.withLock({ $0 }) { throw error }
    return try store.commit(changes)
  }
}

extension SQLiteRecordStore {
  /// Makes a user of `acme`, with a token of the name's bytes.
  func makeUser(_ uid: String = "alice", scopes: Scopes = .all) throws -> Account {
    let token = NewToken(id: "token-\(uid)", digest: Array(uid.utf8), scopes: scopes)
    let user = NewUser(organization: "acme", uid: uid, id: "id-\(uid)")
    let change = Change(.provision(user, token, revokesOthers: false), at: .testing)
    guard case .provisioned(let account, _)? = try commit([change]).first else {
      throw IngestError(.unavailable, "no user")
    }
    return account
  }

  /// Carries out one change.
  func commit(_ action: Change.Action, by caller: Caller = .server) throws -> Change.Outcome {
    guard let outcome = try commit([Change(action, by: caller, at: .testing)]).first else {
      throw IngestError(.unavailable, "no outcome")
    }
    return outcome
  }

  /// Stores a batch of lines.
  @discardableResult
  func store(_ lines: [String], of account: Account) throws -> [ItemResult] {
    let items = lines.enumerated().map { BatchItem(Array($1.utf8), line: $0 + 1) }
    guard case .stored(let results) = try commit(.store(items, of: account)) else { return [] }
    return results
  }
}

extension RecordStore {
  /// What happened after an arrival number in all organisations.
  func arrivals(after: Int64, limit: PageLimit) throws(IngestError) -> Page<Arrival> {
    try arrivals(after: after, through: .max, limit: limit, in: nil)
  }
}

extension Date {
  /// An instant for tests.
  static let testing = Date(timeIntervalSince1970: 1_772_600_000)
}

extension PageLimit: ExpressibleByIntegerLiteral {
  /// So many elements, of any size.
  init(integerLiteral count: Int) { self.init(count: count, bytes: .max) }
}

/// A record of one blood pressure reading as a client sends it.
func reading(_ logID: String, systolic: Int = 120, more: String = "") -> String {
  #"{"log_id":"\#(logID)","type":"measurement","start_time":"2026-03-04T05:06:07Z","#
    + #""source":{"type":"bluetooth"},"#
    + #""metrics":[{"type":"systolic","unit":"mmHg","value":\#(systolic)}]\#(more)}"#
}

extension TemporaryFolder {
  /// Makes all files of images as old as if they had been written some hours ago.
  func ageImages() throws {
    for name in try images() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)],
        ofItemAtPath: media + "/" + name)
    }
  }

  /// The names of the files of images.
  func images() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: media).filter { !$0.hasPrefix(".") })
  }

  /// Whether any file of the storage holds the bytes of a text.
  func holds(_ text: String) throws -> Bool {
    try ["", "-wal", "-shm"].contains { suffix in
      let bytes = try Data(self.bytes(suffix))
      return bytes.range(of: Data(text.utf8)) != nil
    }
  }

  /// The bytes of the storage or of one of its companions.
  func bytes(_ suffix: String) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: storage + suffix) else { return [] }
    return try Array(Data(contentsOf: URL(fileURLWithPath: storage + suffix)))
  }
}
