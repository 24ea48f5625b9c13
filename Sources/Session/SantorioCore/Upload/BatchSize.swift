// SPDX-License-Identifier: Apache-2.0

/// How many records a batch may have: half as many after a refusal, twice as many after a success.
struct BatchSize {
  /// After so many batches taken at the cap it doubles.
  static let batchesAtCap = 10

  /// The most records of the next batch.
  private(set) var limit: Int
  private let maximum: Int
  // The most records since the server called a batch too large, and how many such batches it took.
  private var cap: Int
  private var takenAtCap = 0

  init(maximum: Int) {
    self.maximum = maximum
    limit = maximum
    cap = maximum
  }

  mutating func halve(_ count: Int) { limit = max(1, count / 2) }

  /// The server called so many records too large.
  mutating func tooLarge(_ count: Int) {
    halve(count)
    (cap, takenAtCap) = (limit, 0)
  }

  /// The server took so many records.
  ///
  /// What was too large may have been a few large records: after a while more are tried again.
  mutating func taken(_ count: Int) {
    if cap < maximum, count >= cap { takenAtCap += 1 }
    if takenAtCap == Self.batchesAtCap { (cap, takenAtCap) = (min(cap * 2, maximum), 0) }
    limit = min(limit * 2, cap)
  }

  /// What was too large was a single record.
  mutating func removeCap() { (cap, takenAtCap) = (maximum, 0) }
}
