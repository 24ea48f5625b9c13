// SPDX-License-Identifier: Apache-2.0

import Glibc

extension IngestServer {
  /// The resource limits of clients, so that no client blocks the others.
  ///
  /// `Documentation/server.md` lists the defaults.
  public struct Limits: Sendable {
    /// The most open connections; beyond it, the lowest-priority connection is closed.
    public var connections: Int
    /// The most open connections from one address; not applied behind a proxy.
    ///
    /// Beyond it, the lowest-priority connection of that address is closed.
    public var connectionsPerAddress: Int
    /// The most concurrent requests of one user or administrator.
    public var requestsPerUser = 64
    /// The sustained request rate of one user, per second.
    public var requestRate = 200
    /// The burst of requests that one user may send after a pause.
    public var requestBurst = 2_000
    /// The sustained request rate of one address without a valid token, per second.
    public var anonymousRate = 20
    /// The burst of requests that one address may send without a valid token.
    public var anonymousBurst = 200

    /// The bytes that all requests may hold.
    ///
    /// They include request bodies, as sent and expanded, and responses until they are sent.
    public var memory = 64 << 20
    /// The bytes that the requests of one user may hold.
    public var memoryPerUser = 24 << 20
    /// The bytes of `memory` that only small requests may use.
    public var memoryForSmallRequests = 16 << 20
    /// The largest size of a small request, in bytes.
    public var smallRequest = 64 << 10
    /// The most images that are sent at the same time.
    public var openImages: Int
    /// The most concurrent exports of one user or administrator.
    public var exportsPerUser = 2

    /// How long the header of the first request may take, from connecting.
    public var headTime = Duration.seconds(20)
    /// How long a connection may take until the header of its next request is complete.
    public var keepAliveTime = Duration.seconds(75)
    /// How long a body may take, in addition to the time of its bytes at the slowest rate.
    public var bodyTime = Duration.seconds(60)
    /// How long sending a response may take, in addition to its bytes at the slowest rate.
    public var answerTime = Duration.seconds(60)
    /// The slowest accepted transfer rate, in bytes per second.
    public var slowestRate = 32 << 10
    /// How long a connection may be inactive, in seconds.
    public var idleSeconds = 30
    /// How many bytes of a refused body are read and dropped so that the client gets its response.
    public var discarded = 32 << 20
    /// The memory for the header of a request, in bytes.
    public var headMemory = 32 << 10
    /// How long the shutdown may take before the remaining work is cut off.
    public var stopTime = Duration.seconds(8)
    /// How long clients may take to read their last responses during the shutdown.
    var lastAnswersTime = Duration.seconds(2)

    /// Creates the default limits.
    ///
    /// Connections and images depend on how many files the process may open (`RLIMIT_NOFILE`).
    public init() { self.init(descriptors: Self.descriptorsOfProcess) }

    /// Creates the default limits of a process that may open `descriptors` files.
    init(descriptors: Int) {
      // What the storage, the log and the server's own sockets need.
      let rest = max(24, descriptors - 48)
      connections = min(1_024, rest * 3 / 4)
      openImages = min(128, rest - rest * 3 / 4)
      connectionsPerAddress = connections * 3 / 4
    }

    private static var descriptorsOfProcess: Int {
      var limit = rlimit()
      guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        return 1_024
      }
      return Int(min(1 << 20, limit.rlim_cur))
    }

    /// A base time plus the time of `bytes` at the slowest rate.
    func time(_ base: Duration, for bytes: Int) -> Duration {
      base + .milliseconds(Int64(bytes) * 1_000 / Int64(max(1, slowestRate)))
    }
  }
}
