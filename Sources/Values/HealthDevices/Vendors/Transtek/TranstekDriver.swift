// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Welch Allyn's home monitors and others made by Transtek.
  package static let transtekBloodPressure = DriverModel(
    id: "transtek-blood-pressure", name: "Transtek blood pressure monitors",
    required: [.transtekCommand, .transtekMessage, .transtekMeasurement],
    confidence: .agreed, sources: ["casebeer/welch-allyn-bp100-python"], readsMemory: true,
    tellsEndOfMemory: false
  ) { TranstekDriver($0) }
}

extension GATTAttribute {
  package static let transtekCommand = GATTAttribute("7809", "8A81")
  package static let transtekMessage = GATTAttribute("7809", "8A82")
  package static let transtekMeasurement = GATTAttribute("7809", "8A91")
}

/// Drives a Transtek monitor: answers its challenge, sets its clock, and acknowledges each
/// measurement once it is stored, since the monitor then erases it.
///
/// The password comes from the monitor when it is paired. One that never gave it out uses the last
/// eight digits of its serial number.
package struct TranstekDriver: DeviceDriver {
  /// The number by which the monitor is to know its hosts; all known ones use it.
  private static let broadcastID = TranstekWord(rawValue: 0x6745_2301)
  private static let timeout = Duration.seconds(15)

  private enum State {
    /// Reading facts, subscribing. Next: waiting.
    case preparing
    /// The monitor sends next. Next: waiting, storing, over.
    case waiting(until: Duration)
    /// Measurements are being stored. Next: storing, waiting, over.
    case storing(count: Int)
    /// Next: none.
    case over
  }

  private let context: DriverContext
  private var steps: DriverSteps
  private var state = State.preparing
  private var password: TranstekWord?
  /// Whether the monitor has sent its password or its challenge was answered.
  private var isAccepted = false

  package init(_ context: DriverContext) {
    self.context = context
    password = context.secrets[.password].flatMap { try? TranstekWord(payload: $0) }
    // The monitor begins to talk when its messages are subscribed to: measurements come first.
    steps = DriverSteps(
      .facts + [.subscribe(.transtekMeasurement), .subscribe(.transtekMessage)], having: context)
  }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .waiting(let instant): instant
    case .storing, .over: nil
    }
  }

  package var isComplete: Bool { isAccepted }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.over, _): return []
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (_, .value(.transtekMessage, let bytes)): return received(bytes, at: time)
    case (_, .value(.transtekMeasurement, let bytes)):
      return measured(bytes)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (.storing(let count), .stored):
      if count > 1 { state = .storing(count: count - 1) } else { wait(at: time) }
      return [send(.acknowledgement)]
    case (_, .writeFailed(.transtekCommand, let failure)): return refused(failure)
    case (.waiting(let instant), .timeReached):
      return time.elapsed < instant ? [] : timedOut()
    default: return []
    }
  }

  private mutating func wait(at time: DriverTime) {
    state = .waiting(until: time.elapsed + Self.timeout)
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    if password == nil { password = actions.compactMap(\.transtekPassword).first }
    guard steps.isDone else { return actions }
    if case .preparing = state { wait(at: time) }
    return actions
  }

  private mutating func measured(_ bytes: [UInt8]) -> [DriverAction] {
    if case .storing(let count) = state {
      state = .storing(count: count + 1)
    } else {
      state = .storing(count: 1)
    }
    return [.deliver(DeviceReading(transtekMeasurement: bytes)), .confirmStorage]
  }

  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let message = try? TranstekMessage(payload: bytes) else { return [] }
    if case .waiting = state { wait(at: time) }
    switch message {
    case .password(let word):
      password = word
      return [.keep(.password, word.payload), send(.broadcastID(Self.broadcastID))] + accepted()
    case .challenge(let challenge): return answer(challenge, at: time)
    case .goodbye:
      state = .over
      return [.finish]
    case .other: return []
    }
  }

  private mutating func answer(
    _ challenge: TranstekWord, at time: DriverTime
  ) -> [DriverAction] {
    guard let password else {
      return fail(
        .notPaired,
        "The monitor's password is not known. Pair it: hold its button until it says so.")
    }
    let clock = time.local.flatMap { try? TranstekTime($0) }.map { [send(.time($0))] } ?? []
    return [send(.response(password.response(to: challenge)))] + clock + [send(.acknowledgement)]
      + accepted()
  }

  private mutating func accepted() -> [DriverAction] {
    defer { isAccepted = true }
    return context.purpose == .pair && !isAccepted ? [.paired] : []
  }

  private func send(_ command: TranstekCommand) -> DriverAction {
    .write(.transtekCommand, command.payload)
  }

  private mutating func refused(_ failure: RequestFailure) -> [DriverAction] {
    fail(
      .notAuthorized, "The monitor does not accept its password. Pair it anew. \(failure.message)")
  }

  private mutating func timedOut() -> [DriverAction] {
    guard !isAccepted else {
      state = .over
      return [.finish]
    }
    return fail(.timeout, "The monitor did not begin to talk. Measure again, with the phone near.")
  }

  private mutating func fail(_ kind: DriverFailure.Kind, _ message: String) -> [DriverAction] {
    state = .over
    return [.fail(DriverFailure(kind, message))]
  }
}

extension DriverAction {
  /// The password that a serial number ends with.
  fileprivate var transtekPassword: TranstekWord? {
    guard case .fact(.serialNumber(let text)) = self, text.count >= 8,
      let number = UInt32(text.suffix(8), radix: 16)
    else { return nil }
    return TranstekWord(rawValue: number.byteSwapped)
  }
}

extension DeviceReading {
  /// A measurement of a Transtek monitor (8A91).
  init(transtekMeasurement bytes: [UInt8]) {
    do throws(PayloadError) {
      let record = try TranstekRecord(payload: bytes)
      self.init(
        systolic: record.systolic, diastolic: record.diastolic, pulseRate: record.pulseRate,
        clock: .local(record.time.dateTime), payload: bytes)
      if record.flags.contains(.bodyMovement) { findings.append(.init("body_movement")) }
      if record.flags.contains(.irregularPulse) { findings.append(.init("irregular_pulse")) }
    } catch {
      self.init(error, payload: bytes)
    }
  }
}
