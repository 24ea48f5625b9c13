// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of an O2Ring` {
  @Test func `reads two nights`() throws {
    var bench = DriverBench(.viatomRing, .o2Ring)
    let result = bench.run()

    #expect(result.accepted.count == VirtualDeviceModel.o2Ring.readingCount)
    #expect(result.end == .finish)
    let first = try #require(result.accepted.first)
    #expect(
      first.values == [.init(.averageOxygenSaturation, 95), .init(.minimumOxygenSaturation, 90)])
    #expect(
      first.clock
        == .local(
          LocalDateTime(year: 2026, month: 1, day: 31, hour: 22, minute: 33, second: 40)))
    #expect(
      first.findings == [
        .init("desaturations_of_3_percent", "1"), .init("desaturations_of_4_percent", "2"),
      ])
    #expect(
      first.series == [
        .init(.oxygenSaturation, secondsBetween: 4, values: [88, 87, nil, 90]),
        .init(.pulse, secondsBetween: 4, values: [101, 99, nil, 300]),
      ])
    #expect(result.accepted.last?.series.map(\.values.count) == [300, 300])
  }

  @Test func `reports the ring's information and sets its clock`() {
    var bench = DriverBench(.viatomRing, .o2Ring, clock: VirtualClock(offsetSeconds: -3600))
    let result = bench.run()

    #expect(
      result.facts == [
        .model("1641"), .serialNumber("2141000467"), .firmwareRevision("1.4.0"),
        .batteryPercent(75), .clockDrift(seconds: -3600),
      ])
    #expect(result.events.contains(.clockSet))
    let second = bench.run()
    #expect(second.facts.contains(.clockDrift(seconds: 0)))
  }

  @Test func `writes no more than twenty bytes at once`() {
    var bench = DriverBench(.viatomRing, .o2Ring)
    let result = bench.run()

    #expect(result.writes.map(\.bytes.count).max() == 20)
    #expect(result.writes.first?.bytes == [0xAA, 0x14, 0xEB, 0, 0, 0, 0, 0xC6])
  }

  @Test func `reads a recording once`() {
    var bench = DriverBench(.viatomRing, .o2Ring)
    let first = bench.run()
    let second = bench.run()

    #expect(first.checkpoints.map(\.sequenceNumber) == [20_260_328_221_500])
    #expect(second.readings.isEmpty)
    // It lies there, and somebody may put it on.
    #expect(second.isReady)
  }

  @Test func `reads recordings again that were not stored`() {
    var bench = DriverBench(.viatomRing, .o2Ring)
    bench.canStore = false
    #expect(bench.run().checkpoints.isEmpty)
    bench.canStore = true

    #expect(bench.run().accepted.count == 2)
  }

  @Test func `continues with the recording at which the link was lost`() {
    var bench = DriverBench(.viatomRing, .o2Ring)
    bench.fault = .cut(afterValues: 40)
    let first = bench.run()
    bench.fault = nil
    let second = bench.run()

    #expect(first.accepted.count == 1)
    #expect(second.accepted.count == 1)
    #expect(second.accepted.first?.series.first?.values.count == 300)
  }

  @Test func `goes on after a recording that is empty`() throws {
    var bench = DriverBench(.viatomRing, .o2Ring)
    let recording = try #require(bench.run().accepted.first).payload
    let files = [
      VirtualO2Ring.File(name: "20260327220000", bytes: []),
      VirtualO2Ring.File(name: "20260328220000", bytes: recording),
    ]
    var other = DriverBench(
      .viatomRing, VirtualO2Ring(serialNumber: "1", files: files, clock: VirtualClock()))
    let result = other.run()

    #expect(result.readings.map(\.rejection?.reason) == [.malformed, nil])
    #expect(result.checkpoints.count == 1)
    #expect(other.run().readings.isEmpty)
  }

  @Test func `does not count an empty newest recording as left out`() {
    let files = [VirtualO2Ring.File(name: "20260328220000", bytes: [])]
    var bench = DriverBench(
      .viatomRing, VirtualO2Ring(serialNumber: "1", files: files, clock: VirtualClock()))
    let result = bench.run()

    #expect(result.readings.isEmpty)
    #expect(result.checkpoints.isEmpty)
  }

  @Test func `asks again for a recording that the ring refused, and reads the others`() throws {
    var bench = DriverBench(.viatomRing, .o2Ring)
    let recording = try #require(bench.run().accepted.first).payload
    // The ring finds neither of the two names that it lists for the first file.
    let files = [
      VirtualO2Ring.File(name: "20260327220000,20260327230000", bytes: recording),
      VirtualO2Ring.File(name: "20260328220000", bytes: recording),
    ]
    var other = DriverBench(
      .viatomRing, VirtualO2Ring(serialNumber: "1", files: files, clock: VirtualClock()))

    let (first, second, third) = (other.run(), other.run(), other.run())

    #expect(first.readings.map(\.rejection?.reason) == [.malformed, .malformed, nil])
    #expect(first.checkpoints.map(\.memory) == ["left-out"])
    // They do not keep the others from being done with.
    #expect(second.readings.map(\.rejection?.reason) == [.malformed, .malformed, nil])
    #expect(second.checkpoints.map(\.memory) == ["recordings"])
    #expect(third.readings.isEmpty)
  }

  @Test func `reads a live value while the ring is worn`() throws {
    var bench = DriverBench(.viatomRing, .o2Ring)
    _ = bench.run()
    bench.press(.measure(number: 2))
    let result = bench.run()

    let reading = try #require(result.accepted.first)
    #expect(
      reading.values == [
        .init(.oxygenSaturation, 96), .init(.pulse, 78), .init(.perfusionIndex, 1.2),
      ])
    #expect(result.elapsed == .seconds(7))
  }

  @Test func `uses the older command for older firmware`() {
    let old = VirtualO2Ring(
      serialNumber: "1", files: [], supportsWave: false, clock: VirtualClock())
    var bench = DriverBench(.viatomRing, old)
    bench.press(.measure(number: 2))
    let result = bench.run()

    #expect(result.accepted.map { $0[.oxygenSaturation] } == [96])
  }

  @Test func `reads what is recorded after the ring's clock was set back`() throws {
    var sound = DriverBench(.viatomRing, .o2Ring)
    let night = try #require(sound.run().accepted.first).payload
    let future = VirtualO2Ring.File(name: "20261011220000", bytes: night)
    let ring = VirtualO2Ring(serialNumber: "1", files: [future], clock: VirtualClock())
    var early = DriverBench(.viatomRing, ring)
    let checkpoints = early.run().checkpoints
    let recorded = VirtualO2Ring.File(name: "20260329220000", bytes: night)
    let other = VirtualO2Ring(
      serialNumber: "1", files: [future, recorded], clock: VirtualClock())
    var late = DriverBench(.viatomRing, other, checkpoints: checkpoints)

    // It is 14 o'clock by the ring's clock, which was set.
    #expect(checkpoints.map(\.sequenceNumber) == [20_260_329_140_000])
    #expect(late.run().accepted.count == 2)
  }

  @Test func `is paired when the ring is identified`() {
    var bench = DriverBench(.viatomRing, .o2Ring, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.facts.contains(.serialNumber("2141000467")))
    #expect(result.readings.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `reports an undecodable recording and continues`() {
    let ring = VirtualO2Ring(
      serialNumber: "1",
      files: [.init(name: "20260101000000.vld", bytes: [3, 0, 1])], clock: VirtualClock())
    var bench = DriverBench(.viatomRing, ring)
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [.malformed])
    #expect(result.end == .finish)
  }

  @Test func `fails when the ring does not answer`() {
    var driver = DriverModel.viatomRing.make(
      DriverContext(attributes: [.viatomRequests, .viatomAnswers]))
    #expect(driver.handle(.begun, at: DriverBench.noon) == [.subscribe(.viatomAnswers)])
    _ = driver.handle(.subscribed(.viatomAnswers), at: DriverBench.noon)
    #expect(driver.deadline == .seconds(5))
    var late = DriverBench.noon
    late.elapsed = .seconds(5)

    guard case .fail(let failure)? = driver.handle(.timeReached, at: late).last else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .timeout)
    #expect(
      failure.message == """
        The ring did not send its serial number in time. Keep the ring near and read it again.
        """)
  }

  @Test func `never restores the factory settings`() {
    let command = ForbiddenCommand.first(
      writing: [0xAA, 0x18, 0xE7, 0, 0, 0, 0, 0x1A], to: .viatomRequests)

    #expect(command != nil)
  }
}

