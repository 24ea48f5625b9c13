// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// LifeScan's OneTouch Verio Flex, Verio Reflect, Ultra Plus Reflect and Select Plus Flex.
  package static let oneTouch = DriverModel(
    id: "onetouch", name: "OneTouch Verio protocol", required: [.oneTouchRequest, .oneTouchReply],
    confidence: .captured,
    sources: [
      "tidepool-org/uploader", "tryVital/vital-ios", "NightscoutFoundation/xDrip",
      "sivulich/AppiaGlucometers", "glucometers-tech/glucometer-protocols",
    ], readsMemory: true
  ) { OneTouchDriver($0) }
}

extension GATTAttribute {
  private static let oneTouchService = "AF9DF7A1-E595-11E3-96B4-0002A5D5C51B"
  /// Where a OneTouch meter is written to.
  package static let oneTouchRequest = GATTAttribute(
    oneTouchService, "AF9DF7A2-E595-11E3-96B4-0002A5D5C51B")
  /// Where a OneTouch meter answers.
  package static let oneTouchReply = GATTAttribute(
    oneTouchService, "AF9DF7A3-E595-11E3-96B4-0002A5D5C51B")
}

/// Reads a OneTouch meter: its clock, and each record that is newer than the last one known.
///
/// Records are numbered over the life of a meter, so that a transfer continues where the one before
/// ended, whatever ended it.
package struct OneTouchDriver: RequestResponseDriver {
  enum Question: Hashable, Sendable {
    case serialNumber, clock, clockSetting(UInt32), newestRecordID, recordCount, record(UInt16)
  }

  /// Meters do not answer right after they were paired.
  private static let pauseAfterPairing = Duration.seconds(1)
  /// A meter with a strip in it is busy.
  private static let pauseAfterRefusal = Duration.seconds(2)
  /// Descriptions of the epoch differ by a second.
  private static let clockTolerance = 2.0

  var exchange: Exchange<Question>
  private var transport = OneTouchTransport(.client)
  /// The family whose frames the meter understands, and whether it has shown that.
  private var family = OneTouchFrame.Family.verio
  private var isFamilyKnown = false
  private var newestRecordID: UInt16 = 0
  /// The record that the meter refused once.
  private var refusedRecordID: UInt16?
  /// The meter refused a record twice: what comes after it is no checkpoint, or it would never be
  /// read.
  private var hasGap = false

  package init(_ context: DriverContext) {
    exchange = Exchange(
      with: "The meter", requests: .oneTouchRequest, replies: .oneTouchReply,
      rule: .init(attempts: 4), context: context)
  }

  // MARK: - Questions

  mutating func begin(at time: DriverTime) -> [DriverAction] {
    let hasSerialNumber = context.has(GATTAttribute("180A", "2A25"))
    questions.wait(
      Self.pauseAfterPairing, beforeAsking: hasSerialNumber ? .clock : .serialNumber,
      at: time.elapsed)
    return []
  }

  mutating func put(_ question: Question, at time: DriverTime) -> [DriverAction] {
    if questions.isRepeated, !isFamilyKnown {
      family = family == .verio ? .selectPlus : .verio
    }
    guard let frame = try? OneTouchFrame(family, message: question.request.message),
      let block = try? transport.send(frame)
    else { return [] }
    return [.write(.oneTouchRequest, block)]
  }

  mutating func unanswered(_ question: Question, at time: DriverTime) -> [DriverAction] {
    fail(.timeout, "The meter did not answer when asked for \(question.name). Try again.")
  }

  // MARK: - Answers

  /// A damaged block is not acknowledged; the request is repeated after its timeout.
  mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let outputs = try? transport.received(bytes) else { return [] }
    var actions: [DriverAction] = []
    for output in outputs {
      switch output {
      case .send(let bytes): actions.append(.write(.oneTouchRequest, bytes))
      case .received(let frame): actions += answered(frame, at: time)
      }
    }
    return actions
  }

  private mutating func answered(_ frame: OneTouchFrame, at time: DriverTime) -> [DriverAction] {
    guard let question = questions.awaited, let reply = try? OneTouchReply(payload: frame.message)
    else { return [] }
    family = frame.family
    isFamilyKnown = true
    guard reply.status != .unauthorized else {
      return fail(.notAuthorized, "The meter does not know this receiver. Pair it anew.")
    }
    do throws(PayloadError) {
      return try take(reply, to: question, at: time)
    } catch {
      return fail(.communication, "The meter did not send \(question.name). \(error.message)")
    }
  }

  private mutating func take(
    _ reply: OneTouchReply, to question: Question, at time: DriverTime
  ) throws(PayloadError) -> [DriverAction] {
    switch question {
    case .serialNumber:
      let text = (try? reply.text()) ?? ""
      return (text.isEmpty ? [] : [.fact(.serialNumber(text))]) + proceed(to: .clock, at: time)
    case .clock: return takeClock(try? reply.number(), at: time)
    case .clockSetting: return [.fact(.clockSet)] + clockIsDone(at: time)
    case .newestRecordID: return takeNewest(try reply.number(), at: time)
    case .recordCount: return takeCount(try reply.recordCount(), at: time)
    case .record(let id): return takeRecord(id, reply, at: time)
    }
  }

  private mutating func takeClock(_ seconds: UInt32?, at time: DriverTime) -> [DriverAction] {
    guard let shown = seconds.flatMap({ LocalDateTime(secondsSince2000: $0).secondsSince1970 }),
      let right = time.local?.secondsSince2000
    else { return clockIsDone(at: time) }
    let drift = (Double(shown) - time.localSecondsSince1970).rounded()
    let isRight = abs(drift) <= Self.clockTolerance
    return [.fact(.clockDrift(seconds: drift))]
      + (isRight ? clockIsDone(at: time) : proceed(to: .clockSetting(right), at: time))
  }

  private mutating func clockIsDone(at time: DriverTime) -> [DriverAction] {
    context.purpose == .pair ? finish() : proceed(to: .newestRecordID, at: time)
  }

  private mutating func takeNewest(_ id: UInt32, at time: DriverTime) -> [DriverAction] {
    guard let id = UInt16(exactly: id) else {
      return fail(.communication, "The meter counts its records in a way that is not known.")
    }
    newestRecordID = id
    guard id != 0, context.checkpoint()?.sequenceNumber != Int(id) else { return finish() }
    return proceed(to: .recordCount, at: time)
  }

  /// Begins after the last record that is known, unless the meter counts anew.
  private mutating func takeCount(_ count: UInt16, at time: DriverTime) -> [DriverAction] {
    guard count > 0 else { return finish() }
    let oldest = max(Int(newestRecordID) - Int(count) + 1, 1)
    let known = context.checkpoint()?.sequenceNumber ?? 0
    let first = known < Int(newestRecordID) ? max(oldest, known + 1) : oldest
    return proceed(to: .record(UInt16(clamping: first)), at: time)
  }

  private mutating func takeRecord(
    _ id: UInt16, _ reply: OneTouchReply, at time: DriverTime
  ) -> [DriverAction] {
    if ![.success, .invalidValue].contains(reply.status) {
      guard refusedRecordID == id else {
        refusedRecordID = id
        questions.wait(Self.pauseAfterRefusal, beforeAsking: .record(id), at: time.elapsed)
        return []
      }
      hasGap = true
    }
    let next = id < newestRecordID ? proceed(to: .record(id + 1), at: time) : finish()
    guard let reading = DeviceReading(oneTouch: reply, id: id) else { return next }
    let checkpoint = SyncCheckpoint(
      sequenceNumber: Int(id), payload: reading.payload, key: context.checkpointKey)
    return [.deliver(reading)] + (hasGap ? [] : [.advance(checkpoint)]) + next
  }
}

extension OneTouchDriver.Question {
  fileprivate var request: OneTouchRequest {
    switch self {
    case .serialNumber: .text(.serialNumber)
    case .clock: .readClock
    case .clockSetting(let seconds): .setClock(secondsSince2000: seconds)
    case .newestRecordID: .newestRecordID
    case .recordCount: .recordCount
    case .record(let id): .record(id: id)
    }
  }

  fileprivate var name: String {
    switch self {
    case .serialNumber: "its serial number"
    case .clock: "its clock"
    case .clockSetting: "its clock to be set"
    case .newestRecordID: "its newest record"
    case .recordCount: "the number of its records"
    case .record: "a record"
    }
  }
}
