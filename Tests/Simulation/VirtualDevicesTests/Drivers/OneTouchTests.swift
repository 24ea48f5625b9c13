// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of OneTouch meters` {
  @Test func `reads all records of a Verio Flex, oldest first`() throws {
    var bench = DriverBench(.oneTouch, .oneTouchVerioFlex)
    let result = bench.run()

    #expect(result.readings.map(\.sequenceNumber) == [41, 42, 43, 44, 45])
    #expect(result.readings.map { $0[.bloodGlucose] } == [104, 151, nil, 97, 600])
    #expect(result.readings.last?.values.first?.bound == .above)
    #expect(result.readings.map(\.rejection?.reason) == [nil, nil, .control, nil, nil])
    #expect(result.readings.map(\.mealRelationship) == [.before, .after, nil, nil, nil])
    #expect(
      result.readings.map(\.findings) == [
        [], [], [], [], [.init("out_of_bounds_blood_glucose", "high")],
      ])
    let first = try #require(result.readings.first)
    #expect(
      first.clock
        == .local(LocalDateTime(year: 2026, month: 3, day: 25, hour: 7, minute: 12, second: 30)))
    #expect(result.facts.contains(.serialNumber("ZXCVJ7RG")))
    #expect(result.facts.last == .clockDrift(seconds: 0))
    #expect(result.checkpoints.map(\.sequenceNumber) == [45])
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(1))
    #expect(result.events.last == .transferred(measurements: 5))
  }

  @Test func `detects the family of a Select Plus Flex and reads its serial number`() throws {
    var bench = DriverBench(.oneTouch, .oneTouchSelectPlusFlex)
    let result = bench.run()

    #expect(result.accepted.map { $0[.bloodGlucose] } == [168, 92, 137])
    #expect(
      result.accepted.first?.clock
        == .local(LocalDateTime(year: 2020, month: 6, day: 3, hour: 20, minute: 2, second: 19)))
    #expect(result.facts.contains(.serialNumber("OTSPFX0041L3K2")))
    // A second after the pairing, three for the answer that does not come, one for a late one.
    #expect(result.elapsed == .seconds(5))
    #expect(result.writes.map { $0.bytes.dropFirst(4).first }.prefix(2) == [0x03, 0x04])
  }

  @Test func `measures the drift of the clock and sets it to local time`() throws {
    var bench = DriverBench(.oneTouch, .oneTouchVerioFlex, clock: VirtualClock(offsetSeconds: 3600))
    let result = bench.run()
    let second = bench.run()

    #expect(result.facts.contains(.clockDrift(seconds: 3600)))
    #expect(result.events.contains(.clockSet))
    #expect(second.facts.contains(.clockDrift(seconds: 0)))
    #expect(!second.events.contains(.clockSet))
  }

  @Test(arguments: [(2.0, false), (-2.0, false), (3.0, true), (-3.0, true)])
  func `does not set a clock that is off by two seconds`(offset: Double, isSet: Bool) {
    var bench = DriverBench(
      .oneTouch, .oneTouchVerioFlex, clock: VirtualClock(offsetSeconds: offset))

    #expect(bench.run().events.contains(.clockSet) == isSet)
  }

  @Test func `reads only new records`() {
    var bench = DriverBench(.oneTouch, .oneTouchVerioFlex)
    _ = bench.run()
    let second = bench.run()
    bench.press(.measure(number: 1))
    let third = bench.run()

    #expect(second.readings.isEmpty)
    #expect(second.end == .finish)
    // The clock and the newest number, each acknowledged.
    #expect(second.writes.count == 4)
    #expect(third.readings.map(\.sequenceNumber) == [46])
    #expect(third.readings.map { $0[.bloodGlucose] } == [101])
  }

  @Test(arguments: 1...16)
  func `continues after a lost link with nothing lost or repeated`(values: Int) {
    var bench = DriverBench(.oneTouch, .oneTouchVerioFlex)
    bench.fault = .cut(afterValues: values)
    let first = bench.run()
    bench.fault = nil
    let second = bench.run()

    let numbers = (first.readings + second.readings).map(\.sequenceNumber)
    #expect(numbers == [41, 42, 43, 44, 45])
    #expect(second.end == .finish)
  }

  @Test func `does not advance when readings cannot be stored`() {
    var bench = DriverBench(.oneTouch, .oneTouchVerioFlex)
    bench.canStore = false
    let first = bench.run()
    bench.canStore = true
    let second = bench.run()

    #expect(first.checkpoints.isEmpty)
    #expect(second.readings.count == 5)
  }

  @Test func `pairs and sets the clock without reading records`() {
    var bench = DriverBench(
      .oneTouch, .oneTouchVerioFlex, clock: VirtualClock(offsetSeconds: 86_400), purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.events.contains(.clockSet))
    #expect(result.readings.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `reads a meter completely whose numbers restarted`() throws {
    let checkpoint = SyncCheckpoint(sequenceNumber: 900, payload: [1], key: CheckpointKey())
    let meter = VirtualDeviceModel.oneTouchVerioFlex
    var bench = DriverBench(.oneTouch, meter.make(VirtualClock()), checkpoints: [checkpoint])

    #expect(bench.run().readings.map(\.sequenceNumber) == [41, 42, 43, 44, 45])
  }

  @Test func `reads records around a gap in the memory`() {
    let checkpoint = SyncCheckpoint(sequenceNumber: 7, payload: [1], key: CheckpointKey())
    let meter = VirtualDeviceModel.oneTouchVerioFlex
    var bench = DriverBench(.oneTouch, meter.make(VirtualClock()), checkpoints: [checkpoint])

    #expect(bench.run().readings.first?.sequenceNumber == 41)
  }
}