@Suite struct `Driver of an O2Ring-S` {
  @Test func `reads only the complete recording`() throws {
    var bench = DriverBench(.oxyIIRing, .o2RingS)
    let result = bench.run()

    #expect(result.readings.count == VirtualDeviceModel.o2RingS.readingCount)
    let reading = try #require(result.accepted.first)
    #expect(
      reading.values == [
        .init(.averageOxygenSaturation, 96), .init(.minimumOxygenSaturation, 95),
        .init(.averageHeartRate, 61),
      ])
    #expect(
      reading.clock
        == .local(
          LocalDateTime(year: 2026, month: 3, day: 27, hour: 22, minute: 59, second: 0)))
    #expect(reading.series.map(\.secondsBetween) == [1, 1])
    #expect(reading.series.first?.values.prefix(7) == [nil, nil, nil, nil, nil, 97, 95])
    #expect(result.checkpoints.map(\.sequenceNumber) == [20_260_327_225_900])
    #expect(result.end == .finish)
  }

  @Test func `sends requests in the required order`() {
    var bench = DriverBench(.oxyIIRing, .o2RingS)
    let result = bench.run()
    let commands = result.writes.map { $0.bytes[1] }

    #expect(
      commands.prefix(8) == [0xFF, 0x10, 0xE1, 0xC0, 0x00, 0xF4, 0xF1, 0xF2])
    #expect(commands.last == 0x04)
    #expect(commands.filter { $0 == 0x04 }.count == 1)
  }

  @Test func `authenticates with a key derived from the time`() {
    var bench = DriverBench(.oxyIIRing, .o2RingS)
    let result = bench.run()

    // By the public description, computed apart for 1774785600 seconds.
    #expect(
      result.writes.first.map { Array($0.bytes[7..<23]) } == [
        0x00, 0x68, 0x15, 0x88, 0x72, 0x09, 0x1C, 0xB0, 0x98, 0xC8, 0xC7, 0xDA, 0x84, 0x63, 0x25,
        0x7B,
      ])
  }

  @Test func `reports serial number, firmware and drift before readings`() {
    var bench = DriverBench(.oxyIIRing, .o2RingS, clock: VirtualClock(offsetSeconds: 120))
    let result = bench.run()

    #expect(
      result.facts == [
        .serialNumber("25B2302210"), .firmwareRevision("2D010002"), .clockDrift(seconds: 120),
        .batteryPercent(80),
      ])
    #expect(result.events.contains(.clockSet))
  }

  @Test func `reads a live value after the recordings`() {
    var bench = DriverBench(.oxyIIRing, .o2RingS)
    bench.press(.measure(number: 2))
    let result = bench.run()

    #expect(result.accepted.count == 2)
    #expect(result.accepted.last?[.oxygenSaturation] == 96)
    #expect(result.accepted.last?[.pulse] == 78)
  }

  @Test(arguments: [[], [0x61]] as [[UInt8]])
  func `asks again for a recording that was not finished before the next`(rest: [UInt8]) throws {
    var sound = DriverBench(.oxyIIRing, .o2RingS)
    let night = try #require(sound.run().accepted.first).payload
    let open = OxyIIRecording.header + [0x61, 0x48, 0x00] + rest
    let files = [
      VirtualO2Ring.File(name: "20260326230000", bytes: open),
      VirtualO2Ring.File(name: "20260327230000", bytes: night),
    ]
    var bench = DriverBench(
      .oxyIIRing, VirtualOxyIIRing(serialNumber: "1", files: files, clock: VirtualClock()))

    let (first, second, third) = (bench.run(), bench.run(), bench.run())

    #expect(first.readings.map(\.rejection?.reason) == [.malformed, nil])
    #expect(first.checkpoints.map(\.memory) == ["left-out"])
    #expect(second.readings.map(\.rejection?.reason) == [.malformed, nil])
    #expect(second.checkpoints.map(\.memory) == ["recordings"])
    #expect(third.readings.isEmpty)
  }

  @Test func `asks again for its newest recording until it can be decoded`() {
    let open = OxyIIRecording.header + [0x61, 0x48, 0x00, 0x61]
    let files = [VirtualO2Ring.File(name: "20260326230000", bytes: open)]
    var bench = DriverBench(
      .oxyIIRing, VirtualOxyIIRing(serialNumber: "1", files: files, clock: VirtualClock()))

    let (first, second) = (bench.run(), bench.run())

    #expect(first.readings.map(\.rejection?.reason) == [.malformed])
    #expect(first.checkpoints.isEmpty)
    #expect(second.readings.count == 1)
  }

  @Test func `names the packet size when no recording can be opened`() {
    let ring = SilentAtOpen()
    var bench = DriverBench(.oxyIIRing, ring)
    let result = bench.run()

    guard case .fail(let failure)? = result.end else {
      Issue.record("no failure")
      return
    }
    #expect(failure.kind == .timeout)
    #expect(failure.message.contains("MTU"))
  }

  /// Requests to open a recording, and to read it.
  @Test(arguments: [(0xF2, false), (0xF2, true), (0xF3, false), (0xF3, true)] as [(UInt8, Bool)])
  func `reads the recordings after one that does not come`(request: UInt8, isRefused: Bool) throws {
    let ring = MuteRing(try ringWithTwoNights(), at: request, refuses: isRefused)
    var bench = DriverBench(.oxyIIRing, ring)
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [.malformed, nil])
    #expect(result.checkpoints.map(\.memory) == ["left-out"])
    #expect(result.end == .finish)
  }

  @Test func `reads no more when the ring does not answer at all`() throws {
    var bench = DriverBench(.oxyIIRing, try ringWithTwoNights())
    bench.fault = .silence(afterValues: 8)
    let result = bench.run()

    #expect(result.readings.isEmpty)
    #expect(result.checkpoints.isEmpty)
    #expect(result.end?.failure == .timeout)
  }

  private func ringWithTwoNights() throws -> VirtualOxyIIRing {
    var sound = DriverBench(.oxyIIRing, .o2RingS)
    let night = try #require(sound.run().accepted.first).payload
    let files = ["20260326230000", "20260327230000"].map {
      VirtualO2Ring.File(name: $0, bytes: night)
    }
    return VirtualOxyIIRing(serialNumber: "1", files: files, clock: VirtualClock())
  }
}

