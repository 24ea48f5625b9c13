// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// One request to a Record Access Control Point (2A52), from the first write to the end of its
/// answer.
///
/// The records themselves come over other characteristics; of them it needs to know only that one
/// came. A device that is busy is asked again after a while. One that still works on the request of
/// an earlier connection is asked to abort it first. One that needs a new subscription gets it.
///
/// Source: Glucose Service §3.4 and Glucose Profile §4.5; the older codes 0x80 and 0x81 for
/// procedure in progress and subscription missing are those of the Glucose Service 1.0.
package struct RecordAccessProcedure: Sendable {
  /// How long to wait, and how often to ask.
  package struct Limits: Hashable, Sendable {
    /// How long the device may be silent (Glucose Profile: 30 s).
    package var silence: Duration
    /// How long to wait before a busy device is asked again.
    package var pause: Duration
    /// How long records may come after the end was reported: they use another characteristic.
    package var grace: Duration
    /// How often the request is made.
    package var attempts: Int

    package init(
      silence: Duration = .seconds(30), pause: Duration = .seconds(2),
      grace: Duration = .milliseconds(500), attempts: Int = 4
    ) {
      self.silence = silence
      self.pause = pause
      self.grace = grace
      self.attempts = attempts
    }
  }

  /// What to do now.
  package enum Step: Hashable, Sendable {
    case none
    /// Write to the control point.
    case write([UInt8])
    /// Subscribe to the records and the control point once more, then call ``subscribed(at:)``.
    case subscribeAnew
    /// It is over.
    case finish(Outcome)
  }

  /// How it ended.
  package enum Outcome: Hashable, Sendable {
    /// All records were sent.
    case completed
    /// There are no such records.
    case noRecords
    /// The number of records that was asked for.
    case count(Int)
    /// The device does not know this kind of request.
    case notSupported
    case failed(DriverFailure)
  }

  private enum State: Hashable {
    /// Next: asking.
    case idle
    /// The request is written. Next: settling, subscribing, aborting, pausing, finished.
    case asking(until: Duration)
    /// Next: asking, finished.
    case subscribing(until: Duration)
    /// An earlier request is aborted. Next: pausing.
    case aborting(until: Duration)
    /// Next: asking.
    case pausing(until: Duration)
    /// The end was reported. Next: finished.
    case settling(until: Duration)
    /// Next: none.
    case finished
  }

  private typealias ControlPoint = RecordAccessControlPoint

  private let request: RecordAccessControlPoint
  private let limits: Limits
  private var state = State.idle
  private var attemptsLeft: Int
  private var hasSubscribedAnew = false

  /// Prepares a request.
  package init(_ request: RecordAccessControlPoint, limits: Limits = Limits()) {
    self.request = request
    self.limits = limits
    attemptsLeft = limits.attempts
  }

  /// Whether the device has reported that all records were sent.
  package var isSettling: Bool {
    if case .settling = state { true } else { false }
  }

  /// When ``timeReached(_:)`` is to be called.
  package var deadline: Duration? {
    switch state {
    case .idle, .finished: nil
    case .asking(let until), .subscribing(let until), .aborting(let until), .pausing(let until),
      .settling(let until):
      until
    }
  }

  /// Begins.
  package mutating func begin(at now: Duration) -> Step {
    guard state == .idle else { return .none }
    return ask(at: now)
  }

  /// A record came.
  package mutating func recordReceived(at now: Duration) {
    switch state {
    case .asking: state = .asking(until: now + limits.silence)
    case .settling: state = .settling(until: now + limits.grace)
    default: break
    }
  }

  /// The control point indicated a value; one that does not answer the request is ignored.
  package mutating func indicated(_ bytes: [UInt8], at now: Duration) -> Step {
    guard let answer = try? ControlPoint(payload: bytes) else { return .none }
    switch (state, answer.operand) {
    case (.asking, .response(to: request.opCode, let code)): return responded(code, at: now)
    case (.asking, .count), (.asking, .wideCount): return counted(answer, at: now)
    case (.aborting, .response(to: .abortOperation, _)): return pause(at: now)
    default: return .none
    }
  }

  /// The control point refused a write.
  package mutating func refused(_ failure: RequestFailure, at now: Duration) -> Step {
    switch state {
    case .asking: requestRefused(failure, at: now)
    case .aborting: pause(at: now)
    default: .none
    }
  }

  /// The subscriptions that ``Step/subscribeAnew`` asked for are made.
  package mutating func subscribed(at now: Duration) -> Step {
    guard case .subscribing = state else { return .none }
    return ask(at: now)
  }

  /// The deadline may have been reached.
  package mutating func timeReached(_ now: Duration) -> Step {
    guard let deadline, now >= deadline else { return .none }
    switch state {
    case .pausing: return ask(at: now)
    case .aborting: return pause(at: now)
    case .settling: return finish(.completed)
    case .asking, .subscribing:
      return fail(
        .timeout, "The device did not answer the request for its records. Switch it on again.")
    case .idle, .finished: return .none
    }
  }

  private mutating func ask(at now: Duration) -> Step {
    guard attemptsLeft > 0 else {
      return fail(.busy, "The device is busy. Wait a minute and read it again.")
    }
    attemptsLeft -= 1
    state = .asking(until: now + limits.silence)
    return .write(request.payload)
  }

  private mutating func pause(at now: Duration) -> Step {
    state = .pausing(until: now + limits.pause)
    return .none
  }

  private mutating func responded(
    _ code: RecordAccessControlPoint.ResponseCode, at now: Duration
  ) -> Step {
    switch code {
    case .success:
      state = .settling(until: now + limits.grace)
      return .none
    case .noRecordsFound: return finish(.noRecords)
    case .serverBusy: return pause(at: now)
    case .opCodeNotSupported, .invalidOperator, .operatorNotSupported, .invalidOperand,
      .operandNotSupported:
      return finish(.notSupported)
    default:
      return fail(
        .communication,
        "The device could not send its records (response code \(code.rawValue)). Read it again.")
    }
  }

  private mutating func counted(_ answer: RecordAccessControlPoint, at now: Duration) -> Step {
    switch (request.opCode, answer.opCode) {
    case (.reportNumberOfStoredRecords, .numberOfStoredRecordsResponse):
      return finish(.count(answer.numberOfRecords ?? 0))
    case (.combinedReport, .combinedReportResponse):
      state = .settling(until: now + limits.grace)
      return .none
    default: return .none
    }
  }

  private mutating func requestRefused(_ failure: RequestFailure, at now: Duration) -> Step {
    switch failure.code {
    case 0xFD, 0x81:
      return subscribeAnew(at: now)
    case 0xFE, 0x80:
      state = .aborting(until: now + limits.pause)
      return .write(ControlPoint.abort.payload)
    case 0x05, 0x08, 0x0C, 0x0F:
      return fail(.notPaired, "The device gives its records to paired receivers only. Pair it.")
    default:
      let code = failure.code.map { "ATT error 0x\(String($0, radix: 16, uppercase: true))" }
      return fail(
        .communication,
        "The device refused the request for its records (\(code ?? failure.message)).")
    }
  }

  private mutating func subscribeAnew(at now: Duration) -> Step {
    guard !hasSubscribedAnew else {
      return fail(
        .communication, "The device does not keep the subscription to its records. Pair it anew.")
    }
    hasSubscribedAnew = true
    state = .subscribing(until: now + limits.silence)
    return .subscribeAnew
  }

  private mutating func finish(_ outcome: Outcome) -> Step {
    state = .finished
    return .finish(outcome)
  }

  private mutating func fail(_ kind: DriverFailure.Kind, _ message: String) -> Step {
    finish(.failed(DriverFailure(kind, message)))
  }
}
