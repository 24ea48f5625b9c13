// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@Suite struct `Memory of Omron monitors` {
  @Test func `over four channels is read for both users`() throws {
    var bench = DriverBench(.omronClassicMemory, .hem7322T)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[122, 95, 117], [106, 86, 64], [110, 91, 70]])
    #expect(result.accepted.map(\.userSlot) == [1, 1, 2])
    let first = try #require(result.accepted.first)
    #expect(first.findings.map(\.name) == ["body_movement", "irregular_pulse"])
    #expect(
      first.clock
        == .local(LocalDateTime(year: 2021, month: 5, day: 25, hour: 2, minute: 31, second: 59)))
    #expect(result.end == .finish)
    #expect(result.facts.contains(.model("HEM-7322T-E")))
  }

  @Test func `of an EVOLV gives a recorded measurement`() {
    var bench = DriverBench(.omronClassicMemory, .hem7600T)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[145, 91, 72]])
  }

  @Test func `over one channel gives recorded measurements with their numbers`() {
    var bench = DriverBench(.omronModernMemory, .hem7142T2)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[125, 87, 67], [126, 88, 84], [125, 90, 97]])
    #expect(result.accepted.map(\.sequenceNumber) == [70, 76, 13])
  }

  @Test(arguments: [VirtualDeviceModel.hem7322T, .hem7142T2])
  func `is never written`(device: VirtualDeviceModel) {
    for purpose in [DriverContext.Purpose.read, .pair] {
      var bench = DriverBench(
        device.id == "hem-7322t" ? .omronClassicMemory : .omronModernMemory, device,
        purpose: purpose)
      bench.press(.pairingMode)
      let result = bench.run()

      #expect(!result.writes.isEmpty)
      #expect(
        result.writes.allSatisfy {
          ForbiddenCommand.first(writing: $0.bytes, to: $0.attribute) == nil
        })
    }
  }

  @Test func `opens with the key written during pairing`() {
    let map = OmronMemoryMap.all[0]
    let device = VirtualOmronMemory(
      .classic, model: map.model, map: map, slots: [], key: nil, clock: VirtualClock())

    var early = DriverBench(.omronClassicMemory, device)
    guard case .fail(let refused)? = early.run().end else {
      Issue.record("opened without a key")
      return
    }
    #expect(refused.kind == .notAuthorized)

    var paired = DriverBench(.omronClassicMemory, device, purpose: .pair)
    paired.press(.pairingMode)
    let result = paired.run()
    #expect(result.isPaired)
    #expect(result.secrets == [.password: OmronUnlock.usualKey])
    #expect(result.end == .finish)
  }

  @Test func `opens with the stored key`() {
    let map = OmronMemoryMap.all[0]
    let key = [UInt8](1...16)
    let device = VirtualOmronMemory(
      .classic, model: map.model, map: map, slots: [], key: key, clock: VirtualClock())
    var bench = DriverBench(.omronClassicMemory, device, secrets: [.password: key])

    #expect(bench.run().end == .finish)
  }

  @Test func `accepts no key outside pairing mode`() {
    var bench = DriverBench(.omronClassicMemory, .hem7322T, purpose: .pair)

    guard case .fail(let failure)? = bench.run().end else {
      Issue.record("paired")
      return
    }
    #expect(failure.kind == .notPaired)
  }

  @Test func `reports an impossible slot and continues`() {
    let map = OmronMemoryMap.map(of: "HEM-7600T-W") ?? OmronMemoryMap.all[0]
    let good = BloodPressureFrames.bytesForTests("5b781a4819d71b42000014006996")
    let broken = BloodPressureFrames.bytesForTests("5b781a4800d71b42000014006996")
    let device = VirtualOmronMemory(
      .classic, model: "HEM-7600T-W", map: map, slots: [[broken, good]], clock: VirtualClock())
    var bench = DriverBench(.omronClassicMemory, device)
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [.malformed, nil])
    #expect(result.readings.first?.payload == broken)
  }

  @Test func `can be read again from the beginning after a lost link`() {
    var bench = DriverBench(.omronClassicMemory, .hem7322T)
    bench.fault = .cut(afterValues: 12)
    let cut = bench.run()
    #expect(cut.end == nil)

    bench.fault = nil
    #expect(bench.run().accepted.count == 3)
  }

  @Test func `of an unknown model is read by the profile if supported`() {
    let attributes = Set(OmronAccess.modern.requests + OmronAccess.modern.answers)
    for (extra, isRead) in [([GATTAttribute.bloodPressureMeasurement], true), ([], false)] {
      var driver = OmronMemoryDriver(
        DriverContext(attributes: attributes.union(extra)), access: .modern)
      var actions = driver.handle(.begun, at: noon)
      actions += driver.handle(.subscribed(OmronAccess.modern.answers[0]), at: noon)

      if isRead {
        #expect(actions.last == .subscribe(.bloodPressureMeasurement))
      } else if case .fail(let failure)? = actions.last {
        #expect(failure.kind == .communication)
      } else {
        Issue.record("neither read nor failed")
      }
    }
  }

  @Test func `is requested again a limited number of times without an answer`() throws {
    let access = OmronAccess.modern
    var driver = OmronMemoryDriver(
      DriverContext(
        attributes: Set(access.requests + access.answers + [GATTAttribute("180A", "2A24")])),
      access: access)
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.value(GATTAttribute("180A", "2A24"), Array("HEM-7361T-D".utf8)), at: noon)
    let begun = driver.handle(.subscribed(access.answers[0]), at: noon)
    #expect(begun == [.write(access.requests[0], OmronFrame.start.payload)])

    for attempt in 1...3 {
      let again = driver.handle(.timeReached, at: later(Double(3 * attempt)))
      #expect(again == [.write(access.requests[0], OmronFrame.start.payload)])
    }
    guard case .fail(let failure)? = driver.handle(.timeReached, at: later(12)).last else {
      Issue.record("asks for ever")
      return
    }
    #expect(failure.kind == .timeout)
    #expect(driver.handle(.timeReached, at: later(15)).isEmpty)
  }

  @Test func `skips a user whose first two blocks are refused, and says so`() throws {
    var driver = try reading()
    #expect(try refuse(0x0098, &driver) == [read(at: 0x00B8)])

    let actions = try refuse(0x00B8, &driver)

    #expect(refusals(in: actions) == [.malformed])
    #expect(actions.last == read(at: 0x06D8))
  }

  @Test func `reads a user's memory whose first block only is refused`() throws {
    var driver = try reading()
    _ = try refuse(0x0098, &driver)

    let actions = try answer(0x00B8, [UInt8](repeating: 0xFF, count: 32), &driver)

    #expect(refusals(in: actions) == [.malformed])
    #expect(actions.last == read(at: 0x00D8))
  }

  @Test func `asks again for a block that is not sent whole`() throws {
    var driver = try reading()
    let half = [UInt8](repeating: 0xFF, count: 16)
    for _ in 1...3 { #expect(try answer(0x0098, half, &driver) == [read(at: 0x0098)]) }

    let actions = try answer(0x0098, half, &driver)

    #expect(refusals(in: actions) == [.malformed])
    #expect(actions.last == read(at: 0x00B8))
  }

  /// A monitor with two users that is asked for its first block.
  private func reading() throws -> OmronMemoryDriver {
    let access = OmronAccess.modern
    var driver = OmronMemoryDriver(
      DriverContext(
        attributes: Set(access.requests + access.answers + [GATTAttribute("180A", "2A24")])),
      access: access)
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.value(GATTAttribute("180A", "2A24"), Array("HEM-7361T-D".utf8)), at: noon)
    _ = driver.handle(.subscribed(access.answers[0]), at: noon)
    let started = try OmronFrame(.started, size: 0x10).payload
    #expect(driver.handle(.value(access.answers[0], started), at: noon) == [read(at: 0x0098)])
    return driver
  }

  private func read(at address: UInt16) -> DriverAction {
    .write(OmronAccess.modern.requests[0], OmronFrame.read(32, at: address).payload)
  }

  private func answer(
    _ address: UInt16, _ data: [UInt8], _ driver: inout OmronMemoryDriver
  ) throws -> [DriverAction] {
    let status: UInt8 = data.isEmpty ? 0x07 : 0
    let frame = try OmronFrame(.memory, address: address, size: 32, data: data, status: status)
    return driver.handle(.value(OmronAccess.modern.answers[0], frame.payload), at: noon)
  }

  /// Refuses a block as often as it is asked for.
  private func refuse(
    _ address: UInt16, _ driver: inout OmronMemoryDriver
  ) throws -> [DriverAction] {
    for _ in 1...3 {
      let again = try answer(address, [], &driver)
      #expect(again == [read(at: address)])
    }
    return try answer(address, [], &driver)
  }

  @Test func `reads on after a part of the memory that the monitor does not send`() throws {
    var driver = try reading()
    _ = try answer(0x0098, [UInt8](repeating: 0xFF, count: 32), &driver)

    let actions = try refuse(0x00B8, &driver)

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing is said")
      return
    }
    #expect(reading.rejection?.reason == .malformed)
    #expect(actions.last == read(at: 0x00D8))
  }

  @Test func `ignores garbage and answers to other requests`() throws {
    let access = OmronAccess.modern
    var driver = try reading()

    let other = try OmronFrame(.memory, address: 0x1234, data: [1, 2, 3]).payload
    for bytes in [[], [0xFF], [0x08, 0, 0], other, [UInt8](repeating: 0x40, count: 64)] {
      #expect(driver.handle(.value(access.answers[0], bytes), at: noon).isEmpty)
    }
  }
}

