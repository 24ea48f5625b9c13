// SPDX-License-Identifier: Apache-2.0

/// The updates that the radio has not sent yet.
struct UpdateQueue {
  static let limit = 10

  private var open: Set<RequestNumber> = []
  private var next: RequestNumber = 1
  private var owesReady = false

  /// The number for one more update; nil when there is no room.
  mutating func append() -> RequestNumber? {
    guard open.count < Self.limit else {
      owesReady = true
      return nil
    }
    defer { next += 1 }
    open.insert(next)
    return next
  }

  /// Removes an update; true when there is room again and an update was refused before.
  mutating func remove(_ number: RequestNumber) -> Bool {
    open.remove(number)
    guard owesReady, open.count <= Self.limit / 2 else { return false }
    owesReady = false
    return true
  }

  mutating func removeAll() {
    open = []
    owesReady = false
  }
}
