// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Viatom BP2` {
  @Test func `is read oldest first, then waited for`() throws {
    var bench = DriverBench(.viatomBP2, .bp2)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[118, 74, 59], [143, 91, 77]])
    #expect(result.accepted.map { $0[.meanArterialPressure] } == [88, 108])
    #expect(result.accepted.map(\.userSlot) == [8, 7])
    #expect(result.accepted.map { $0.findings.map(\.name) } == [[], ["irregular_pulse"]])
    #expect(
      result.accepted.last?.clock
        == .local(LocalDateTime(year: 2026, month: 2, day: 25, hour: 7, minute: 13, second: 20)))
    #expect(result.isReady)
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(120))
  }

  @Test func `with a new measurement is not waited for`() {
    var bench = DriverBench(.viatomBP2, .bp2)
    bench.press(.measure(number: 1))
    let result = bench.run()

    #expect(result.accepted.map(\.pressures).last == [115, 71, 67])
    #expect(!result.isReady)
    #expect(result.elapsed == .zero)
  }

  @Test func `reports serial number, battery and drift, and is set`() {
    var bench = DriverBench(.viatomBP2, .bp2, clock: VirtualClock(offsetSeconds: 3600))
    let result = bench.run()

    #expect(result.facts.contains(.serialNumber("2523C00812")))
    #expect(result.facts.contains(.batteryPercent(59)))
    #expect(result.facts.contains(.clockDrift(seconds: 3600)))
    #expect(result.events.contains(.clockSet))
  }

  /// Its battery is empty at 3.0 V and full at 4.2 V.
  @Test(
    arguments: [
      (2900, 0), (3000, 0), (3006, 0), (3012, 1), (3600, 50), (4188, 99), (4200, 100), (4300, 100),
    ])
  func `reports its battery by the voltage`(millivolts: UInt16, percent: Int) {
    var driver = begun()
    _ = answer(&driver, 0xE1, [], at: 0)
    _ = answer(&driver, 0xEC, [], at: 0)
    let actions = answer(
      &driver, 0x30, [0, 0, UInt8(millivolts & 0xFF), UInt8(millivolts >> 8)], at: 0)

    #expect(actions.first == .fact(.batteryPercent(percent)))
  }

  @Test(arguments: [0, 1, 2, 3])
  func `reports no battery that was cut`(count: Int) {
    var driver = begun()
    _ = answer(&driver, 0xE1, [], at: 0)
    _ = answer(&driver, 0xEC, [], at: 0)
    let actions = answer(&driver, 0x30, Array(repeating: 0x0F, count: count), at: 0)

    #expect(actions.count == 1)
    #expect(command(in: actions) == 0xF2)
  }

  @Test func `is paired without being read`() {
    var bench = DriverBench(.viatomBP2, .bp2, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.readings.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `never gets a harmful command`() {
    var bench = DriverBench(.viatomBP2, .bp2)
    let result = bench.run()

    let commands = Set(result.writes.compactMap { $0.bytes.dropFirst().first })
    #expect(commands == [0xE1, 0xEC, 0x30, 0xF2, 0xF3, 0xF4, 0x00])
    #expect(
      result.writes.allSatisfy {
        ForbiddenCommand.first(writing: $0.bytes, to: $0.attribute) == nil
      })
  }

  @Test func `is read again after a lost link`() {
    var bench = DriverBench(.viatomBP2, .bp2)
    bench.fault = .cut(afterValues: 9)
    #expect(bench.run().readings.isEmpty)

    bench.fault = nil
    #expect(bench.run().accepted.count == 2)
  }

  @Test func `that does not answer gets three requests`() {
    var driver = begun()
    #expect(driver.handle(.timeReached, at: later(4)).count == 1)
    #expect(driver.handle(.timeReached, at: later(8)).count == 1)

    guard case .fail(let failure)? = driver.handle(.timeReached, at: later(12)).last else {
      Issue.record("asks for ever")
      return
    }
    #expect(failure.kind == .timeout)
  }

  @Test func `that is measuring is polled until the result is available`() throws {
    var driver = begun()
    _ = answer(&driver, 0xE1, [], at: 0)
    _ = answer(&driver, 0xEC, [], at: 0)
    _ = answer(&driver, 0x30, [], at: 0)
    // The file is not given during a measurement.
    #expect(driver.handle(.timeReached, at: later(4)) == [.ready])
    #expect(command(in: driver.handle(.timeReached, at: later(9))) == 0x00)
    #expect(answer(&driver, 0x00, state(4), at: 9).isEmpty)
    #expect(command(in: driver.handle(.timeReached, at: later(14))) == 0x00)

    #expect(command(in: answer(&driver, 0x00, state(5), at: 14)) == 0xF2)
  }

  @Test func `that is idle is asked for its file until that was read`() throws {
    var driver = begun()
    _ = answer(&driver, 0xE1, [], at: 0)
    _ = answer(&driver, 0xEC, [], at: 0)
    _ = answer(&driver, 0x30, [], at: 0)
    #expect(driver.handle(.timeReached, at: later(4)) == [.ready])
    #expect(command(in: driver.handle(.timeReached, at: later(9))) == 0x00)

    #expect(command(in: answer(&driver, 0x00, state(3), at: 9)) == 0xF2)
  }

  @Test func `whose answers have no numbers is read, too`() throws {
    var driver = begun()
    for command: UInt8 in [0xE1, 0xEC] {
      let frame = try LepuFrame(command: command, direction: 1, content: [])
      #expect(driver.handle(.value(.bp2Answers, frame.payload), at: later(0)).count > 0)
    }
  }

  @Test func `with a late answer to an earlier request is read right`() throws {
    var driver = begun()
    _ = answer(&driver, 0xE1, [], at: 0)
    _ = answer(&driver, 0xEC, [], at: 0)
    _ = answer(&driver, 0x30, [], at: 0)
    _ = answer(&driver, 0xF2, [200, 0, 0, 0], at: 0)
    let late = try LepuFrame(
      command: 0xF3, direction: 1, sequence: driver.sequence,
      content: [UInt8](repeating: 1, count: 100))
    #expect(command(in: driver.handle(.timeReached, at: later(4))) == 0xF3)

    #expect(driver.handle(.value(.bp2Answers, late.payload), at: later(4)).isEmpty)
  }

  @Test func `whose first answer came late is still known by its numbers`() {
    var driver = begun()
    let first = driver.sequence
    _ = driver.handle(.timeReached, at: later(4))
    #expect(answer(&driver, 0xE1, [], sequence: first, at: 4).isEmpty)
    #expect(command(in: answer(&driver, 0xE1, [], at: 4)) == 0xEC)

    #expect(answer(&driver, 0xEC, [], sequence: first, at: 4).isEmpty)
  }

  @Test func `without numbers is not asked again for a part that may still come`() {
    var driver = begun()
    for command: UInt8 in [0xE1, 0xEC, 0x30] {
      _ = answer(&driver, command, [], sequence: 0, at: 0)
    }
    #expect(command(in: answer(&driver, 0xF2, [200, 0, 0, 0], sequence: 0, at: 0)) == 0xF3)

    #expect(driver.handle(.timeReached, at: later(4)).map(\.failure) == [.timeout])
  }

  @Test func `with an impossible file size is rejected`() {
    var driver = begun()
    _ = answer(&driver, 0xE1, [], at: 0)
    _ = answer(&driver, 0xEC, [], at: 0)
    _ = answer(&driver, 0x30, [], at: 0)

    guard case .fail(let failure)? = answer(&driver, 0xF2, [255, 255, 255, 255], at: 0).last else {
      Issue.record("reads 4 GiB")
      return
    }
    #expect(failure.kind == .communication)
  }

  @Test func `with a truncated file reports the truncated measurement`() {
    var driver = begun()
    _ = answer(&driver, 0xE1, [], at: 0)
    _ = answer(&driver, 0xEC, [], at: 0)
    _ = answer(&driver, 0x30, [], at: 0)
    _ = answer(&driver, 0xF2, [47, 0, 0, 0], at: 0)
    _ = answer(&driver, 0xF3, [UInt8](repeating: 1, count: 30), at: 0)
    #expect(command(in: answer(&driver, 0xF3, [], at: 0)) == 0xF4)

    #expect(refusals(in: answer(&driver, 0xF4, [], at: 0)) == [.malformed])
  }

  @Test func `that refuses to give its file again is not taken for empty`() throws {
    var driver = resting()
    _ = driver.handle(.timeReached, at: later(5))
    #expect(command(in: answer(&driver, 0x00, state(5), at: 5)) == 0xF2)

    let actions = answer(&driver, 0xF2, [], direction: 0xE1, at: 5)

    #expect(actions.map(\.failure) == [.communication])
    #expect(driver.deadline == nil)
  }

  @Test func `is not complete while it sends its file again`() {
    var driver = resting()
    #expect(driver.isComplete)
    _ = driver.handle(.timeReached, at: later(5))
    #expect(driver.isComplete)

    _ = answer(&driver, 0x00, state(5), at: 5)

    #expect(!driver.isComplete)
  }

  @Test func `that refuses the rest of its file has given the measurements before it`() {
    var driver = opened()
    _ = answer(&driver, 0xF2, [200, 0, 0, 0], at: 0)
    _ = answer(&driver, 0xF3, [UInt8](repeating: 1, count: 47), at: 0)

    let actions = answer(&driver, 0xF3, [], direction: 0xE1, at: 0)

    #expect(refusals(in: actions) == [nil])
    #expect(actions.map(\.failure) == [nil, .communication])
  }

  /// A monitor that is asked for its file.
  private func opened() -> BP2Driver {
    var driver = begun()
    for command: UInt8 in [0xE1, 0xEC, 0x30] { _ = answer(&driver, command, [], at: 0) }
    return driver
  }

  /// A monitor whose file, without measurements, was read.
  private func resting() -> BP2Driver {
    var driver = opened()
    _ = answer(&driver, 0xF2, [0, 0, 0, 0], at: 0)
    #expect(answer(&driver, 0xF4, [], at: 0) == [.ready])
    return driver
  }

  private func begun() -> BP2Driver {
    var driver = BP2Driver(DriverContext(attributes: [.bp2Requests, .bp2Answers]))
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.subscribed(.bp2Answers), at: noon)
    return driver
  }

  private func answer(
    _ driver: inout BP2Driver, _ command: UInt8, _ content: [UInt8], direction: UInt8 = 1,
    sequence: UInt8? = nil, at seconds: Double
  ) -> [DriverAction] {
    let frame = try? LepuFrame(
      command: command, direction: direction, sequence: sequence ?? driver.sequence,
      content: content)
    return driver.handle(.value(.bp2Answers, frame?.payload ?? []), at: later(seconds))
  }

  private func state(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 39) + [number] }

  private func command(in actions: [DriverAction]) -> UInt8? {
    guard case .write(_, let bytes)? = actions.last else { return nil }
    return bytes.dropFirst().first
  }
}
