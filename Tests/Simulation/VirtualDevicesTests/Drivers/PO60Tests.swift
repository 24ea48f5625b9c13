// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of a Beurer PO60` {
  @Test func `reads twelve records in two batches`() throws {
    var bench = DriverBench(.po60, .po60)
    let result = bench.run()

    #expect(result.accepted.count == VirtualDeviceModel.po60.readingCount)
    #expect(result.readings.count == 12)
    #expect(result.writes.map(\.bytes) == [[0x99, 0x00, 0x19], [0x99, 0x01, 0x1A]])
    #expect(result.end == .finish)
    let first = try #require(result.accepted.first)
    #expect(
      first.values == [
        .init(.oxygenSaturation, 97), .init(.minimumOxygenSaturation, 95),
        .init(.maximumOxygenSaturation, 98), .init(.pulse, 65), .init(.minimumHeartRate, 61),
        .init(.maximumHeartRate, 71),
      ])
    #expect(
      first.clock
        == .local(LocalDateTime(year: 2026, month: 3, day: 1, hour: 7, minute: 30, second: 15)))
  }

  @Test func `reads all records again, and a new one`() {
    var bench = DriverBench(.po60, .po60)
    let first = bench.run()
    bench.press(.measure(number: 13))
    let second = bench.run()

    #expect(second.accepted.prefix(12).map(\.clock) == first.accepted.map(\.clock))
    #expect(second.accepted.count == 13)
  }

  @Test func `is paired after its subscription`() {
    var bench = DriverBench(.po60, .po60, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.accepted.count == 12)
  }

  @Test func `delivers complete records after a lost link, and is not complete`() {
    var bench = DriverBench(.po60, .po60)
    bench.fault = .cut(afterValues: 14)
    let result = bench.run()

    #expect(result.accepted.count == 10)
    #expect(result.end == nil)
  }

  @Test func `reports a damaged record`() throws {
    var driver = try asked()
    var record = record(isLast: false)
    record[5] = 0xFF
    let actions = driver.handle(
      .value(.po60Records, record + self.record(isLast: true)), at: DriverBench.noon)

    let readings = actions.deliveries
    #expect(readings.map(\.rejection?.reason) == [.malformed, nil])
    #expect(actions.last == .finish)
  }

  @Test func `reports an incomplete record`() throws {
    var driver = try asked()
    _ = driver.handle(
      .value(.po60Records, Array(record(isLast: false).prefix(20))), at: DriverBench.noon)
    var late = DriverBench.noon
    late.elapsed = .seconds(2)
    let actions = driver.handle(.timeReached, at: late)

    #expect(actions.deliveries.map(\.rejection?.reason) == [.malformed])
    #expect(actions.last?.failure == .timeout)
  }

  @Test func `ends with silence when no record says that it is the last one`() throws {
    var driver = try asked()
    _ = driver.handle(.value(.po60Records, record(isLast: false)), at: DriverBench.noon)
    var late = DriverBench.noon
    late.elapsed = .seconds(2)
    #expect(driver.handle(.timeReached, at: late) == [.finish])
  }

  @Test func `fails when the oximeter does not answer`() throws {
    var driver = try asked()
    #expect(driver.deadline == .seconds(10))
    var late = DriverBench.noon
    late.elapsed = .seconds(10)

    guard case .fail(let failure)? = driver.handle(.timeReached, at: late).last else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .timeout)
    #expect(failure.message.contains("records"))
  }

  @Test func `rejects a record without a value or with an invalid time`() {
    var empty = record(isLast: true)
    empty.replaceSubrange(17..<20, with: [0, 0, 0])
    var month = record(isLast: true)
    month[9] = 13

    #expect(DeviceReading(record: empty)?.rejection?.reason == .noSignal)
    #expect(DeviceReading(record: month)?.rejection?.reason == .malformed)
  }

  @Test func `never sends the command that may erase data`() {
    let command = ForbiddenCommand.first(writing: [0x99, 0x7F, 0x18], to: .po60Requests)

    #expect(command?.effect == "erases measurements")
    #expect(ForbiddenCommand.first(writing: PO60Record.proceed, to: .po60Requests) == nil)
  }

  private func asked() throws -> any DeviceDriver {
    var driver = DriverModel.po60.make(
      DriverContext(attributes: [.po60Requests, .po60Records]))
    #expect(driver.handle(.begun, at: DriverBench.noon) == [.subscribe(.po60Records)])
    #expect(
      driver.handle(.subscribed(.po60Records), at: DriverBench.noon) == [
        .write(.po60Requests, [0x99, 0x00, 0x19])
      ])
    #expect(driver.handle(.written(.po60Requests), at: DriverBench.noon) == [])
    return driver
  }

  private func record(isLast: Bool) -> [UInt8] {
    [
      0xE9, isLast ? 0x40 : 0x00, 26, 3, 1, 7, 30, 0, 26, 3, 1, 7, 30, 15, 0, 0, 0, 98, 95, 97, 78,
      68, 72, 0,
    ]
  }
}

extension [DriverAction] {
  fileprivate var deliveries: [DeviceReading] {
    compactMap { if case .deliver(let reading) = $0 { reading } else { nil } }
  }
}

extension DeviceReading {
  fileprivate init?(record bytes: [UInt8]) {
    guard let record = try? PO60Record(payload: bytes) else { return nil }
    self.init(record)
  }
}
