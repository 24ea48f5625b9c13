// SPDX-License-Identifier: Apache-2.0

/// How often each client may ask: a bucket of tokens that refills at a steady rate.
struct RateTable<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var level: Double
    var filled: Duration
  }

  /// The most clients that are remembered; a bucket that is full again is forgotten.
  static var maximumClients: Int { 10_000 }

  private let rate: Double
  private let burst: Double
  private var buckets: [Key: Bucket] = [:]

  /// Makes a table; a client has `burst` requests at first, and `rate` more each second.
  init(rate: Int, burst: Int) {
    self.rate = Double(max(1, rate))
    self.burst = Double(max(1, burst))
  }

  /// Takes one request of a client.
  ///
  /// - Returns: nil when it may be served, else how many seconds to wait for the next.
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

  /// Forgets the clients whose buckets are full, and all when those are too few.
  private mutating func makeRoom(at now: Duration) {
    guard buckets.count >= Self.maximumClients else { return }
    buckets = buckets.filter { level($1, at: now) < burst }
    if buckets.count >= Self.maximumClients { buckets = [:] }
  }
}