/// An O2Ring-S over a link whose packets are too small.
private struct SilentAtOpen: VirtualDeviceLogic {
  private var ring = VirtualDeviceModel.o2RingS.make(VirtualClock())

  var services: [VirtualService] { ring.services }
  var isAdvertising: Bool { ring.isAdvertising }

  mutating func handle(_ input: VirtualDeviceInput, at time: DriverTime) -> [VirtualDeviceOutput] {
    if case .written(_, let bytes) = input, bytes.dropFirst().first == 0xF2 { return [.accept] }
    return ring.handle(input, at: time)
  }
}

/// An O2Ring-S that refuses one request, or does not answer it, when it gets it for the first time.
private struct MuteRing: VirtualDeviceLogic {
  private var ring: VirtualOxyIIRing
  private let request: UInt8
  private let refuses: Bool
  private var isOver = false

  init(_ ring: VirtualOxyIIRing, at request: UInt8, refuses: Bool) {
    self.ring = ring
    self.request = request
    self.refuses = refuses
  }

  var services: [VirtualService] { ring.services }
  var isAdvertising: Bool { ring.isAdvertising }

  mutating func handle(_ input: VirtualDeviceInput, at time: DriverTime) -> [VirtualDeviceOutput] {
    guard !isOver, case .written(_, let bytes) = input, bytes.dropFirst().first == request
    else { return ring.handle(input, at: time) }
    isOver = true
    let refusal = try? LepuFrame(command: request, direction: 0xE1)
    return refuses ? [.accept, .send(.oxyIIAnswers, refusal?.payload ?? [])] : [.accept]
  }
}

