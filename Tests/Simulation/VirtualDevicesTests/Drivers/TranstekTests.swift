// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@Suite struct `Transtek monitors` {
  @Test func `give the next measurement after the last is stored`() throws {
    var bench = DriverBench(.transtekBloodPressure, .rpmBP100)
    let result = bench.run()

    #expect(result.accepted.map(\.pressures) == [[124, 80, 70], [128, 82, 72]])
    #expect(result.accepted.map { $0.findings.map(\.name) } == [[], ["irregular_pulse"]])
    #expect(
      result.accepted.first?.clock
        == .local(LocalDateTime(year: 2026, month: 3, day: 28, hour: 7, minute: 2, second: 8)))
    #expect(result.confirmations == 2)
    #expect(result.end == .finish)
    #expect(result.events.contains(.transferred(measurements: 2)))
  }

  @Test func `are answered with the digits of their serial number`() {
    var bench = DriverBench(.transtekBloodPressure, .rpmBP100)
    let result = bench.run()

    let expected: [[UInt8]] = [
      [0x20, 0xF4, 0xA3, 0xA0, 0x79], [0x02, 0x60, 0xF5, 0x8B, 0x1E], [0x22], [0x22], [0x22],
    ]
    #expect(result.writes.map(\.bytes) == expected)
    #expect(result.events.contains(.clockSet))
  }

  @Test func `keep a measurement that was not stored`() {
    var bench = DriverBench(.transtekBloodPressure, .rpmBP100)
    bench.canStore = false
    let failed = bench.run()
    #expect(failed.writes.count { $0.bytes == [0x22] } == 1)
    #expect(failed.end == nil)

    bench.canStore = true
    #expect(bench.run().accepted.count == 2)
    #expect(bench.run().accepted.isEmpty)
  }

  @Test func `send unacknowledged measurements again after a lost link`() {
    var bench = DriverBench(.transtekBloodPressure, .rpmBP100)
    bench.fault = .cut(afterValues: 2)
    _ = bench.run()

    bench.fault = nil
    #expect(bench.run().accepted.map(\.pressures) == [[124, 80, 70], [128, 82, 72]])
  }

  @Test func `send their password when they are paired`() {
    let password = TranstekWord(rawValue: 0x0403_0201)
    let device = VirtualTranstekMonitor(
      serialNumber: "8899AABBCCDD", password: password, memory: [], clock: VirtualClock())
    var bench = DriverBench(.transtekBloodPressure, device, purpose: .pair)
    bench.press(.pairingMode)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.secrets == [.password: [1, 2, 3, 4]])
    #expect(result.end == .finish)
    #expect(result.writes.first?.bytes == [0x21, 0x01, 0x23, 0x45, 0x67])

    var reading = DriverBench(
      .transtekBloodPressure, device, secrets: [.password: [1, 2, 3, 4]])
    #expect(reading.run().end == .finish)
  }

  @Test func `that reject the password must be paired again`() {
    let device = VirtualTranstekMonitor(
      serialNumber: "8899AABBCCDD", password: TranstekWord(rawValue: 1), memory: [],
      clock: VirtualClock())
    var bench = DriverBench(.transtekBloodPressure, device)

    guard case .fail(let failure)? = bench.run().end else {
      Issue.record("accepted")
      return
    }
    #expect(failure.kind == .notAuthorized)
  }

  @Test func `whose password is not known must be paired`() {
    var driver = begun()

    let actions = driver.handle(.value(.transtekMessage, [0xA1, 1, 2, 3, 4]), at: noon)

    guard case .fail(let failure)? = actions.last else {
      Issue.record("answered without a password")
      return
    }
    #expect(failure.kind == .notPaired)
    #expect(driver.handle(.value(.transtekMeasurement, []), at: noon).isEmpty)
  }

  @Test func `that do not answer time out`() {
    var driver = begun()
    #expect(driver.deadline == .seconds(15))
    #expect(driver.handle(.timeReached, at: later(14)).isEmpty)

    guard case .fail(let failure)? = driver.handle(.timeReached, at: later(15)).last else {
      Issue.record("waits for ever")
      return
    }
    #expect(failure.kind == .timeout)
  }

  @Test func `that send undecodable data are acknowledged and read on`() {
    var driver = begun()

    let actions = driver.handle(.value(.transtekMeasurement, [0x34, 1]), at: noon)
    #expect(refusals(in: actions) == [.malformed])
    #expect(actions.last == .confirmStorage)
    _ = driver.handle(.value(.transtekMeasurement, [0x34, 2]), at: noon)

    #expect(driver.handle(.stored, at: noon) == [.write(.transtekCommand, [0x22])])
    #expect(driver.deadline == nil)
    #expect(driver.handle(.stored, at: noon) == [.write(.transtekCommand, [0x22])])
    #expect(driver.deadline == .seconds(15))
  }

  @Test func `may send unknown messages`() {
    var driver = begun()

    for bytes in [[], [0xA1], [0xA0, 1], [0x99, 1, 2]] as [[UInt8]] {
      #expect(driver.handle(.value(.transtekMessage, bytes), at: noon).isEmpty)
    }
  }

  private func begun() -> TranstekDriver {
    var driver = TranstekDriver(
      DriverContext(attributes: [.transtekCommand, .transtekMessage, .transtekMeasurement]))
    _ = driver.handle(.begun, at: noon)
    _ = driver.handle(.subscribed(.transtekMeasurement), at: noon)
    _ = driver.handle(.subscribed(.transtekMessage), at: noon)
    return driver
  }
}
