// SPDX-License-Identifier: Apache-2.0

/// The updates that the radio has not sent yet.
struct UpdateQueue {
  static let limit = 10

  private var open: Set<RequestNumber> = []
  private var next: RequestNumber = 1
  private var hasRefused = false

  /// The number for one more update; nil when the queue is full.
  mutating func append() -> RequestNumber? {
    guard open.count < Self.limit else {
      hasRefused = true
      return nil
    }
    defer { next += 1 }
    open.insert(next)
    return next
  }

  /// Removes an update; true when the queue has space again after an update was refused.
  mutating func remove(_ number: RequestNumber) -> Bool {
    open.remove(number)
    guard hasRefused, open.count <= Self.limit / 2 else { return false }
    hasRefused = false
    return true
  }

  mutating func removeAll() {
    open = []
    hasRefused = false
  }
}
