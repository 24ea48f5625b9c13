// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials

/// A server that receives health records over HTTP and keeps each one once.
///
/// Its interface is described in `Documentation/ingest-api.yaml`. What it has answered as created,
/// duplicate or revised is on the disk: the process may be killed at any moment.
///
/// The connection is plain HTTP. Beyond one machine, put a proxy that speaks TLS before it.
public final class IngestServer: Sendable {
  /// What a server needs to know to start.
  public struct Configuration: Sendable {
    /// The file of the storage; made if it is not there, in a folder that must exist.
    ///
    /// Images are kept beside it, in a folder of its name and `-media`.
    public var storagePath: String
    /// The IPv4 address to listen on.
    public var address: String
    /// The port to listen on; 0 for any free one, see ``IngestServer/port``.
    public var port: UInt16
    /// The token that provisions users and opens the live page; the server makes one when nil.
    public var adminToken: String?
    /// Receives log lines, on any thread; they hold no health values, names or tokens.
    public var log: @Sendable (String) -> Void
    var now: @Sendable () -> Date = { Date() }
    var limits = HTTPDaemon.Limits()
    var heartbeat = DispatchTimeInterval.seconds(15)

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - storagePath: The file of the storage.
    ///   - address: The IPv4 address to listen on; this machine only by default.
    ///   - port: The port to listen on; 0 for any free one.
    ///   - adminToken: The administrator's token, at least 16 characters; the server makes one
    ///     when nil.
    ///   - log: Receives log lines, on any thread.
    public init(
      storagePath: String, address: String = "127.0.0.1", port: UInt16 = 0,
      adminToken: String? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.storagePath = storagePath
      self.address = address
      self.port = port
      self.adminToken = adminToken
      self.log = log
    }
  }

  /// The administrator's token: the configured one, or the one that was made.
  public let adminToken: String
  /// The port that is listened on.
  public var port: UInt16 { daemon.port }

  private let configuration: Configuration
  private let store: any RecordStore
  private let commits: CommitQueue
  private let media: MediaQueue
  private let queries = DispatchQueue(label: "santorio.ingest.queries")
  private let events: EventHub
  private let daemon: HTTPDaemon

  /// Opens the storage and starts to listen.
  ///
  /// - Parameter configuration: The storage, the address, the administrator's token.
  /// - Throws: ``IngestError`` when the storage cannot be used or the address is taken.
  public convenience init(configuration: Configuration) throws(IngestError) {
    let path = configuration.storagePath
    try self.init(
      configuration, store: SQLiteRecordStore(path: path), files: MediaFolder(path: path + "-media")
    )
  }

  init(
    _ configuration: Configuration, store: any RecordStore, files: any MediaStore
  ) throws(IngestError) {
    self.configuration = configuration
    let token = try Self.adminToken(configuration)
    let log = configuration.log
    let events = EventHub(store: store, heartbeat: configuration.heartbeat, log: log)
    let commits = CommitQueue(store: store, log: log) { events.notify() }
    let media = MediaQueue(files: files, records: store, commits: commits, log: log)
    media.sweep()
    let routes = Routes(now: configuration.now, isHealthy: { commits.isHealthy })
    let api = IngestAPI(
      router: Router(routes: routes.all), store: store, commits: commits, queries: queries,
      media: media, events: events, adminDigest: token.digest, log: log)
    daemon = try HTTPDaemon(
      address: configuration.address, port: configuration.port,
      threads: min(4, max(2, ProcessInfo.processInfo.activeProcessorCount)),
      limits: configuration.limits, application: api, log: log)
    adminToken = token.text
    (self.store, self.commits, self.media, self.events) = (store, commits, media, events)
    log("listening on \(configuration.address):\(daemon.port)")
  }

  /// Ends the server: what was received is stored and answered, then all connections are closed.
  ///
  /// Further calls do nothing.
  public func stop() {
    daemon.stop {
      media.drain()
      commits.close()
      // What the last deletions left.
      media.drain()
      queries.sync {}
      events.close()
    }
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
        "the administrator's token must be 16...512 printable ASCII characters without blanks")
    }
    return AccessToken(text: text)
  }
}

/// A user of the server, with the token that was made for it.
package struct IngestUser: Hashable, Sendable {
  package let organization: String
  /// The server's identifier of the user, which paths name.
  package let id: String
  /// The organisation's own name for the user.
  package let uid: String
  package let token: String
}

extension IngestServer {
  /// Provisions a user as the API does, without HTTP.
  package func createUser(
    organization: String, uid: String
  ) throws(IngestError) -> IngestUser {
    guard Routes.isName(organization), Routes.isUID(uid) else {
      throw IngestError(
        .invalidConfiguration,
        "an organisation has 1...128 of the characters A-Z a-z 0-9 . _ -, a uid 1...128 characters")
    }
    let token = try AccessToken.random()
    let change = Change.provision(
      organization: organization, uid: uid, id: try AccessToken.randomHex(octets: 16),
      tokenDigest: token.digest, at: configuration.now())
    guard case .provisioned(let account)? = try store.commit([change]).first else {
      throw IngestError(.unavailable, "the storage gave no user")
    }
    return IngestUser(
      organization: organization, id: account.id, uid: account.uid, token: token.text)
  }

  /// How many records the server keeps, each counted once with all its revisions.
  package func recordCount() throws(IngestError) -> Int { Int(try store.totals().kept) }
}
