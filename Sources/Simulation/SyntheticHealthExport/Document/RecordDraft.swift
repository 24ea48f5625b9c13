// SPDX-License-Identifier: Apache-2.0

/// A record before it is written.
struct RecordDraft {
  enum Value {
    /// Millionths of the unit.
    case quantity(Int)
    case category(StaticString)
    case none
  }

  struct Entry {
    let key: StaticString
    let value: String
  }

  var start: Int
  var end: Int
  /// When the record reached the store.
  var creation: Int
  var source: Source
  var value: Value
  var metadata: [Entry] = []
  /// Heart beats of a variability: beats a minute, and hundredths of a second after the start.
  var beats: [(rate: Int, hundredths: Int)] = []

  init(_ source: Source, _ interval: Range<Int>, _ value: Value, delay: Int = 4) {
    start = interval.lowerBound
    end = interval.upperBound
    creation = interval.upperBound + delay
    self.source = source
    self.value = value
  }

  /// A sample of one moment.
  init(_ source: Source, at instant: Int, _ value: Value, delay: Int = 4) {
    self.init(source, instant..<instant, value, delay: delay)
  }

  /// The same with another metadata entry.
  func with(_ key: StaticString, _ value: String) -> Self {
    var copy = self
    copy.metadata.append(Entry(key: key, value: value))
    return copy
  }
}
