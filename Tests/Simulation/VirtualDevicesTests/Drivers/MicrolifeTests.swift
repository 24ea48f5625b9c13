// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@Suite struct `Microlife monitors` {
  @Test func `are set and read`() throws {
    var bench = DriverBench(.microlife, .bp3GY1)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[120, 80, 60], [130, 85, 70]])
    #expect(
      result.accepted.first?.clock
        == .local(LocalDateTime(year: 2024, month: 6, day: 15, hour: 14, minute: 30, second: 0)))
    #expect(result.events.contains(.clockSet))
    #expect(result.end == .finish)
    #expect(result.elapsed == .zero)
  }

  @Test func `are set, read completely and disconnected`() {
    var bench = DriverBench(.microlife, .bp3GY1)
    let result = bench.run()

    #expect(
      result.writes.map(\.bytes) == [
        [0x4D, 0xFF, 0x00, 0x08, 0x0D, 26, 3, 29, 14, 0, 0, 0xA9],
        [0x4D, 0xFF, 0x00, 0x09, 0, 0, 0, 0, 0, 0, 0, 0xFD, 0x52],
        [0x4D, 0xFF, 0x00, 0x02, 0x04, 0x52],
      ])
  }

  @Test func `are paired without being read`() {
    var bench = DriverBench(.microlife, .bp3GY1, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.readings.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `are read again after a lost connection`() {
    var bench = DriverBench(.microlife, .bp3GY1)
    bench.fault = .cut(afterValues: 3)
    #expect(bench.run().readings.isEmpty)

    bench.fault = nil
    #expect(bench.run().accepted.count == 2)
  }

  @Test func `are read even if they do not confirm the time`() {
    var driver = begun()

    let actions = driver.handle(.timeReached, at: later(5))

    #expect(actions == [.write(.microlifeCommands, MicrolifeFrame.readAll.payload)])
    guard case .fail(let failure)? = driver.handle(.timeReached, at: later(10)).last else {
      Issue.record("waits for ever")
      return
    }
    #expect(failure.kind == .timeout)
  }

  @Test func `are not timed out while data arrives`() {
    var driver = begun()
    _ = driver.handle(.timeReached, at: later(5))
    #expect(
      driver.handle(.value(.microlifeReplies, [0x4D, 0x3A, 0x00, 0x50]), at: later(9)).isEmpty)

    #expect(driver.handle(.timeReached, at: later(10)).isEmpty)
    #expect(driver.handle(.timeReached, at: later(14)).count == 1)
  }

  @Test func `report a slot without a time`() throws {
    var driver = begun()
    _ = driver.handle(.timeReached, at: later(5))
    let slot: [UInt8] = [120, 80, 60, 24, 0, 15, 14, 30, 0, 0]
    let frame = try MicrolifeFrame(.monitor, content: [UInt8](repeating: 0, count: 38) + slot)

    let actions = driver.handle(.value(.microlifeReplies, frame.payload), at: later(5))

    #expect(refusals(in: actions) == [.malformed])
    #expect(actions.last == .finish)
  }

  private func begun() -> MicrolifeDriver {
    var driver = MicrolifeDriver(
      DriverContext(attributes: [.microlifeReplies, .microlifeCommands]))
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.subscribed(.microlifeReplies), at: noon)
    return driver
  }
}
