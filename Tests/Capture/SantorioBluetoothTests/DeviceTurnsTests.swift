// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth
import Testing

private let first = UUID()
private let second = UUID()

@Suite struct `Turns of devices` {
  private var turns = DeviceTurns()

  @Test mutating func `a device pauses after new readings, so that others get their turn`() {
    #expect(turns.untilNext(at: .zero) == nil)
    #expect(turns.served(first, readings: ["a", "b"], at: .seconds(10)) == 2)
    #expect(turns.resting(at: .seconds(14)) == [first])
    #expect(turns.untilNext(at: .seconds(12)) == .seconds(3))
    #expect(turns.resting(at: .seconds(15)) == [])
    #expect(turns.untilNext(at: .seconds(15)) == nil)
  }

  @Test mutating func `a device without new readings pauses longer each time`() {
    var (now, rests) = (Duration.zero, [Duration]())
    turns.served(first, readings: ["a"], at: now)
    for readings in [["a"], [], ["a"], [], ["a"], ["a"], ["a"]] {
      now += turns.untilNext(at: now) ?? .zero
      #expect(turns.served(first, readings: readings, at: now) == 0)
      rests.append(turns.untilNext(at: now) ?? .zero)
    }
    #expect(rests == [10, 20, 40, 80, 120, 120, 120].map { .seconds($0) })
    now += .seconds(120)
    #expect(turns.served(first, readings: ["a", "b"], at: now) == 1)
    #expect(turns.untilNext(at: now) == .seconds(5))
  }

  @Test mutating func `a device that was asleep starts with the shortest pause`() {
    for seconds in [0, 5, 15, 35] { turns.served(first, readings: [], at: .seconds(seconds)) }
    #expect(turns.untilNext(at: .seconds(35)) == .seconds(40))
    turns.served(first, readings: [], at: .seconds(3600))
    #expect(turns.untilNext(at: .seconds(3600)) == .seconds(5))
  }

  @Test mutating func `no device starves another`() {
    // Both are awake all the time: one sends the same again and again, the other has news always.
    var (now, counts) = (Duration.zero, [first: 0, second: 0])
    while now < .seconds(900) {
      let resting = turns.resting(at: now)
      guard let next = [first, second].first(where: { !resting.contains($0) }) else {
        now += turns.untilNext(at: now) ?? .zero
        continue
      }
      now += .seconds(6)
      let count = (counts[next] ?? 0) + 1
      counts[next] = count
      turns.served(next, readings: next == first ? ["a"] : ["\(count)"], at: now)
    }
    #expect((8...14).contains(counts[first] ?? 0), "\(counts)")
    #expect((counts[second] ?? 0) > 60, "\(counts)")
  }

  @Test mutating func `are remembered for a limited number of devices`() {
    for number in 0...DeviceTurns.capacity {
      turns.served(UUID(), readings: [], at: .milliseconds(number))
    }
    #expect(turns.resting(at: .seconds(1)).count == DeviceTurns.capacity)
  }
}
