// SPDX-License-Identifier: Apache-2.0

/// The maximum size of a batch: halved after a refusal, doubled after a success.
struct BatchSize {
  /// The cap doubles after this many accepted batches at the cap.
  static let batchesAtCap = 10

  /// The maximum number of records in the next batch.
  private(set) var limit: Int
  private let maximum: Int
  // The limit since the server called a batch too large, and how many such batches it accepted.
  private var cap: Int
  private var takenAtCap = 0

  init(maximum: Int) {
    self.maximum = maximum
    limit = maximum
    cap = maximum
  }

  mutating func halve(_ count: Int) { limit = max(1, count / 2) }

  /// The server called this many records too large.
  mutating func tooLarge(_ count: Int) {
    halve(count)
    (cap, takenAtCap) = (limit, 0)
  }

  /// The server accepted this many records.
  ///
  /// The batch may have contained a few large records: after a while more are tried again.
  mutating func taken(_ count: Int) {
    if cap < maximum, count >= cap { takenAtCap += 1 }
    if takenAtCap == Self.batchesAtCap { (cap, takenAtCap) = (min(cap * 2, maximum), 0) }
    limit = min(limit * 2, cap)
  }

  /// The batch that was too large was a single record.
  mutating func removeCap() { (cap, takenAtCap) = (maximum, 0) }
}