@Suite struct `A faulty OneTouch meter` {
  /// A driver that has just asked for the clock.
  private func dialogue() throws -> DriverDialogue {
    let attributes = DriverModel.oneTouch.required + [GATTAttribute("180A", "2A25")]
    var dialogue = DriverDialogue(.oneTouch, having: attributes)
    _ = dialogue.report(.begun)
    _ = dialogue.report(.readFailed(GATTAttribute("180A", "2A25"), RequestFailure(code: 2)))
    _ = dialogue.report(.subscribed(.oneTouchReply))
    let actions = dialogue.wait()
    try #require(
      actions == [.write(.oneTouchRequest, bytes("01 02 0900 03 20 02 03", crc: 1))])
    return dialogue
  }

  /// Bytes with the check of a frame that begins at an offset.
  private func bytes(_ hexadecimal: String, crc start: Int? = nil) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue).map { UInt8($0) }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    guard let start else { return bytes }
    let check = Checksum.crc16CCITT.value(of: bytes[start...])
    return bytes + [UInt8(truncatingIfNeeded: check), UInt8(check >> 8)]
  }

  @Test func `ends in a timeout that names the request`() throws {
    var dialogue = try dialogue()
    let end = dialogue.waitForEnd()

    #expect(end?.failure == .timeout)
    #expect(
      end
        == .fail(
          DriverFailure(
            .timeout, "The meter did not answer when asked for its clock. Try again.")))
    #expect(dialogue.time.elapsed == .seconds(13))
    #expect(dialogue.driver.deadline == nil)
  }

  @Test func `may send garbage, which is ignored`() throws {
    var dialogue = try dialogue()

    for junk in [[], [0x00], [0x01], [0x41, 0x02], [0x01, 0x02, 0xFF], [0xFF, 0xFF]] as [[UInt8]] {
      #expect(dialogue.report(.value(.oneTouchReply, junk)).isEmpty)
    }
    #expect(!dialogue.driver.isComplete)
  }

  @Test func `may damage an answer, which is requested again`() throws {
    var dialogue = try dialogue()
    _ = dialogue.report(.value(.oneTouchReply, [0x81]))
    var answer = bytes("01 02 0C00 03 06 00000000 03", crc: 1)
    answer[6] ^= 1

    #expect(dialogue.report(.value(.oneTouchReply, answer)).isEmpty)
    let again = dialogue.wait()
    #expect(again?.count == 1)
  }

  @Test func `may not know this receiver`() throws {
    var dialogue = try dialogue()
    _ = dialogue.report(.value(.oneTouchReply, [0x81]))
    let refusal = bytes("01 02 0800 03 07 03", crc: 1)
    let actions = dialogue.report(.value(.oneTouchReply, refusal))

    #expect(actions.first == .write(.oneTouchRequest, [0x81]))
    #expect(actions.last?.failure == .notAuthorized)
  }

  @Test func `may answer twice; the second answer is ignored`() throws {
    var dialogue = try dialogue()
    _ = dialogue.wait()
    let right = try #require(DriverBench.noon.local?.secondsSince2000) + 4
    var writer = PayloadWriter()
    writer.append(bytes("01 02 0C00 03 06"))
    writer.uint32(right)
    writer.uint8(0x03)
    let clock =
      writer.bytes + [
        UInt8(truncatingIfNeeded: Checksum.crc16CCITT.value(of: writer.bytes.dropFirst())),
        UInt8(Checksum.crc16CCITT.value(of: writer.bytes.dropFirst()) >> 8),
      ]

    let early = dialogue.report(.value(.oneTouchReply, clock))
    _ = dialogue.report(.value(.oneTouchReply, [0x81]))
    let first = dialogue.report(.value(.oneTouchReply, clock))
    let second = dialogue.report(.value(.oneTouchReply, clock))
    let next = dialogue.wait()

    #expect(early.isEmpty)
    #expect(first == [.write(.oneTouchRequest, [0x81]), .fact(.clockDrift(seconds: 0))])
    #expect(second == [.write(.oneTouchRequest, [0x81])])
    let request = bytes("01 02 0A00 03 0A 02 06 03", crc: 1)
    #expect(next == [.write(.oneTouchRequest, request)])
  }

  @Test func `may refuse writes`() throws {
    var dialogue = try dialogue()
    let actions = dialogue.report(.writeFailed(.oneTouchRequest, RequestFailure(code: 3)))

    #expect(actions.map(\.failure) == [.communication])
    #expect(dialogue.wait() == nil)
  }

  @Test func `may refuse to send, which ends the reading`() {
    var dialogue = DriverDialogue(.oneTouch)
    _ = dialogue.report(.begun)
    let actions = dialogue.report(.subscriptionFailed(.oneTouchReply, RequestFailure(code: 5)))

    #expect(actions.map(\.failure) == [.communication])
    #expect(dialogue.wait() == nil)
    #expect(dialogue.report(.value(.oneTouchReply, [0x01])).isEmpty)
  }

  @Test func `never gets the command to erase its memory`() {
    let erase = bytes("01 02 0800 03 1A 03", crc: 1)

    #expect(ForbiddenCommand.first(writing: erase, to: .oneTouchRequest) != nil)
    for model in [VirtualDeviceModel.oneTouchVerioFlex, .oneTouchSelectPlusFlex] {
      var bench = DriverBench(.oneTouch, model, clock: VirtualClock(offsetSeconds: 1000))
      let writes = bench.run().writes
      #expect(writes.count > 10)
      #expect(
        writes.allSatisfy { ForbiddenCommand.first(writing: $0.bytes, to: $0.attribute) == nil })
    }
  }
}
