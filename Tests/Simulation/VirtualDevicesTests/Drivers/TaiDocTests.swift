// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

private func time(
  _ day: Int, _ hours: Int, _ minutes: Int
) throws -> DeviceReading.Clock {
  .local(LocalDateTime(year: 2026, month: 3, day: day, hour: hours, minute: minutes, second: 0))
}

@Suite struct `Driver of TaiDoc devices` {
  @Test func `reads a glucose meter, oldest record first`() throws {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    let result = bench.run()

    #expect(result.readings.map { $0[.bloodGlucose] } == [98, nil, 120, nil, 133])
    #expect(result.readings.map(\.rejection?.reason) == [nil, .control, nil, .malformed, nil])
    #expect(result.readings.map(\.mealRelationship) == [nil, nil, .before, nil, .after])
    #expect(result.readings.first?.clock == (try time(27, 7, 5)))
    #expect(result.readings.allSatisfy { $0.userSlot == nil })
    #expect(result.facts.contains(.serialNumber("4272171300123456")))
    #expect(result.facts.contains(.model("TD-4272")))
    #expect(result.checkpoints.map(\.memory) == ["user-0"])
    #expect(result.end == .finish)
    #expect(result.elapsed == .zero)
  }

  @Test func `reads a memory of more than 255 records`() throws {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    bench.press(
      .remember(
        try (0..<300).map { index in
          let time = try TaiDocDateTime(
            LocalDateTime(
              year: 2026, month: 3, day: 28, hour: index / 60, minute: index % 60, second: 0))
          return time.payload + [100, 0, 0, 0]
        }))
    #expect(bench.run(limit: .seconds(600)).readings.count == 305)
  }

  @Test(arguments: [(80, 60, false), (0, 60, true), (80, 0, true)] as [(UInt8, UInt8, Bool)])
  func `takes a pressure or pulse of 0 for a failed measurement`(
    diastolic: UInt8, pulse: UInt8, isRejected: Bool
  ) throws {
    var bench = DriverBench(.taiDoc, .taiDocBloodPressure)
    let taken = try TaiDocDateTime(
      LocalDateTime(year: 2026, month: 3, day: 28, hour: 8, minute: 0, second: 0))
    bench.press(.remember([taken.payload + [120, 90, diastolic, pulse]]))
    let clock = try time(28, 8, 0)
    let reading = try #require(bench.run().readings.first { $0.clock == clock })
    #expect((reading.rejection?.reason == .failedMeasurement) == isRejected)
  }

