// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth
import SantorioCore
import Testing
import VirtualDevices

@testable import Hub

@Suite struct `The clock of a machine` {
  private static let start = Date(timeIntervalSince1970: 1_772_344_800)
  private let device = UUID()

  /// What is noted after an hour, if a device became a patient's after half an hour.
  private func facts(boot: String = "1") -> HubFacts {
    var facts = HubFacts()
    #expect(facts.noteClock(Uptime(boot: "1", seconds: 60), at: Self.start + 60) == nil)
    var known = DeviceFacts(since: Self.start)
    known.settle("ward/1", slot: nil, HandOver(at: Self.start + 1800))
    facts[device] = known
    return facts
  }

  private func date(in facts: HubFacts) -> Date? {
    facts[device]?.owners.owner(ofSlot: nil)?.since?.date
  }

  @Test(arguments: [10_800.0, -7200])
  func `moves the beginning of an ownership with it when it is set`(step: Double) {
    var facts = facts()
    let now = Self.start + 3600 + step
    #expect(facts.noteClock(Uptime(boot: "1", seconds: 3600), at: now) == step)
    #expect(date(in: facts) == Self.start + 1800 + step)
    #expect(facts.noteClock(Uptime(boot: "1", seconds: 3660), at: now + 60) == nil)
    #expect(date(in: facts) == Self.start + 1800 + step)
  }

  @Test func `moves nothing that began before the machine was started`() {
    var facts = facts()
    let now = Self.start + 7200
    #expect(facts.noteClock(Uptime(boot: "2", seconds: 60), at: now) == nil)
    #expect(facts.noteClock(Uptime(boot: "2", seconds: 120), at: now + 3660) == 3600)
    #expect(date(in: facts) == Self.start + 1800)
  }

  @Test func `is not taken for set by less than a second`() {
    var facts = facts()
    #expect(facts.noteClock(Uptime(boot: "1", seconds: 3600), at: Self.start + 3600.9) == nil)
    #expect(date(in: facts) == Self.start + 1800)
  }

  @Test func `is the kernel's`() throws {
    let (one, other) = (try #require(Uptime.now()), try #require(Uptime.now()))
    #expect(one.boot == other.boot && one.boot.count == 36)
    #expect(one.seconds > 0 && one.seconds <= other.seconds)
  }

  @Test func `moves nothing twice that begins just after it was set`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    room.setClock(by: 10_800)
    let before = room.now()
    try await room.enroll(device, for: "bed-1", in: gateway)
    let since = gateway.memory.current[device.identifier]?.owners.owner(ofSlot: nil)?.since
    #expect((before - 1...room.now() + 1).contains(try #require(since?.date)))
    await room.stop(gateway)
  }

  @Test func `moves ownerships of a running gateway, also in the file of the session`() async throws
  {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    func dates() async -> [Date?] {
      let receiver = await gateway.sessions["bed-1"]?.receiver
      return [
        await gateway.assignments.device(device.identifier)?.owners.first?.since?.date,
        await receiver?.ownership(of: device.identifier)?.date,
      ]
    }
    let began = try #require(await dates()[0])
    room.setClock(by: 10_800)
    await gateway.update()
    #expect(
      try await room.advance(gateway) {
        let dates = await dates()
        return dates[0] != began && dates[0] == dates[1]
      })
    let moved = try #require(await dates()[0])
    #expect((10_800...10_801).contains(moved.timeIntervalSince(began)))
    await room.stop(gateway)
  }
}
