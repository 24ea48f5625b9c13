// SPDX-License-Identifier: Apache-2.0

extension IngestServer.Limits {
  /// A limit that an operator can set by name.
  package struct Setting: Sendable {
    package let name: String
    /// The unit of its number, for example MiB; may be empty.
    package let unit: String
    /// What it limits.
    package let help: String
    fileprivate let place: Place
  }

  fileprivate enum Place: Sendable {
    case count(any WritableKeyPath<IngestServer.Limits, Int> & Sendable)
    /// Bytes, in multiples of the given number.
    case bytes(any WritableKeyPath<IngestServer.Limits, Int> & Sendable, Int)
    /// Time, in seconds.
    case seconds(any WritableKeyPath<IngestServer.Limits, Duration> & Sendable)
  }

  /// All limits that have a name.
  package static let settings = [
    Setting(
      name: "connections", unit: "", help: "open connections", place: .count(\.connections)),
    Setting(
      name: "address-connections", unit: "", help: "open connections from one address",
      place: .count(\.connectionsPerAddress)),
    Setting(
      name: "user-requests", unit: "", help: "concurrent requests of one user",
      place: .count(\.requestsPerUser)),
    Setting(
      name: "user-rate", unit: "/s", help: "sustained request rate of one user",
      place: .count(\.requestRate)),
    Setting(
      name: "user-burst", unit: "", help: "burst of requests of one user",
      place: .count(\.requestBurst)),
    Setting(
      name: "anonymous-rate", unit: "/s", help: "request rate of one address without a valid token",
      place: .count(\.anonymousRate)),
    Setting(
      name: "anonymous-burst", unit: "", help: "burst of such requests",
      place: .count(\.anonymousBurst)),
    Setting(
      name: "memory", unit: "MiB", help: "request and response bodies of all clients",
      place: .bytes(\.memory, 1 << 20)),
    Setting(
      name: "user-memory", unit: "MiB", help: "request and response bodies of one user",
      place: .bytes(\.memoryPerUser, 1 << 20)),
    Setting(
      name: "small-memory", unit: "MiB", help: "part of memory reserved for requests up to 64 KiB",
      place: .bytes(\.memoryForSmallRequests, 1 << 20)),
    Setting(
      name: "images", unit: "", help: "images being sent at the same time",
      place: .count(\.openImages)),
    Setting(
      name: "exports-per-user", unit: "", help: "concurrent exports of one client",
      place: .count(\.exportsPerUser)),
    Setting(
      name: "head-time", unit: "s", help: "time to receive a request header",
      place: .seconds(\.headTime)),
    Setting(
      name: "keep-alive", unit: "s", help: "time to wait for the next request",
      place: .seconds(\.keepAliveTime)),
    Setting(
      name: "body-time", unit: "s",
      help: "time to receive a body, plus its time at the slowest rate",
      place: .seconds(\.bodyTime)),
    Setting(
      name: "answer-time", unit: "s",
      help: "time to send a response, plus its time at the slowest rate",
      place: .seconds(\.answerTime)),
    Setting(
      name: "slowest-rate", unit: "KiB/s", help: "slowest transfer rate accepted from a client",
      place: .bytes(\.slowestRate, 1 << 10)),
    Setting(
      name: "idle-time", unit: "s", help: "inactivity after which a connection is closed",
      place: .count(\.idleSeconds)),
    Setting(
      name: "stop-time", unit: "s", help: "time to shut down",
      place: .seconds(\.stopTime)),
  ]

  /// The value of a setting, in its unit.
  package func value(of setting: Setting) -> Int {
    switch setting.place {
    case .count(let path): self[keyPath: path]
    case .bytes(let path, let unit): self[keyPath: path] / unit
    case .seconds(let path): Int(self[keyPath: path] / .seconds(1))
    }
  }

  /// Sets a limit by name.
  ///
  /// - Throws: ``IngestError`` of code `invalid_configuration` when the limit is unknown or the
  ///   number is out of bounds.
  package mutating func set(_ name: String, to value: Int) throws(IngestError) {
    guard let setting = Self.settings.first(where: { $0.name == name }) else {
      let known = Self.settings.map(\.name).joined(separator: ", ")
      throw IngestError(
        .invalidConfiguration, "unknown limit \"\(name)\"; the limits are \(known)")
    }
    guard (1...1_000_000).contains(value) else {
      throw IngestError(.invalidConfiguration, "the limit \(name) must be 1...1000000")
    }
    switch setting.place {
    case .count(let path): self[keyPath: path] = value
    case .bytes(let path, let unit): self[keyPath: path] = value * unit
    case .seconds(let path): self[keyPath: path] = .seconds(value)
    }
  }
}
