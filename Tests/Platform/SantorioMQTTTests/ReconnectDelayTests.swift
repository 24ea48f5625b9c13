// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import SantorioMQTT

@Suite struct `Delay before a new connection` {
  /// Always gives the upper end of a range.
  private struct Highest: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
  }

  private func waits(_ connections: [Duration?]) -> [Int] {
    var delay = ReconnectDelay(first: .seconds(1), longest: .seconds(10))
    var highest = Highest()
    return connections.map { connection in
      let wait = delay.wait(afterConnectionOf: connection, using: &highest)
      return Int((wait / .seconds(1)).rounded())
    }
  }

  @Test func `doubles up to the longest`() {
    #expect(waits([nil, nil, nil, nil, nil, nil]) == [1, 2, 4, 8, 10, 10])
  }

  @Test func `starts over after a connection that lasted`() {
    #expect(waits([nil, nil, .seconds(10), nil]) == [1, 2, 1, 2])
  }

  @Test func `does not start over after a connection that ended at once`() {
    #expect(waits([nil, .milliseconds(9999), .zero, nil]) == [1, 2, 4, 8])
  }

  @Test func `is at least half of the delay`() {
    var generator = SeededGenerator(seed: 1)
    var delay = ReconnectDelay(first: .seconds(4), longest: .seconds(4))
    let waits = (0..<200).map { _ in delay.wait(afterConnectionOf: nil, using: &generator) }
    #expect(waits.allSatisfy { $0 >= .seconds(2) && $0 <= .seconds(4) })
    #expect(Set(waits).count > 100)
  }
}
