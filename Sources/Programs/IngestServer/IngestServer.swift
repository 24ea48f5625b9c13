// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import SantorioConcurrency

/// A server that receives health records over HTTP and keeps each one once.
///
/// `Documentation/ingest-api.yaml` describes its interface. Records reported as created, duplicate
/// or revised are on disk: the process may be killed at any moment.
///
/// Without ``Configuration/certificate`` the connection is plain HTTP. If other machines connect,
/// configure a certificate or run the server behind a proxy with TLS.
public final class IngestServer: Sendable {
  /// The administrator's token: the configured one or the generated one.
  public let adminToken: String
  /// The port of the first internet address that the server listens on; 0 if there is none.
  public var port: UInt16 { http.ports.first ?? 0 }

  private let configuration: Configuration
  private let lock: StorageLock
  private let store: any RecordStore
  private let commits: CommitQueue
  private let media: MediaQueue
  private let pool: WorkPool
  private let events: LiveEventHub
  private let certificates: CertificateStore?
  private let timers: [RepeatingTimer]
  private let http: HTTPServer

  /// Opens the storage and starts to listen.
  ///
  /// - Parameter configuration: The configuration.
  /// - Throws: ``IngestError`` when the storage or the certificate cannot be used, or an address is
  ///   in use.
  public convenience init(configuration: Configuration) throws(IngestError) {
    let path = configuration.storagePath
    // Before any access to the storage: another server may be using it.
    let lock = try StorageLock(storage: path)
    let store = try SQLiteRecordStore(path: path, now: configuration.now(), log: configuration.log)
    try self.init(configuration, lock, store: store, files: MediaFolder(path: path + "-media"))
  }

  init(
    _ configuration: Configuration, _ lock: StorageLock, store: any RecordStore,
    files: any MediaStore
  ) throws(IngestError) {
    self.configuration = configuration
    let token = try Self.adminToken(configuration)
    let log = configuration.log
    let monotonicClock = MonotonicClock(ContinuousClock())
    let events = LiveEventHub(
      store: store, heartbeat: configuration.heartbeat, now: configuration.now, log: log)
    let commits = CommitQueue(store: store, log: log) { events.notify() }
    let media = MediaQueue(
      files: files, records: store, commits: commits, now: configuration.now, log: log)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let pool = WorkPool(small: min(4, max(1, cores / 2)), large: cores > 4 ? 2 : 1)
    let routes = Routes(now: configuration.now, isHealthy: { commits.isHealthy })
    let api = IngestApplication(
      router: Router(routes: routes.all), store: store, commits: commits, pool: pool, media: media,
      events: events, quotas: ClientQuotas(configuration.limits, monotonicClock: monotonicClock),
      adminDigest: token.digest, now: configuration.now, log: log)
    let certificates = try configuration.certificate.map { files throws(IngestError) in
      try CertificateStore(files, now: configuration.now, log: log)
    }
    http = try HTTPServer(
      configuration.listening(certificates), limits: configuration.limits,
      monotonicClock: monotonicClock,
      application: api, log: log)
    adminToken = token.text
    self.lock = lock
    (self.store, self.commits, self.media) = (store, commits, media)
    (self.pool, self.events, self.certificates) = (pool, events, certificates)
    let expireRejections: @Sendable () -> Void = {
      let now = configuration.now()
      let change = Change(.expireRejections(before: now - configuration.rejectionLife), at: now)
      commits.submit(change) { _ in }
    }
    // A copy of the log kept elsewhere shows whether the audit log was rewritten.
    let noteAuditEnd: @Sendable () -> Void = {
      guard let end = try? store.auditEnd(), end.line > 0 else { return }
      log("audit log noted=\(end.line):\(Hexadecimal.text(end.hash))")
    }
    timers = [
      RepeatingTimer(every: .seconds(3_600)) {
        expireRejections()
        noteAuditEnd()
      },
      RepeatingTimer(every: .seconds(60)) { store.wipeLog() },
      RepeatingTimer(every: .seconds(86_400)) { certificates?.warnOfExpiry() },
    ]
    for address in http.addresses { log("listening on \(address)") }
    media.sweep(olderThan: configuration.now() - Self.orphanAge)
    expireRejections()
    noteAuditEnd()
  }

