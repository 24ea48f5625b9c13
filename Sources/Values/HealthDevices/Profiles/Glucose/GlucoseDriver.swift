// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Reads the memory of a meter that keeps to the Glucose Profile, as far as its dialect lets it.
///
/// Only what is new is asked for: the record with which the last transfer ended, and those after
/// it. See ``GlucoseTransfer`` for what happens when that record is gone.
package struct GlucoseDriver: DeviceDriver {
  private enum Phase {
    /// Facts and subscriptions. Next: settingClock, pausing, ended.
    case preparing(DriverSteps)
    /// Next: pausing.
    case settingClock(ClockProcedure)
    /// Next: requesting, proving.
    case pausing(until: Duration)
    /// While pairing: is a request accepted? Next: ended.
    case proving(until: Duration?)
    /// Next: requesting (all, when the memory was cleared), ended.
    case requesting(RecordAccessProcedure, RecordSelection)
    /// Next: none.
    case ended
  }

  /// How long to take what a meter sends after it was paired.
  private static let quietTime = Duration.seconds(4)
  /// From here on, numbers after the step from 65535 to 0 could be missed by "from number n on".
  private static let lastSafeNumber = 0xFF00

  private let context: DriverContext
  private let dialect: GlucoseDialect
  private var phase: Phase
  private var transfer: GlucoseTransfer

  /// Prepares a driver.
  package init(_ context: DriverContext, dialect: GlucoseDialect) {
    self.context = context
    self.dialect = dialect
    transfer = GlucoseTransfer(since: context.checkpoint(), key: context.checkpointKey)
    phase = .preparing(DriverSteps(.facts + Self.subscriptions, having: context))
  }

  private static let subscriptions = [
    DriverSteps.Step.subscribe(.glucoseMeasurement), .subscribe(.glucoseContext),
    .subscribe(.glucoseRecordAccess),
  ]

  package var deadline: Duration? {
    switch phase {
    case .preparing(let steps): steps.deadline
    case .settingClock(let clock): clock.deadline
    case .pausing(let until): until
    case .proving(let until): until
    case .requesting(let procedure, _): procedure.deadline
    case .ended: nil
    }
  }

  package var isComplete: Bool {
    switch phase {
    case .preparing, .settingClock, .pausing: false
    case .proving(let until): until != nil
    case .requesting(let procedure, let selection):
      procedure.isSettling && isFinal(selection) && transfer.isEmpty
    case .ended: true
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    if case .ended = phase { return [] }
    switch event {
    case .value(.glucoseMeasurement, let bytes): return measured(bytes, at: time)
    case .value(.glucoseContext, let bytes): return contextReceived(bytes, at: time)
    default: return proceed(event, at: time)
    }
  }

  private mutating func proceed(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch phase {
    case .preparing(var steps):
      let actions = event == .begun ? steps.begin(at: time) : steps.handle(event, at: time)
      phase = .preparing(steps)
      return steps.isDone ? actions + afterPreparing(at: time) : actions
    case .settingClock(var clock):
      let actions = clock.handle(event, at: time)
      phase = .settingClock(clock)
      return clock.isDone ? actions + afterClock(at: time) : actions
    case .pausing(let until):
      guard event == .timeReached, time.elapsed >= until else { return [] }
      return request(at: time)
    case .proving(let until): return proved(event, until: until, at: time)
    case .requesting(var procedure, let selection):
      let step = procedure.step(event, on: .glucoseRecordAccess, at: time)
      phase = .requesting(procedure, selection)
      let settled = procedure.isSettling && isFinal(selection) ? deliver(transfer.settle()) : []
      return settled + perform(step, of: selection, at: time)
    case .ended: return []
    }
  }
}

// MARK: - Preparing

extension GlucoseDriver {
  private mutating func afterPreparing(at time: DriverTime) -> [DriverAction] {
    if case .ended = phase { return [] }
    guard let form = dialect.clocks.first(where: { context.has($0.attribute) }) else {
      return afterClock(at: time)
    }
    var clock = ClockProcedure(form)
    let actions = clock.begin(at: time)
    phase = .settingClock(clock)
    return clock.isDone ? actions + afterClock(at: time) : actions
  }

  private mutating func afterClock(at time: DriverTime) -> [DriverAction] {
    guard dialect.pause > .zero else { return request(at: time) }
    phase = .pausing(until: time.elapsed + dialect.pause)
    return []
  }

  private mutating func request(at time: DriverTime) -> [DriverAction] {
    switch context.purpose {
    case .read: return ask(for: firstSelection, at: time)
    case .pair:
      // How many records there are is asked because a meter answers it to bonded peers only.
      phase = .proving(until: nil)
      return [
        .write(
          .glucoseRecordAccess, RecordAccessControlPoint.reportNumberOfRecords(.all).payload)
      ]
    }
  }

  private mutating func proved(
    _ event: DriverEvent, until: Duration?, at time: DriverTime
  ) -> [DriverAction] {
    switch event {
    case .writeFailed(.glucoseRecordAccess, let failure) where failure.isForWantOfABond:
      return end(.fail(.glucoseNotPaired))
    case .written(.glucoseRecordAccess), .writeFailed(.glucoseRecordAccess, _):
      phase = .proving(until: time.elapsed + Self.quietTime)
      return [.paired]
    case .timeReached:
      guard let until, time.elapsed >= until else { return [] }
      return transfer.finish().records.map { .deliver(reading(of: $0)) } + end(.finish)
    default: return []
    }
  }
}

// MARK: - Records

extension GlucoseDriver {
  private var all: RecordSelection { dialect.asksByNumber ? .sequenceNumbers(.from(0)) : .all }

  /// Whether what comes by a request is all there is: it was asked for, or what was left out is
  /// known.
  private func isFinal(_ selection: RecordSelection) -> Bool {
    selection == all || selection == .all || transfer.isAnchored
  }

  private var firstSelection: RecordSelection {
    guard let checkpoint = context.checkpoint(), checkpoint.sequenceNumber > 0,
      checkpoint.sequenceNumber < Self.lastSafeNumber,
      let number = UInt16(exactly: checkpoint.sequenceNumber)
    else { return all }
    return .sequenceNumbers(.from(number))
  }

  private mutating func ask(
    for selection: RecordSelection, at time: DriverTime
  ) -> [DriverAction] {
    var procedure = RecordAccessProcedure(.reportRecords(selection))
    let step = procedure.begin(at: time.elapsed)
    phase = .requesting(procedure, selection)
    return perform(step, of: selection, at: time)
  }

  private mutating func perform(
    _ step: RecordAccessProcedure.Step, of selection: RecordSelection, at time: DriverTime
  ) -> [DriverAction] {
    switch step {
    case .none: return []
    case .write(let bytes): return [.write(.glucoseRecordAccess, bytes)]
    case .subscribeAnew:
      return [.glucoseMeasurement, .glucoseContext, .glucoseRecordAccess].filter(context.has)
        .map { .subscribe($0) }
    case .finish(.notSupported) where selection != .all: return ask(for: .all, at: time)
    case .finish(.notSupported), .finish(.count):
      return failed(
        DriverFailure(.communication, "The meter does not know the request for its records."))
    case .finish(.failed(let failure)): return failed(failure)
    case .finish(.completed), .finish(.noRecords): return completed(selection, at: time)
    }
  }

  private mutating func completed(
    _ selection: RecordSelection, at time: DriverTime
  ) -> [DriverAction] {
    guard isFinal(selection) else {
      transfer = GlucoseTransfer(since: nil, key: context.checkpointKey)
      return ask(for: all, at: time)
    }
    return deliver(transfer.finish()) + end(.finish)
  }

  private mutating func failed(_ failure: DriverFailure) -> [DriverAction] {
    deliver(transfer.breakOff(hasContexts: context.has(.glucoseContext)))
      + end(.fail(failure))
  }

  private mutating func measured(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    recordReceived(at: time)
    do throws(PayloadError) {
      return deliver(transfer.receive(try GlucoseMeasurement(payload: bytes)))
    } catch {
      return [.deliver(DeviceReading(error, payload: bytes))]
    }
  }

  private mutating func contextReceived(
    _ bytes: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    recordReceived(at: time)
    do throws(PayloadError) {
      transfer.receive(try GlucoseMeasurementContext(payload: bytes))
      return []
    } catch {
      return [.deliver(DeviceReading(error, payload: bytes))]
    }
  }

  private mutating func recordReceived(at time: DriverTime) {
    guard case .requesting(var procedure, let selection) = phase else { return }
    procedure.recordReceived(at: time.elapsed)
    phase = .requesting(procedure, selection)
  }

  private func deliver(_ batch: GlucoseTransfer.Batch) -> [DriverAction] {
    batch.records.map { .deliver(reading(of: $0)) }
      + (batch.checkpoint.map { [.advance($0)] } ?? [])
  }

  private func reading(of record: GlucoseRecord) -> DeviceReading {
    DeviceReading(record, dialect: dialect)
  }

  private mutating func end(_ action: DriverAction) -> [DriverAction] {
    phase = .ended
    return [action]
  }
}

extension RequestFailure {
  /// Whether a device gives something to bonded peers only: insufficient authentication,
  /// authorization, encryption key size or encryption.
  package var isForWantOfABond: Bool { [0x05, 0x08, 0x0C, 0x0F].contains(code) }
}

extension DriverFailure {
  static let glucoseNotPaired = DriverFailure(
    .notPaired, "The meter gives its records to paired receivers only. Pair it.")
}
