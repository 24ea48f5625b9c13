// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// TaiDoc's and FORA's glucose meters, blood pressure monitors, thermometers and oximeters.
  package static let taiDoc = DriverModel(
    id: "taidoc", name: "TaiDoc protocol", required: [.taiDoc], confidence: .agreed,
    sources: [
      "glucometers-tech/glucometer-protocols", "glucometers-tech/glucometerutils",
      "advmeds-service/advmeds-bluetooth-lib", "weliem/LivecareBluetoothSDK",
    ],
    userNumbering: .from(
      1,
      sources: [
        "markchuang56/iOS-Demo@52c4f8b1, h2SyncLib/BLE_VENDOR/FORA_MTI/ForaD40.m (users from 1 to 4)"
      ])
  ) { TaiDocDriver($0) }
}

extension GATTAttribute {
  /// Where a TaiDoc device is written to and answers.
  package static let taiDoc = GATTAttribute(
    "00001523-1212-EFDE-1523-785FEABCD123", "00001524-1212-EFDE-1523-785FEABCD123")
}

/// Reads a device by TaiDoc: asks for its model, sets its clock, and reads what it keeps.
///
/// An oximeter is asked for what it measures now, until the value holds.
package struct TaiDocDriver: RequestResponseDriver {
  enum Question: Hashable, Sendable {
    case model, clock, clockSetting(TaiDocDateTime), recordCount(user: UInt8)
    case recordTime(index: UInt16, user: UInt8), recordValue(index: UInt16, user: UInt8)
    case currentOximetry
  }

  /// The clock has no seconds, and may lose some when it is set.
  private static let clockTolerance = 90.0
  private static let sampleInterval = Duration.seconds(1)

  var exchange: Exchange<Question>
  /// What the device measures, once its model is known.
  private var kind: TaiDocModel.Kind?
  /// The users whose memories are still to be read.
  private var users: ArraySlice<UInt8> = []
  private var memory: TaiDocMemory?
  private var taken: Set<TaiDocMemory.Record> = []
  /// The last record of each user that was handed on.
  private var last: [UInt8: SyncCheckpoint] = [:]
  /// The memory of the first user who has one.
  private var first: TaiDocMemory.Extent?
  private var oximetry = StableValue<OximetrySample>()

  package init(_ context: DriverContext) {
    exchange = Exchange(
      with: "The device", requests: .taiDoc, replies: .taiDoc, context: context)
  }

  mutating func begin(at time: DriverTime) -> [DriverAction] { proceed(to: .model, at: time) }

  func put(_ question: Question, at time: DriverTime) -> [DriverAction] {
    [.write(.taiDoc, question.request.frame.payload)]
  }

  mutating func unanswered(_ question: Question, at time: DriverTime) -> [DriverAction] {
    fail(.timeout, "The device did not answer when asked for \(question.name). Try again.")
  }

  // MARK: - Answers

  /// Other frames are ignored: the device also announces itself.
  mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let question = questions.awaited, let frame = try? TaiDocFrame(payload: bytes),
      frame.direction == .reply, frame.command == question.request.frame.command
    else { return [] }
    switch question {
    case .model: return takeModel(try? TaiDocModel(payload: frame.data), at: time)
    case .clock: return takeClock(try? TaiDocDateTime(payload: frame.data), at: time)
    case .clockSetting: return [.fact(.clockSet)] + clockIsDone(at: time)
    case .recordCount(let user):
      return takeCount(UInt16(frame.data[0]) | UInt16(frame.data[1]) << 8, of: user, at: time)
    case .recordTime(let index, let user):
      memory?.time = frame.data
      return proceed(to: .recordValue(index: index, user: user), at: time)
    case .recordValue: return takeValue(frame.data, at: time)
    case .currentOximetry: return takeOximetry(frame.data, at: time)
    }
  }

  private mutating func takeModel(_ model: TaiDocModel?, at time: DriverTime) -> [DriverAction] {
    guard let kind = model?.kind ?? context.name.flatMap({ TaiDocModel.kind(named: $0) }) else {
      return fail(.communication, "It is not known how this model sends what it measures.")
    }
    self.kind = kind
    users = kind.users
    return (model.map { [.fact(.model($0.name))] } ?? []) + proceed(to: .clock, at: time)
  }

  private mutating func takeClock(_ shown: TaiDocDateTime?, at time: DriverTime) -> [DriverAction] {
    guard let right = time.local, let setting = try? TaiDocDateTime(right) else {
      return clockIsDone(at: time)
    }
    guard let seconds = shown?.dateTime?.secondsSince1970 else {
      return [.fact(.clockNotSet)] + proceed(to: .clockSetting(setting), at: time)
    }
    let drift = (Double(seconds) - time.localSecondsSince1970).rounded()
    let isRight = abs(drift) < Self.clockTolerance
    return [.fact(.clockDrift(seconds: isRight ? 0 : drift))]
      + (isRight ? clockIsDone(at: time) : proceed(to: .clockSetting(setting), at: time))
  }

  private mutating func clockIsDone(at time: DriverTime) -> [DriverAction] {
    guard context.purpose == .read else { return finish() }
    guard kind == .oximetry else { return readNextMemory(at: time) }
    return [.ready] + proceed(to: .currentOximetry, at: time)
  }

  // MARK: - Memory

  private mutating func readNextMemory(at time: DriverTime) -> [DriverAction] {
    if first == nil { first = memory?.extent }
    memory = nil
    guard let user = users.popFirst() else { return finish() }
    return proceed(to: .recordCount(user: user), at: time)
  }

  private mutating func takeCount(
    _ count: UInt16, of user: UInt8, at time: DriverTime
  ) -> [DriverAction] {
    if let step = memory?.received(count: count) { return take(step, at: time) }
    guard
      let begun = TaiDocMemory(
        user: user, count: count, first: first, after: last[user], context: context)
    else { return readNextMemory(at: time) }
    memory = begun
    return proceed(to: .recordTime(index: begun.index, user: user), at: time)
  }

  private mutating func takeValue(_ value: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let step = memory?.received(value: value), let user = memory?.user else {
      return readNextMemory(at: time)
    }
    return step.records.isEmpty
      ? take(step, at: time) : proceed(to: .recordCount(user: user), at: time)
  }

  private mutating func take(_ step: TaiDocMemory.Step, at time: DriverTime) -> [DriverAction] {
    if let checkpoint = memory?.checkpointOfTwin {
      return [.advance(checkpoint)] + readNextMemory(at: time)
    }
    let actions = step.records.flatMap { deliver($0) }
    guard let next = step.next, let user = memory?.user else {
      return actions + readNextMemory(at: time)
    }
    return actions + proceed(to: .recordTime(index: next, user: user), at: time)
  }

  /// A device that knows no users gives each of them the same records: they are taken once.
  private mutating func deliver(_ found: TaiDocMemory.Found) -> [DriverAction] {
    guard let kind else { return [] }
    last[found.user] = found.checkpoint
    // Without the checkpoint it would be new in the next connection.
    guard taken.insert(found.record).inserted else { return [.advance(found.checkpoint)] }
    var reading = DeviceReading(taiDoc: found.record, kind, deviceName: context.name)
    reading.userSlot = found.user == 0 ? nil : Int(found.user)
    return [.deliver(reading), .advance(found.checkpoint)]
  }

  // MARK: - Oximeter

  private mutating func takeOximetry(_ data: [UInt8], at time: DriverTime) -> [DriverAction] {
    let value = try? TaiDocOximetryValue(payload: data)
    let sample = value.flatMap {
      OximetrySample(saturation: Int($0.saturation), pulseRate: Int($0.pulseRate))
    }
    guard let steady = oximetry.received(sample, at: time.elapsed) else {
      questions.wait(Self.sampleInterval, beforeAsking: .currentOximetry, at: time.elapsed)
      return []
    }
    var reading = DeviceReading(
      [.init(.oxygenSaturation, steady.saturation), .init(.pulse, steady.pulseRate)],
      payload: data)
    reading.clock = .age(0)
    return [.deliver(reading)] + finish()
  }
}

extension TaiDocDriver.Question {
  fileprivate var request: TaiDocRequest {
    switch self {
    case .model: .readModel
    case .clock: .readClock
    case .clockSetting(let time): .setClock(time)
    case .recordCount(let user): .readRecordCount(user: user)
    case .recordTime(let index, let user): .readRecordTime(index: index, user: user)
    case .recordValue(let index, let user): .readRecordValue(index: index, user: user)
    case .currentOximetry: .readCurrentOximetry
    }
  }

  fileprivate var name: String {
    switch self {
    case .model: "its model"
    case .clock: "its clock"
    case .clockSetting: "its clock to be set"
    case .recordCount: "the number of its records"
    case .recordTime, .recordValue: "a record"
    case .currentOximetry: "what it measures"
    }
  }
}

extension TaiDocModel.Kind {
  /// The users of a device's memory; 0 where it has one only.
  fileprivate var users: ArraySlice<UInt8> {
    switch self {
    case .bloodPressure: [1, 2, 3, 4]
    case .glucose, .temperature, .oximetry: [0]
    }
  }
}