  /// The locks of storages that a request still writes to; held until the process ends.
  private static let abandoned = Locked<[StorageLock]>([])

  /// The age in seconds at which images without a row are removed at startup.
  ///
  /// Younger images may belong to a storage that is about to be restored.
  private static let orphanAge: TimeInterval = 30 * 86_400

  /// Reloads the certificate files without an interruption.
  ///
  /// If they cannot be used, the current certificate stays in use and the log reports why.
  ///
  /// - Returns: Whether the new files are in use; false if no certificate is configured.
  @discardableResult
  public func reloadCertificate() -> Bool { certificates?.reload() ?? false }

  /// Stops the server.
  ///
  /// It accepts no more requests, finishes and answers those in progress, refuses those that wait,
  /// and then closes all connections. This takes at most ``Limits/stopTime`` plus two seconds in
  /// which clients can read their responses. Further calls do nothing.
  public func stop() {
    let deadline = DispatchTime.now() + configuration.limits.stopTime.interval
    for timer in timers { timer.stop() }
    let isComplete = http.stop(until: deadline) {
      events.close()
      pool.stop()
      // The disk may block for any length of time.
      let isDrained = DispatchSemaphore(value: 0)
      DispatchQueue(label: "santorio.ingest.stop").async { [pool, media, commits, store] in
        _ = pool.waitUntilIdle(until: .distantFuture)
        media.drain()
        commits.close()
        // Files that the last deletions left.
        media.drain()
        store.emptyLog()
        isDrained.signal()
      }
      _ = isDrained.wait(timeout: deadline)
    }
    if isComplete { lock.release() } else { Self.abandoned.withLock { $0.append(lock) } }
  }

  deinit { stop() }

  private static func adminToken(
    _ configuration: Configuration
  ) throws(IngestError) -> AccessToken {
    guard let text = configuration.adminToken else { return try AccessToken.random() }
    guard (16...512).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw IngestError(
        .invalidConfiguration,
        "the administrator's token must have 16...512 printable ASCII characters without spaces")
    }
    return AccessToken(text: text)
  }
}

extension Duration {
  /// The time for a deadline of Dispatch.
  var interval: DispatchTimeInterval { .milliseconds(Int(self / .milliseconds(1))) }
}

/// A user of the server with its new token.
package struct IngestUser: Hashable, Sendable {
  package let organization: String
  /// The server's identifier of the user, used in paths.
  package let id: String
  /// The organisation's own name for the user.
  package let uid: String
  package let token: String
}

extension IngestServer {
  /// Provisions a user like the API, without HTTP.
  package func createUser(
    organization: String, uid: String
  ) throws(IngestError) -> IngestUser {
    guard Routes.isName(organization), Routes.isUID(uid) else {
      throw IngestError(
        .invalidConfiguration,
        "an organisation must have 1...128 of the characters A-Z a-z 0-9 . _ -, and a uid "
          + "1...128 characters")
    }
    let token = try AccessToken.random()
    let user = NewUser(
      organization: organization, uid: uid, id: try AccessToken.randomHex(bytes: 16))
    let new = NewToken(id: try AccessToken.randomHex(bytes: 8), digest: token.digest)
    let change = Change(.provision(user, new, revokesOthers: false), at: configuration.now())
    guard case .provisioned(let account, _)? = try store.commit([change]).first else {
      throw IngestError(.unavailable, "the storage returned no user")
    }
    return IngestUser(
      organization: organization, id: account.id, uid: account.uid, token: token.text)
  }

  /// The number of records the server keeps, each counted once with all its revisions.
  package func recordCount() throws(IngestError) -> Int { Int(try store.totals().kept) }
}