@Suite struct `Memory of a ring` {
  private let key = CheckpointKey(1, 2)
  private let names = ["20260101000000.vld", "20260103000000.vld", "20260102000000.vld"]

  @Test func `is read oldest first`() {
    var memory = RingMemory(names, after: nil, key: key)

    #expect(memory.popFirst() == "20260101000000.vld")
    #expect(memory.names == ["20260102000000.vld", "20260103000000.vld"])
  }

  @Test func `is read after the checkpoint`() {
    let checkpoint = RingMemory.checkpoint(of: "20260102000000.vld", key: key)

    #expect(RingMemory(names, after: checkpoint, key: key).names == ["20260103000000.vld"])
    #expect(
      RingMemory(Array(names.dropFirst()), after: checkpoint, key: key).names == [
        "20260103000000.vld"
      ])
  }

  @Test func `has nothing after a checkpoint at its newest`() {
    #expect(
      RingMemory(names, after: RingMemory.checkpoint(of: names[1], key: key), key: key).names == [])
  }

  @Test func `is read completely when the clock was set back`() {
    let checkpoint = RingMemory.checkpoint(of: "20300101000000.vld", key: key)

    #expect(RingMemory(names, after: checkpoint, key: key).names.count == 3)
  }

  @Test func `is read on after a recording whose time is still to come`() {
    let now = LocalDateTime(year: 2026, month: 1, day: 2, hour: 12, minute: 0, second: 0)
    let checkpoint = RingMemory.checkpoint(of: "20260103000000.vld", at: now, key: key)
    let later = names + ["20260102220000.vld"]

    #expect(checkpoint?.sequenceNumber == 20_260_102_120_000)
    #expect(
      RingMemory(later, after: checkpoint, key: key).names == [
        "20260102220000.vld", "20260103000000.vld",
      ])
  }

  @Test func `keeps names without a number`() {
    #expect(
      RingMemory(["a.vld"], after: RingMemory.checkpoint(of: names[0], key: key), key: key).names
        == [
          "a.vld"
        ])
    #expect(RingMemory.checkpoint(of: "a.vld", key: key) == nil)
    #expect(RingMemory.start(of: "a.vld") == nil)
  }
}

