// SPDX-License-Identifier: Apache-2.0

/// Nanoseconds since the environment was created.
typealias Moment = Int64

extension Duration {
  /// Whole nanoseconds, limited to the range of the type.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min / 4 : .max / 4 }
    return product + attoseconds / 1_000_000_000
  }
}

/// An event that happens later, unless it is cancelled; scheduled at most once at a time.
final class ScheduledEvent {
  private(set) var action: (() -> Void)?

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  func cancel() {
    action = nil
  }
}

/// The scheduled events: a binary heap by time, then by order of entry.
struct Schedule {
  private struct Entry {
    let time: Moment
    let order: UInt64
    let event: ScheduledEvent

    static func < (left: Entry, right: Entry) -> Bool {
      left.time == right.time ? left.order < right.order : left.time < right.time
    }
  }

  private var heap: [Entry] = []
  private var order: UInt64 = 0

  /// The time of the next event.
  var nextTime: Moment? {
    mutating get {
      while let first = heap.first, first.event.action == nil { removeFirst() }
      return heap.first?.time
    }
  }

  mutating func add(_ event: ScheduledEvent, at time: Moment) {
    order += 1
    heap.append(Entry(time: time, order: order, event: event))
    siftUp(from: heap.count - 1)
  }

  /// Removes the next event; it can no longer be cancelled.
  mutating func popNext() -> (time: Moment, action: () -> Void)? {
    guard let time = nextTime, let action = heap.first?.event.action else { return nil }
    removeFirst()
    return (time, action)
  }

  private mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    siftDown()
  }

  private mutating func siftUp(from start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
