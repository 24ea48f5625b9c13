// SPDX-License-Identifier: Apache-2.0

/// Calendar days as half-open intervals of instants.
struct DayGrid: Sendable {
  let name: String
  /// The number of the first day of the grid, which is the day before the export's first.
  let first: Int
  let starts: [Int]

  /// Days of the zone at home, whatever the place.
  init(home timeline: Timeline) {
    name = "home"
    first = timeline.first - 1
    starts = (timeline.first - 1...timeline.last + 2).map {
      timeline.home.instant(ofLocal: $0 * 86_400)
    }
  }

  /// Days of the zone of the place.
  init(local timeline: Timeline) {
    name = "local"
    first = timeline.first - 1
    starts = (timeline.first - 1...timeline.last + 2).map { timeline.start($0) }
  }

  var count: Int { starts.count - 1 }

  func interval(_ index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

  /// The place of the day of an instant; nil outside the grid.
  func index(of instant: Int) -> Int? {
    guard instant >= starts[0], instant < starts[count] else { return nil }
    var index = min(max(0, (instant - starts[0]) / 86_400), count - 1)
    while starts[index] > instant { index -= 1 }
    while starts[index + 1] <= instant { index += 1 }
    return index
  }
}

extension Range<Int> {
  /// The common part; empty where there is none.
  func meet(_ other: Range<Int>) -> Range<Int> {
    let low = Swift.max(lowerBound, other.lowerBound)
    return low..<Swift.max(low, Swift.min(upperBound, other.upperBound))
  }
}
