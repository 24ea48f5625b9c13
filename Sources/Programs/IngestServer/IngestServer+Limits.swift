// SPDX-License-Identifier: Apache-2.0

import Glibc

extension IngestServer {
  /// What clients may use up, so that none of them keeps the server from the others.
  ///
  /// `Documentation/server.md` has a table of the defaults.
  public struct Limits: Sendable {
    /// The most connections at once; when there are more, the least deserving ends.
    public var connections: Int
    /// The most connections of one address, unless a proxy stands before the server; when there are
    /// more, the least deserving of that address ends.
    public var connectionsPerAddress: Int
    /// The most requests of one user, or of an administrator, that are served at once.
    public var requestsPerUser = 64
    /// How many requests a second one user may send in the long run.
    public var requestRate = 200
    /// How many requests one user may send at once after a pause.
    public var requestBurst = 2_000
    /// How many requests a second one address may send without a good token, in the long run.
    public var anonymousRate = 20
    /// How many requests one address may send without a good token at once after a pause.
    public var anonymousBurst = 200

    /// The bytes that all requests may hold: bodies, what they expand to, and answers until the
    /// client has taken them.
    public var memory = 64 << 20
    /// The bytes that the requests of one user may hold.
    public var memoryPerUser = 24 << 20
    /// The bytes of `memory` that only small requests may use.
    public var memoryForSmallRequests = 16 << 20
    /// The most bytes of a small request.
    public var smallRequest = 64 << 10
    /// The most images that are being sent at once.
    public var openImages: Int
    /// The most exports that one user, or an administrator, has under way at once.
    public var exportsPerUser = 2

    /// How long the head of a request may take, from the connection on.
    public var headTime = Duration.seconds(20)
    /// How long a connection may wait for its next request, with that request's head.
    public var keepAliveTime = Duration.seconds(75)
    /// How long a body may take to arrive, beside what its bytes take at the slowest rate.
    public var bodyTime = Duration.seconds(60)
    /// How long a client may take its answer, beside what the bytes take at the slowest rate.
    public var answerTime = Duration.seconds(60)
    /// The bytes a second that the slowest line brings.
    public var slowestRate = 32 << 10
    /// How long a connection may be silent, in seconds.
    public var idleSeconds = 30
    /// The bytes of a refused body that are read and dropped, so that the client gets its answer.
    public var discarded = 32 << 20
    /// The bytes of memory for the head of a request.
    public var headMemory = 32 << 10
    /// How long the end of the server may take before what is left is cut off.
    public var stopTime = Duration.seconds(8)

    /// Makes the default limits; connections and images depend on how many files the process may
    /// open (`RLIMIT_NOFILE`).
    public init() { self.init(descriptors: Self.descriptorsOfProcess) }

    /// Makes the default limits of a process that may open so many files.
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

    /// How long so many bytes may take at the slowest rate, beside a base.
    func time(_ base: Duration, for bytes: Int) -> Duration {
      base + .milliseconds(Int64(bytes) * 1_000 / Int64(max(1, slowestRate)))
    }
  }
}
