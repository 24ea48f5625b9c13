// SPDX-License-Identifier: Apache-2.0

/// The request rate of each client, limited by a token bucket.
struct RateTable<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var level: Double
    var filled: Duration
  }

  /// The most clients in the table; full buckets are removed.
  static var maximumClients: Int { 10_000 }

  private let rate: Double
  private let burst: Double
  private var buckets: [Key: Bucket] = [:]

  /// Creates a table; a client has `burst` requests at first and `rate` more each second.
  init(rate: Int, burst: Int) {
    self.rate = Double(max(1, rate))
    self.burst = Double(max(1, burst))
  }

  /// Counts one request of a client.
  ///
  /// - Returns: nil when it may be served, else how many seconds to wait.
  mutating func take(_ key: Key, at now: Duration) -> Int? {
    if buckets[key] == nil { makeRoom(at: now) }
    var bucket = buckets[key] ?? Bucket(level: burst, filled: now)
    bucket.level = level(bucket, at: now)
    bucket.filled = now
    defer { buckets[key] = bucket }
    guard bucket.level >= 1 else { return max(1, Int(((1 - bucket.level) / rate).rounded(.up))) }
    bucket.level -= 1
    return nil
  }

  private func level(_ bucket: Bucket, at now: Duration) -> Double {
    min(burst, bucket.level + (now - bucket.filled) / .seconds(1) * rate)
  }

  /// Removes the clients with full buckets, or all clients if that is not enough.
  private mutating func makeRoom(at now: Duration) {
    guard buckets.count >= Self.maximumClients else { return }
    buckets = buckets.filter { level($1, at: now) < burst }
    if buckets.count >= Self.maximumClients { buckets = [:] }
  }
}
