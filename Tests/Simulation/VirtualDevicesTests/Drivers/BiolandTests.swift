// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of the Bioland G-500` {
  @Test func `reads one result after the other until there are no more`() throws {
    var bench = DriverBench(.bioland, .biolandG500)
    let result = bench.run()

    #expect(result.readings.map { $0[.bloodGlucose] } == [168, 177])
    #expect(
      result.readings.first?.clock
        == .local(LocalDateTime(year: 2014, month: 1, day: 1, hour: 5, minute: 24, second: 0)))
    #expect(result.facts.contains(.serialNumber("112233445566778899")))
    #expect(result.facts.contains(.batteryPercent(50)))
    #expect(result.end == .finish)
    #expect(result.events.last == .transferred(measurements: 2))
  }

  @Test func `sets the clock with each request`() throws {
    var bench = DriverBench(.bioland, .biolandG500, clock: VirtualClock(offsetSeconds: 5000))
    let result = bench.run()

    #expect(result.events.contains(.clockSet))
    let clock = result.writes.first { $0.bytes[2] == 0x00 }
    #expect(clock?.bytes == [0x5A, 0x0A, 0x00, 26, 3, 29, 14, 0, 0, 0xAC])
  }

  @Test func `reads all results each time`() {
    var bench = DriverBench(.bioland, .biolandG500)
    _ = bench.run()
    bench.press(.measure(number: 1))

    #expect(bench.run().readings.map { $0[.bloodGlucose] } == [168, 177, 101])
  }

  @Test func `pairs without reading`() {
    var bench = DriverBench(.bioland, .biolandG500, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.readings.isEmpty)
    #expect(result.end == .finish)
  }

  private static let end: [UInt8] = [0x55, 0x05, 0x05, 0x00, 0x5F]

  @Test func `continues without the greeting that some meters lack`() throws {
    var dialogue = DriverDialogue(.bioland)
    #expect(dialogue.begin(.biolandReply) == [.write(.biolandRequest, [0x5A, 0x04, 0x09, 0x67])])

    let kinds = (0..<3).compactMap { _ in dialogue.wait()?.first?.written?[2] }

    #expect(kinds == [0x09, 0x09, 0x00])
  }

  @Test func `waits for a measurement in progress and ignores a damaged frame`() throws {
    var dialogue = DriverDialogue(.bioland)
    _ = dialogue.begin(.biolandReply)
    _ = dialogue.report(.value(.biolandReply, [0x55, 0x04, 0x09, 0x62]))
    _ = dialogue.report(.value(.biolandReply, [0x55, 0x04, 0x00, 0x59]))
    let before = try #require(dialogue.driver.deadline)

    #expect(dialogue.report(.value(.biolandReply, [0x55, 0x05, 0x05, 0x00, 0x5E])).isEmpty)
    #expect(dialogue.report(.value(.biolandReply, [0x55, 0x06, 0x02, 0x00, 0x05, 0x62])).isEmpty)
    #expect(try #require(dialogue.driver.deadline) >= before)
    #expect(dialogue.report(.value(.biolandReply, Self.end)) == [.finish])
    #expect(dialogue.driver.isComplete)
  }

  @Test func `delivers an undecodable result as rejected`() throws {
    var dialogue = DriverDialogue(.bioland)
    _ = dialogue.begin(.biolandReply)
    _ = dialogue.report(.value(.biolandReply, [0x55, 0x04, 0x09, 0x62]))
    _ = dialogue.report(.value(.biolandReply, [0x55, 0x04, 0x00, 0x59]))
    let actions = dialogue.report(.value(.biolandReply, [0x55, 0x05, 0x03, 0x0E, 0x6B]))

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(reading.rejection?.reason == .malformed)
    #expect(actions.last?.written?[2] == 0x03)
  }

  /// A meter keeps a test that failed as 0 mg/dL.
  @Test(arguments: [(0, nil), (1, 1), (20, 20), (600, 600)] as [(UInt16, Double?)])
  func `takes 0 for a failed test, and for nothing else`(raw: UInt16, expected: Double?) throws {
    var dialogue = DriverDialogue(.bioland)
    _ = dialogue.begin(.biolandReply)
    _ = dialogue.report(.value(.biolandReply, [0x55, 0x04, 0x09, 0x62]))
    _ = dialogue.report(.value(.biolandReply, [0x55, 0x04, 0x00, 0x59]))
    let time = LocalDateTime(year: 2026, month: 3, day: 1, hour: 7, minute: 5, second: 0)
    let result = try BiolandResult(time, milligramsPerDeciliter: raw)
    let frame = try BiolandFrame(.reply, .result, body: result.payload)
    let actions = dialogue.report(.value(.biolandReply, frame.payload))

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(reading[.bloodGlucose] == expected)
    #expect((reading.rejection?.reason == .failedMeasurement) == (expected == nil))
    #expect(reading.clock == .local(time))
  }

  @Test func `ends in a time-out when the meter falls silent`() {
    var dialogue = DriverDialogue(.bioland)
    _ = dialogue.begin(.biolandReply)

    #expect(dialogue.waitForEnd()?.failure == .timeout)
    #expect(dialogue.time.elapsed == .seconds(12))
  }
}

extension DriverAction {
  /// The bytes that are written.
  fileprivate var written: [UInt8]? {
    guard case .write(_, let bytes) = self else { return nil }
    return bytes
  }
}
