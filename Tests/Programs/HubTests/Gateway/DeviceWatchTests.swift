// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import Hub

private let start = Date(timeIntervalSince1970: 1_790_000_000)
private let day: TimeInterval = 86_400

@Suite struct `Looking after devices` {
  private let watch = DeviceWatch(silence: 3 * day)

  private func found(
    _ told: inout [String: Date], _ facts: DeviceWatch.Facts, after seconds: TimeInterval
  ) -> [DeviceStatusFinding] {
    watch.changes(to: &told, by: facts, since: start, at: start + seconds).map(\.finding)
  }

  @Test func `tells of a low battery once, and of its end`() {
    var told: [String: Date] = [:]
    let charges = [80, 16, 15, 8, 16, 24, nil, 25, 14]
    let findings = charges.enumerated().map { index, charge in
      found(
        &told, .init(lastHeard: start + Double(index), batteryPercent: charge), after: Double(index)
      )
    }
    #expect(
      findings == [
        [], [], [.lowBattery], [], [], [], [], [.batteryReplaced], [.lowBattery],
      ])
  }

  @Test func `tells of a long silence, and of its end`() {
    var told: [String: Date] = [:]
    let heard = start + day
    func facts(_ heard: Date, _ silence: TimeInterval) -> DeviceWatch.Facts {
      .init(lastHeard: heard, silentFor: silence)
    }
    #expect(found(&told, facts(heard, 3 * day - 1), after: 9 * day) == [])
    #expect(found(&told, facts(heard, 3 * day), after: 9 * day) == [.silent])
    #expect(told == ["silent": heard])
    #expect(found(&told, facts(heard, 8 * day), after: 19 * day) == [])
    #expect(found(&told, facts(start + 19 * day, 0), after: 19 * day) == [.heardAgain])
    #expect(told.isEmpty)
  }

  @Test func `tells of a lost bond and of the new one`() {
    var told: [String: Date] = [:]
    let (lost, kept) = (
      DeviceWatch.Facts(lastHeard: start, isBondLost: true), DeviceWatch.Facts(lastHeard: start)
    )
    #expect(found(&told, lost, after: 1) == [.bondLost])
    #expect(found(&told, lost, after: 2) == [])
    #expect(found(&told, kept, after: 3) == [.pairedAgain])
  }
}

@Suite struct `The time of listening` {
  private let device = UUID()

  @Test func `counts while devices are listened for only`() {
    var time = ListeningTime()
    #expect(time.silence(of: device, lastHeard: start) == 0)
    time.note(isListening: true, at: .seconds(0))
    time.note(isListening: true, at: .seconds(100))
    time.note(isListening: false, at: .seconds(500))
    time.note(isListening: true, at: .seconds(550))
    #expect(time.silence(of: device, lastHeard: start) == 150)
    #expect(time.silence(of: device, lastHeard: start + 1) == 0)
    time.note(isListening: true, at: .seconds(560))
    #expect(time.silence(of: device, lastHeard: start + 1) == 10)
  }

  @Test func `goes on after a restart, and leaves out the time without a hub`() throws {
    var facts = HubFacts()
    facts[device] = DeviceFacts(since: start)
    var first = ListeningTime(facts)
    _ = first.silence(of: device, lastHeard: start)
    first.note(isListening: true, at: .seconds(0))
    first.note(isListening: true, at: .seconds(700))
    #expect(first.isDue)
    first.write(to: &facts)
    let decoder = JSONDecoder()
    var second = ListeningTime(
      try decoder.decode(HubFacts.self, from: try JSONEncoder().encode(facts)))
    second.note(isListening: true, at: .seconds(9_000_000))
    second.note(isListening: true, at: .seconds(9_000_010))
    #expect(second.silence(of: device, lastHeard: start) == 710)
  }
}