@Suite struct `Information of an O2Ring` {
  @Test func `is parsed from JSON with numbers or text`() throws {
    let json = """
      {"CurBAT": "75%", "FileList": "a.vld, b.vld,", "Model": "O2Ring", "SN": "XXXX", \
      "CurTIME": "2026-08-08,12:00:00", "CurOxiThr": 90, "Nested": {"a": [1]}}\0
      """
    let ring = try ViatomInformation(payload: json.utf8).ring

    #expect(ring.facts == [.model("O2Ring"), .serialNumber("XXXX"), .batteryPercent(75)])
    #expect(ring.names == ["a.vld", "b.vld"])
    #expect(
      ring.clock
        == LocalDateTime(year: 2026, month: 8, day: 8, hour: 12, minute: 0, second: 0))
  }

  @Test(arguments: ["", "{", "[1]", "\"text\"", "{\"SN\":}"])
  func `is rejected when it is not a JSON object`(json: String) {
    #expect(throws: PayloadError.self) { _ = try ViatomInformation(payload: json.utf8) }
  }

  @Test(arguments: ["{}", "{\"CurBAT\":\"\",\"CurTIME\":\"now\"}", "{\"CurBAT\":\"120%\"}"])
  func `omits values that are missing`(json: String) throws {
    let ring = try ViatomInformation(payload: json.utf8).ring

    #expect(ring.facts.isEmpty)
    #expect(ring.clock == nil)
    #expect(ring.names == nil)
  }
}