@Suite struct `Pieces of an Omron frame` {
  private let frame = [UInt8](0..<40)

  @Test func `are joined in any order after the first`() {
    var channels = OmronChannels(channelCount: 4)
    var whole = frame
    whole[0] = 40
    let pieces = OmronChannels.pieces(of: whole, channelCount: 4)
    #expect(pieces.map(\.count) == [16, 16, 8])

    #expect(channels.received(pieces[0], channel: 0) == nil)
    #expect(channels.received(pieces[2] + [0, 0], channel: 2) == nil)
    #expect(channels.received(pieces[1], channel: 1) == whole)
  }

  @Test func `of an incomplete frame are dropped with the next frame`() {
    var channels = OmronChannels(channelCount: 4)
    #expect(channels.received([40, 1, 2], channel: 0) == nil)
    #expect(channels.received([3, 1, 2, 9, 9], channel: 0) == [3, 1, 2])
  }

  @Test func `that announce more than the channels hold are rejected`() {
    var channels = OmronChannels(channelCount: 4)
    #expect(channels.received([65], channel: 0) == nil)
    #expect(channels.received([], channel: 0) == nil)
    var single = OmronChannels(channelCount: 1)
    #expect(single.received([8, 1, 2], channel: 0) == nil)
    #expect(single.received([3, 1, 2, 7], channel: 0) == [3, 1, 2])
  }
}

extension BloodPressureFrames {
  static func bytesForTests(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
