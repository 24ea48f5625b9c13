// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

private func time(
  _ day: Int, _ hours: Int, _ minutes: Int
) throws -> DeviceReading.Clock {
  .local(try DateTime(year: 2026, month: 3, day: day, hours: hours, minutes: minutes, seconds: 0))
}

@Suite struct `Driver of TaiDoc devices` {
  @Test func `reads a glucose meter, the oldest record first`() throws {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    let result = bench.run()

    #expect(result.readings.map { $0[.bloodGlucose] } == [98, nil, 120, nil, 133])
    #expect(result.readings.map(\.rejection?.0) == [nil, .control, nil, .malformed, nil])
    #expect(result.readings.map(\.mealRelationship) == [nil, nil, .before, nil, .after])
    #expect(result.readings.first?.clock == (try time(27, 7, 5)))
    #expect(result.readings.allSatisfy { $0.userSlot == nil })
    #expect(result.facts.contains(.serialNumber("4272171300123456")))
    #expect(result.facts.contains(.model("TD-4272")))
    #expect(result.checkpoints.map(\.memory) == ["user-0"])
    #expect(result.end == .finish)
    #expect(result.elapsed == .zero)
  }

  @Test func `reads the users of a blood pressure monitor`() throws {
    var bench = DriverBench(.taiDoc, .taiDocBloodPressure)
    let result = bench.run()

    #expect(result.readings.map(\.userSlot) == [1, 1, 2, 2])
    #expect(result.readings.map(\.rejection?.0) == [nil, nil, nil, .failedMeasurement])
    #expect(
      result.readings.first?.values == [
        .init(.systolic, 120), .init(.diastolic, 80),
        .init(.meanArterialPressure, 90), .init(.pulse, 72),
      ])
    #expect(result.readings.first?.clock == (try time(28, 7, 31)))
    #expect(result.checkpoints.map(\.memory) == ["user-1", "user-2"])
  }

  @Test func `takes the memory of a monitor without users once`() throws {
    let record = try VirtualTaiDocDevice.Record(
      time: TaiDocDateTime(payload: [0x7D, 0x34, 0x1E, 0x07]), value: [120, 90, 80, 72])
    let device = VirtualTaiDocDevice(
      .init(number: TaiDocModel(number: 0x3140), serialNumber: "1", memory: [0: [record]]),
      clock: VirtualClock())
    var bench = DriverBench(.taiDoc, device)

    #expect(bench.run().readings.count == 1)
  }

  @Test func `reads a thermometer`() throws {
    var bench = DriverBench(.taiDoc, .taiDocThermometer)
    let result = bench.run()

    #expect(result.accepted.map { $0[.bodyTemperature] } == [38.6, 37.2])
    #expect(result.accepted.last?.clock == (try time(29, 7, 40)))
  }

  @Test func `asks an oximeter until its value holds`() {
    var bench = DriverBench(.taiDoc, .taiDocOximeter)
    let result = bench.run()

    #expect(result.isReady)
    #expect(
      result.readings.map(\.values) == [[.init(.oxygenSaturation, 97), .init(.pulse, 72)]])
    #expect(result.readings.first?.clock == .age(0))
    // Three seconds without a finger, and five in which the value holds.
    #expect(result.elapsed == .seconds(8))
    #expect(result.end == .finish)
  }

  @Test func `measures the drift of the clock and sets it`() {
    var bench = DriverBench(.taiDoc, .taiDocGlucose, clock: VirtualClock(offsetSeconds: -7200))
    let result = bench.run()

    #expect(result.facts.contains(.clockDrift(seconds: -7200)))
    #expect(result.events.contains(.clockSet))
    #expect(bench.run().facts.contains(.clockDrift(seconds: 0)))
  }

  @Test func `looks through the newest records until it finds the last one known`() {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    _ = bench.run()
    let second = bench.run()
    bench.press(.measure(number: 1))
    bench.press(.measure(number: 2))
    let third = bench.run()

    #expect(second.readings.isEmpty)
    // Model, clock, count, and time and value of the newest record.
    #expect(second.writes.count == 5)
    #expect(third.readings.map { $0[.bloodGlucose] } == [101, 114])
    #expect(third.writes.count == 9)
    #expect(bench.run().readings.isEmpty)
  }

  @Test(arguments: 1...14)
  func `goes on where a link was cut, with nothing lost and nothing twice`(values: Int) {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    bench.cutAfterValues = values
    let first = bench.run()
    bench.cutAfterValues = nil
    let second = bench.run()

    let values = (first.accepted + second.accepted).map { $0[.bloodGlucose] }
    #expect(values == [98, 120, 133])
    #expect(first.readings.count + second.readings.count == 5)
  }

  @Test func `reads all again when the readings could not be stored`() {
    var bench = DriverBench(.taiDoc, .taiDocBloodPressure)
    bench.canStore = false
    let first = bench.run()
    bench.canStore = true

    #expect(first.checkpoints.isEmpty)
    #expect(bench.run().readings.count == 4)
  }

  @Test func `reads all of a memory in which the last record known is no more`() {
    let checkpoint = SyncCheckpoint(
      memory: "user-0", sequenceNumber: 450, payload: [1, 2, 3], key: CheckpointKey())
    var bench = DriverBench(
      .taiDoc, VirtualDeviceModel.taiDocGlucose.make(VirtualClock()), checkpoints: [checkpoint])

    #expect(bench.run().accepted.map { $0[.bloodGlucose] } == [98, 120, 133])
  }

  @Test func `pairs, sets the clock and leaves the records for later`() {
    var bench = DriverBench(
      .taiDoc, .taiDocGlucose, clock: VirtualClock(offsetSeconds: 86_400), purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.events.contains(.clockSet))
    #expect(result.readings.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `refuses the entry that says that the memory is full`() {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    // The 1st of January 2037, 600 mg/dL.
    bench.press(.remember([[0x21, 0x4A, 0x00, 0x00, 0x58, 0x02, 0x00, 0x00]]))
    let result = bench.run()

    #expect(result.readings.last?.rejection?.0 == .malformed)
    #expect(result.accepted.count == 3)
  }

  @Test func `reads a systolic pressure of two bytes by a FORA D40`() throws {
    let record = try VirtualTaiDocDevice.Record(
      time: TaiDocDateTime(payload: [0x7D, 0x34, 0x1E, 0x07]), value: [0x0C, 0x01, 0x50, 0x48])
    let device = VirtualTaiDocDevice(
      .init(number: TaiDocModel(number: 0x3261), serialNumber: "1", memory: [1: [record]]),
      clock: VirtualClock())
    var bench = DriverBench(.taiDoc, device, name: "FORA D40")

    #expect(
      bench.run().readings.map(\.values) == [
        [
          .init(.systolic, 268), .init(.diastolic, 80), .init(.pulse, 72),
        ]
      ])
  }

  @Test(arguments: [
    VirtualDeviceModel.taiDocGlucose, .taiDocBloodPressure, .taiDocThermometer, .taiDocOximeter,
  ])
  func `never tells a device to erase its memory or to inflate the cuff`(model: VirtualDeviceModel)
  {
    var bench = DriverBench(.taiDoc, model, clock: VirtualClock(offsetSeconds: 86_400))
    let first = bench.run()
    let second = bench.run()

    let commands = (first.writes + second.writes).compactMap { $0.bytes.dropFirst().first }
    #expect(commands.count > 5)
    #expect(!commands.contains(0x52))
    #expect(!commands.contains(0x43))
    #expect(first.accepted.count == model.readingCount)
  }

  private static let modelRequest = TaiDocRequest.readModel.frame.payload

  @Test func `that are silent end in a time-out`() {
    var dialogue = DriverDialogue(.taiDoc)
    #expect(dialogue.begin(.taiDoc) == [.write(.taiDoc, Self.modelRequest)])

    #expect(
      dialogue.waitForEnd()
        == .fail(
          DriverFailure(
            .timeout, "The device did not answer when asked for its model. Try again.")))
    #expect(dialogue.time.elapsed == .seconds(9))
  }

  @Test func `of a model that is not known are not guessed at`() {
    var dialogue = DriverDialogue(.taiDoc, name: "TAIDOC TD2555")
    _ = dialogue.begin(.taiDoc)
    let scale = TaiDocFrame(.readModel, .reply, 0x55, 0x25).payload

    #expect(dialogue.tell(.value(.taiDoc, scale)).map(\.failure) == [.communication])
    #expect(dialogue.wait() == nil)
  }

  @Test(arguments: [
    ("FORA IR42", true), ("TNG BP 12345678", true), ("tng 12345678", true), ("FORA W310", false),
  ])
  func `of a model that is not known are known by their names`(name: String, isKnown: Bool) {
    var dialogue = DriverDialogue(.taiDoc, name: name)
    _ = dialogue.begin(.taiDoc)
    let actions = dialogue.tell(
      .value(.taiDoc, TaiDocFrame(.readModel, .reply, 0x99, 0x99).payload))

    #expect((actions.last == .write(.taiDoc, TaiDocRequest.readClock.frame.payload)) == isKnown)
  }

  @Test func `may send what was not asked for and garbage, which is let pass`() {
    var dialogue = DriverDialogue(.taiDoc)
    _ = dialogue.begin(.taiDoc)
    let junk: [[UInt8]] = [
      [], [0x51], TaiDocFrame(.enterCommunication, .reply).payload,
      TaiDocFrame(.readClock, .reply, 0x72, 0x42).payload, Self.modelRequest,
      TaiDocFrame(.readModel, .reply, 0x72, 0x42).payload + [0],
    ]

    for bytes in junk { #expect(dialogue.tell(.value(.taiDoc, bytes)).isEmpty) }
    let answer = TaiDocFrame(.readModel, .reply, 0x72, 0x42).payload
    #expect(dialogue.tell(.value(.taiDoc, answer)).first == .fact(.model("TD-4272")))
  }

  @Test func `with a clock that shows no time are told the time`() {
    var dialogue = DriverDialogue(.taiDoc)
    _ = dialogue.begin(.taiDoc)
    _ = dialogue.tell(.value(.taiDoc, TaiDocFrame(.readModel, .reply, 0x72, 0x42).payload))
    let actions = dialogue.tell(.value(.taiDoc, TaiDocFrame(.readClock, .reply).payload))

    #expect(actions.first == .fact(.clockNotSet))
    // 2026-03-29 14:00
    #expect(
      actions.last == .write(.taiDoc, TaiDocFrame(.setClock, .request, 0x7D, 0x34, 0, 14).payload))
  }

  @Test func `that refuse to be written to cannot be read`() {
    var dialogue = DriverDialogue(.taiDoc)
    _ = dialogue.begin(.taiDoc)

    let actions = dialogue.tell(.writeFailed(.taiDoc, RequestFailure(code: 3)))
    #expect(actions.map(\.failure) == [.communication])
  }
}
