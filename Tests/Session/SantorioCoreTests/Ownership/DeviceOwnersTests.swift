// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import SantorioCore

@Suite struct `The owners of a device` {
  private let start = Date(timeIntervalSince1970: 1_790_000_000)

  private func time(_ seconds: Double) -> RecordTime {
    RecordTime(start: start + seconds, origin: .deviceCorrected, received: start + 1_000_000)
  }

  private func candidates(_ owners: DeviceOwners, _ seconds: Double) -> [String] {
    owners.candidates(for: time(seconds), slot: nil, toleratedLead: 600)
  }

  /// The device of "a" becomes that of "b" after an hour.
  private var changed: DeviceOwners {
    var owners = DeviceOwners()
    owners.settle("a", slot: nil, HandOver(at: start))
    owners.settle("b", slot: nil, HandOver(at: start + 3600))
    return owners
  }

  @Test func `are all known who may have measured a reading, after many changes`() {
    var owners = changed
    for number in 2...40 {
      owners.settle(
        number.isMultiple(of: 2) ? "c" : "b", slot: nil,
        HandOver(at: start + Double(number) * 3600))
    }
    #expect(candidates(owners, 3500) == ["a", "b"])
    #expect(candidates(owners, 1800) == ["a"])
  }

  @Test func `are unknown of a time that is too many changes ago`() {
    var owners = changed
    for number in 2...200 {
      owners.settle(
        number.isMultiple(of: 2) ? "c" : "b", slot: nil,
        HandOver(at: start + Double(number) * 3600))
    }
    #expect(candidates(owners, 1800) == [""])
    #expect(candidates(owners, 199.5 * 3600) == ["b"])
  }

  @Test(arguments: [2_592_000.0, -2_592_000])
  func `have ended when the next one began, also after the clock was set`(step: Double) {
    var owners = changed
    owners.move(since: start - 60, by: step)
    #expect(candidates(owners, 1800 + step) == ["a"])
    #expect(candidates(owners, 9000 + step) == ["b"])
    #expect(owners.owner(ofSlot: nil)?.since?.earliest == start + step)
  }

  @Test func `have it until the next one has it`() {
    var owners = DeviceOwners()
    owners.settle("a", slot: nil, HandOver(at: start))
    owners.leave(except: [:], at: start + 3600)
    #expect(candidates(owners, 100_000) == ["a"])
    owners.settle("b", slot: nil, HandOver(at: start + 200_000))
    #expect(candidates(owners, 100_000) == ["a"])
    #expect(candidates(owners, 300_000) == ["b"])
  }

  @Test func `include the former one where the clock may have been set since`() {
    let reading = RecordTime(
      start: start + 3600 + 7200, origin: .device,
      deviceTime: LocalDateTime(secondsSince1970: 1_790_010_800), received: start + 3600 + 7300,
      clockDriftSeconds: 0)
    #expect(changed.candidates(for: reading, slot: nil, toleratedLead: 600) == ["a", "b"])
  }

  @Test func `count the one before again when the last one comes back`() {
    var owners = DeviceOwners()
    owners.settle("a", slot: nil, HandOver(at: start))
    owners.settle("b", slot: nil, HandOver(at: start + 3600))
    owners.leave(except: [:], at: start + 7200)
    for takesMemory in [false, true] {
      let given = owners.since(
        givenTo: "b", slot: nil, HandOver(at: start + 9000, takesMemory: takesMemory))
      #expect(given?.isChange == true && given?.earliest == start)
    }
    owners.settle("b", slot: nil, HandOver(at: start + 9000))
    #expect(owners.owner(ofSlot: nil)?.former == "a")
  }

  @Test(arguments: [
    (1800.0, "a"), (3500, "a b"), (5000, "b"), (7300, "b"), (8000, "b"), (8990, "b c"), (9500, "c"),
  ])
  func `who may have measured a reading are those of its time`(seconds: Double, accounts: String) {
    var owners = DeviceOwners()
    owners.settle("a", slot: nil, HandOver(at: start))
    owners.settle("b", slot: nil, HandOver(at: start + 3600))
    owners.leave(except: [:], at: start + 7200)
    owners.settle("c", slot: nil, HandOver(at: start + 9000))
    // Its clock was read.
    let time = RecordTime(
      start: start + seconds, origin: .deviceCorrected, received: start + 10_000)
    let candidates = owners.candidates(for: time, slot: nil, toleratedLead: 100)
    #expect(candidates.joined(separator: " ") == accounts)
    let unknown = RecordTime(start: start, origin: .received, received: start)
    #expect(owners.candidates(for: unknown, slot: nil, toleratedLead: 100) == ["a", "b", "c"])
  }
}
