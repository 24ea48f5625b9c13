// SPDX-License-Identifier: Apache-2.0

extension IngestServer.Limits {
  /// A limit that an operator may set, by its name.
  package struct Setting: Sendable {
    package let name: String
    /// What its number counts, for instance MiB; may be empty.
    package let unit: String
    /// What it limits.
    package let help: String
    fileprivate let place: Place
  }

  fileprivate enum Place: Sendable {
    case count(any WritableKeyPath<IngestServer.Limits, Int> & Sendable)
    /// Bytes, counted in so many.
    case bytes(any WritableKeyPath<IngestServer.Limits, Int> & Sendable, Int)
    /// Time, counted in seconds.
    case seconds(any WritableKeyPath<IngestServer.Limits, Duration> & Sendable)
  }

  /// All limits that have a name.
  package static let settings = [
    Setting(
      name: "connections", unit: "", help: "connections at once", place: .count(\.connections)),
    Setting(
      name: "address-connections", unit: "", help: "connections of one address",
      place: .count(\.connectionsPerAddress)),
    Setting(
      name: "user-requests", unit: "", help: "requests of one user that are served at once",
      place: .count(\.requestsPerUser)),
    Setting(
      name: "user-rate", unit: "/s", help: "requests of one user in the long run",
      place: .count(\.requestRate)),
    Setting(
      name: "user-burst", unit: "", help: "requests of one user after a pause",
      place: .count(\.requestBurst)),
    Setting(
      name: "anonymous-rate", unit: "/s", help: "requests of one address without a good token",
      place: .count(\.anonymousRate)),
    Setting(
      name: "anonymous-burst", unit: "", help: "such requests after a pause",
      place: .count(\.anonymousBurst)),
    Setting(
      name: "memory", unit: "MiB", help: "bodies and answers of all requests",
      place: .bytes(\.memory, 1 << 20)),
    Setting(
      name: "user-memory", unit: "MiB", help: "bodies and answers of one user",
      place: .bytes(\.memoryPerUser, 1 << 20)),
    Setting(
      name: "small-memory", unit: "MiB", help: "part of memory kept for requests up to 64 KiB",
      place: .bytes(\.memoryForSmallRequests, 1 << 20)),
    Setting(
      name: "images", unit: "", help: "images that are being sent at once",
      place: .count(\.openImages)),
    Setting(
      name: "exports-per-user", unit: "", help: "exports of one client under way at once",
      place: .count(\.exportsPerUser)),
    Setting(
      name: "head-time", unit: "s", help: "time for the head of a request",
      place: .seconds(\.headTime)),
    Setting(
      name: "keep-alive", unit: "s", help: "time for the next request of a connection",
      place: .seconds(\.keepAliveTime)),
    Setting(
      name: "body-time", unit: "s", help: "time for a body, beside that at the slowest rate",
      place: .seconds(\.bodyTime)),
    Setting(
      name: "answer-time", unit: "s",
      help: "time to take an answer, beside that at the slowest rate",
      place: .seconds(\.answerTime)),
    Setting(
      name: "slowest-rate", unit: "KiB/s", help: "what the slowest line brings",
      place: .bytes(\.slowestRate, 1 << 10)),
    Setting(
      name: "idle-time", unit: "s", help: "silence after which a connection is closed",
      place: .count(\.idleSeconds)),
    Setting(
      name: "stop-time", unit: "s", help: "time for the end of the server",
      place: .seconds(\.stopTime)),
  ]

  /// The number of a setting, in its unit.
  package func value(of setting: Setting) -> Int {
    switch setting.place {
    case .count(let path): self[keyPath: path]
    case .bytes(let path, let unit): self[keyPath: path] / unit
    case .seconds(let path): Int(self[keyPath: path] / .seconds(1))
    }
  }

  /// Sets a limit by its name.
  ///
  /// - Throws: ``IngestError`` of code `invalid_configuration` when there is no such limit, or the
  ///   number is out of bounds.
  package mutating func set(_ name: String, to value: Int) throws(IngestError) {
    guard let setting = Self.settings.first(where: { $0.name == name }) else {
      let known = Self.settings.map(\.name).joined(separator: ", ")
      throw IngestError(
        .invalidConfiguration, "there is no limit \"\(name)\"; there are \(known)")
    }
    guard (1...1_000_000).contains(value) else {
      throw IngestError(.invalidConfiguration, "the limit \(name) takes a number 1...1000000")
    }
    switch setting.place {
    case .count(let path): self[keyPath: path] = value
    case .bytes(let path, let unit): self[keyPath: path] = value * unit
    case .seconds(let path): self[keyPath: path] = .seconds(value)
    }
  }
}
