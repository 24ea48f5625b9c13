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

  @Test func `tells of a long silence since the device was heard`() {
    var told: [String: Date] = [:]
    let heard = start + day
    #expect(found(&told, .init(lastHeard: heard), after: 4 * day - 1) == [])
    #expect(found(&told, .init(lastHeard: heard), after: 4 * day) == [.silent])
    #expect(told == ["silent": heard])
    #expect(found(&told, .init(lastHeard: heard), after: 9 * day) == [])
    #expect(found(&told, .init(lastHeard: start + 9 * day), after: 9 * day) == [.heardAgain])
    #expect(told.isEmpty)
  }

  @Test func `counts from the beginning for a device that was never heard`() {
    var told: [String: Date] = [:]
    #expect(found(&told, .init(), after: 2 * day) == [])
    #expect(found(&told, .init(), after: 3 * day) == [.silent])
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