  @Test func `reads the users of a blood pressure monitor`() throws {
    var bench = DriverBench(.taiDoc, .taiDocBloodPressure)
    let result = bench.run()

    #expect(result.readings.map(\.userSlot) == [1, 1, 2, 2])
    #expect(result.readings.map(\.rejection?.reason) == [nil, nil, nil, .failedMeasurement])
    #expect(
      result.readings.first?.values == [
        .init(.systolic, 120), .init(.diastolic, 80),
        .init(.meanArterialPressure, 90), .init(.pulse, 72),
      ])
    #expect(result.readings.first?.clock == (try time(28, 7, 31)))
    #expect(result.checkpoints.map(\.memory) == ["user-1", "user-2"])
  }

  @Test func `reads the memory of a monitor without users once`() throws {
    let record = try VirtualTaiDocDevice.Record(
      time: TaiDocDateTime(payload: [0x7D, 0x34, 0x1E, 0x07]), value: [120, 90, 80, 72])
    let device = VirtualTaiDocDevice(
      .init(number: TaiDocModel(number: 0x3140), serialNumber: "1", memory: [0: [record]]),
      clock: VirtualClock())
    var bench = DriverBench(.taiDoc, device)

    #expect(bench.run().readings.count == 1)
    // Not as another user's the next time either.
    #expect(bench.run().readings.isEmpty)
  }

  @Test func `takes no reading for another user's after the link was lost`() throws {
    let records = try (0..<4).map { minute in
      try VirtualTaiDocDevice.Record(
        time: TaiDocDateTime(
          LocalDateTime(year: 2026, month: 3, day: 28, hour: 8, minute: minute, second: 0)),
        value: [120, 90, 80, 72])
    }
    for count in 5...30 {
      let device = VirtualTaiDocDevice(
        .init(number: TaiDocModel(number: 0x3140), serialNumber: "1", memory: [0: records]),
        clock: VirtualClock())
      var bench = DriverBench(.taiDoc, device)
      bench.fault = .cut(afterValues: count)
      var slots = bench.run().readings.map(\.userSlot)
      bench.fault = nil
      for _ in 1...3 { slots += bench.run().readings.map(\.userSlot) }
      #expect(slots == [1, 1, 1, 1], "cut after \(count) values")
    }
  }

  @Test func `goes on after the last known record, also if the link is lost again and again`() {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    bench.fault = .cut(afterValues: 10)
    var counts: [Int] = []
    for _ in 1...5 { counts.append(bench.run().readings.count) }
    #expect(counts == [1, 1, 1, 1, 1])
    bench.fault = nil
    #expect(bench.run().readings.isEmpty)
  }

  // Each measurement has values of its own, and a minute of its own.
  @Test(arguments: 1...24)
  func `loses and mixes up nothing when somebody measures while it is read`(
    request: Int
  ) throws {
    let records = try (0..<5).map { number in
      VirtualTaiDocDevice.Record(
        time: try TaiDocDateTime(
          LocalDateTime(year: 2026, month: 3, day: 28, hour: 8, minute: number, second: 0)),
        value: [UInt8(120 + number), 90, 80, 72])
    }
    let new = VirtualTaiDocDevice.Record(
      time: try TaiDocDateTime(
        LocalDateTime(year: 2026, month: 3, day: 28, hour: 8, minute: 5, second: 0)),
      value: [125, 90, 80, 72])
    func device(_ records: some Sequence<VirtualTaiDocDevice.Record>) -> VirtualTaiDocDevice {
      VirtualTaiDocDevice(
        .init(number: TaiDocModel(number: 0x3128), serialNumber: "1", memory: [1: Array(records)]),
        clock: VirtualClock())
    }
    for known in [0, 1, 3] {
      var bench = DriverBench(
        .taiDoc,
        InterruptedDevice(device(records.prefix(known)), device(records), new: new, at: request))
      if known > 0 { _ = bench.run() }
      bench.press(.pairingMode)
      var readings: [DeviceReading] = []
      for _ in 1...3 { readings += bench.run().readings }
      let minutes = readings.map { reading -> Int? in
        guard case .local(let time)? = reading.clock else { return nil }
        return time.minute
      }
      #expect(minutes == (known...5).map { $0 })
      #expect(readings.map { $0[.systolic] } == (known...5).map { Double(120 + $0) })
    }
  }

  @Test func `reads a thermometer`() throws {
    var bench = DriverBench(.taiDoc, .taiDocThermometer)
    let result = bench.run()

    #expect(result.accepted.map { $0[.bodyTemperature] } == [38.6, 37.2])
    #expect(result.accepted.last?.clock == (try time(29, 7, 40)))
  }

  @Test func `polls an oximeter until its value is stable`() {
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

  @Test func `searches the newest records for the last known one`() {
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
    #expect(third.writes.count == 11)
    #expect(bench.run().readings.isEmpty)
  }

  @Test(arguments: 1...14)
  func `continues after a lost link with nothing lost or repeated`(values: Int) {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    bench.fault = .cut(afterValues: values)
    let first = bench.run()
    bench.fault = nil
    let second = bench.run()

    let values = (first.accepted + second.accepted).map { $0[.bloodGlucose] }
    #expect(values == [98, 120, 133])
    #expect(first.readings.count + second.readings.count == 5)
  }

  @Test func `reads all records again when readings were not stored`() {
    var bench = DriverBench(.taiDoc, .taiDocBloodPressure)
    bench.canStore = false
    let first = bench.run()
    bench.canStore = true

    #expect(first.checkpoints.isEmpty)
    #expect(bench.run().readings.count == 4)
  }

  @Test func `reads everything when the last known record is missing`() {
    let checkpoint = SyncCheckpoint(
      memory: "user-0", sequenceNumber: 450, payload: [1, 2, 3], key: CheckpointKey())
    var bench = DriverBench(
      .taiDoc, VirtualDeviceModel.taiDocGlucose.make(VirtualClock()), checkpoints: [checkpoint])

    #expect(bench.run().accepted.map { $0[.bloodGlucose] } == [98, 120, 133])
  }

  @Test func `pairs and sets the clock without reading records`() {
    var bench = DriverBench(
      .taiDoc, .taiDocGlucose, clock: VirtualClock(offsetSeconds: 86_400), purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.events.contains(.clockSet))
    #expect(result.readings.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `rejects the entry that marks a full memory`() {
    var bench = DriverBench(.taiDoc, .taiDocGlucose)
    // The 1st of January 2037, 600 mg/dL.
    bench.press(.remember([[0x21, 0x4A, 0x00, 0x00, 0x58, 0x02, 0x00, 0x00]]))
    let result = bench.run()

    #expect(result.readings.last?.rejection?.reason == .malformed)
    #expect(result.accepted.count == 3)
  }

  @Test func `reads a two-byte systolic pressure of a FORA D40`() throws {
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
  func `never sends a command to erase memory or inflate the cuff`(model: VirtualDeviceModel) {
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

  @Test func `that do not answer end in a timeout`() {
    var dialogue = DriverDialogue(.taiDoc)
    #expect(dialogue.begin(.taiDoc) == [.write(.taiDoc, Self.modelRequest)])

    #expect(
      dialogue.waitForEnd()
        == .fail(
          DriverFailure(
            .timeout, "The device did not answer when asked for its model. Try again.")))
    #expect(dialogue.time.elapsed == .seconds(9))
  }

  @Test func `of an unknown model are rejected`() {
    var dialogue = DriverDialogue(.taiDoc, name: "TAIDOC TD2555")
    _ = dialogue.begin(.taiDoc)
    let scale = TaiDocFrame(.readModel, .reply, 0x55, 0x25).payload

    #expect(dialogue.report(.value(.taiDoc, scale)).map(\.failure) == [.communication])
    #expect(dialogue.wait() == nil)
  }

  @Test(arguments: [
    ("FORA IR42", true), ("TNG BP 12345678", true), ("tng 12345678", true), ("FORA W310", false),
  ])
  func `of an unknown model are identified by name`(name: String, isKnown: Bool) {
    var dialogue = DriverDialogue(.taiDoc, name: name)
    _ = dialogue.begin(.taiDoc)
    let actions = dialogue.report(
      .value(.taiDoc, TaiDocFrame(.readModel, .reply, 0x99, 0x99).payload))

    #expect((actions.last == .write(.taiDoc, TaiDocRequest.readClock.frame.payload)) == isKnown)
  }

  @Test func `may send unrequested data and garbage, which are ignored`() {
    var dialogue = DriverDialogue(.taiDoc)
    _ = dialogue.begin(.taiDoc)
    let junk: [[UInt8]] = [
      [], [0x51], TaiDocFrame(.enterCommunication, .reply).payload,
      TaiDocFrame(.readClock, .reply, 0x72, 0x42).payload, Self.modelRequest,
      TaiDocFrame(.readModel, .reply, 0x72, 0x42).payload + [0],
    ]

    for bytes in junk { #expect(dialogue.report(.value(.taiDoc, bytes)).isEmpty) }
    let answer = TaiDocFrame(.readModel, .reply, 0x72, 0x42).payload
    #expect(dialogue.report(.value(.taiDoc, answer)).first == .fact(.model("TD-4272")))
  }

  @Test func `with an invalid clock are set`() {
    var dialogue = DriverDialogue(.taiDoc)
    _ = dialogue.begin(.taiDoc)
    _ = dialogue.report(.value(.taiDoc, TaiDocFrame(.readModel, .reply, 0x72, 0x42).payload))
    let actions = dialogue.report(.value(.taiDoc, TaiDocFrame(.readClock, .reply).payload))

    #expect(actions.first == .fact(.clockNotSet))
    // 2026-03-29 14:00
    #expect(
      actions.last == .write(.taiDoc, TaiDocFrame(.setClock, .request, 0x7D, 0x34, 0, 14).payload))
  }

  @Test func `that refuse writes cannot be read`() {
    var dialogue = DriverDialogue(.taiDoc)
    _ = dialogue.begin(.taiDoc)

    let actions = dialogue.report(.writeFailed(.taiDoc, RequestFailure(code: 3)))
    #expect(actions.map(\.failure) == [.communication])
  }
}

/// A device with some of its records at first, with all when it is in its pairing mode, and with a new
/// one from a request on.
private struct InterruptedDevice: VirtualDeviceLogic {
  private var inner: VirtualTaiDocDevice
  private let all: VirtualTaiDocDevice
  private let new: VirtualTaiDocDevice.Record
  private var requestsLeft: Int
  private var isComplete = false

  init(
    _ first: VirtualTaiDocDevice, _ all: VirtualTaiDocDevice, new: VirtualTaiDocDevice.Record,
    at request: Int
  ) {
    (inner, self.all, self.new, requestsLeft) = (first, all, new, request)
  }

  var services: [VirtualService] { inner.services }
  var isAdvertising: Bool { true }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    if case .pairingMode = input {
      (inner, isComplete) = (all, true)
      return []
    }
    if case .written = input, isComplete {
      requestsLeft -= 1
      if requestsLeft == 0 { _ = inner.handle(.remember([new.time.payload + new.value]), at: time) }
    }
    return inner.handle(input, at: time)
  }
}
