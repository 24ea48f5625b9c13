// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Reads the memory of a sensor that keeps to the Continuous Glucose Monitoring Profile.
///
/// Only what is new in the sensor's session is asked for, see ``CGMTransfer``; a new session begins
/// anew. The sensor is given the time where it has none or asks for it, and is neither started nor
/// stopped nor calibrated.
package struct CGMDriver: DeviceDriver {
  private enum Phase {
    /// Facts, what the sensor says of its session, and subscriptions. Next: settingTime,
    /// requesting, proving, ended.
    case preparing(DriverSteps)
    /// Next: settingTime (with a check), readingStart, requesting, proving, ended.
    case settingTime(hasCRC: Bool)
    /// Next: requesting, proving, ended.
    case readingStart
    /// While pairing: is a request accepted? Next: ended.
    case proving(until: Duration?)
    /// Next: requesting (for what is missing), ended.
    case requesting(RecordAccessProcedure, RecordSelection)
    /// Next: none.
    case ended
  }

  /// How long to take what a sensor sends after it was paired.
  private static let quietTime = Duration.seconds(4)
  /// How often a value that comes damaged is read.
  private static let tries = 3
  /// How many measurements are held that come before the session is known; all are in the memory.
  private static let mostHeld = 64

  private let context: DriverContext
  private var phase: Phase
  private var sensor = CGMSensor()
  private var failedReads: [GATTAttribute: Int] = [:]
  private var held: [[UInt8]] = []
  /// nil until the session is known.
  private var transfer: CGMTransfer?

  /// Prepares a driver.
  package init(_ context: DriverContext) {
    self.context = context
    phase = .preparing(DriverSteps(Self.steps, having: context))
  }

  private static let steps: [DriverSteps.Step] =
    .facts + CGMSensor.attributes.map { .read($0) } + [
      .subscribe(.cgmMeasurement), .subscribe(.cgmRecordAccess),
    ]

  package var deadline: Duration? {
    switch phase {
    case .preparing(let steps): steps.deadline
    case .proving(let until): until
    case .requesting(let procedure, _): procedure.deadline
    case .settingTime, .readingStart, .ended: nil
    }
  }

  package var isComplete: Bool {
    switch phase {
    case .preparing, .settingTime, .readingStart: false
    case .proving(let until): until != nil
    case .requesting(let procedure, _): procedure.isSettling && transfer?.isWhole ?? false
    case .ended: true
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    if case .ended = phase { return [] }
    switch event {
    case .value(.cgmMeasurement, let bytes): return measured(bytes, at: time)
    case .value(let attribute, let bytes) where CGMSensor.attributes.contains(attribute):
      return sensorRead(attribute, bytes, at: time)
    case .ended where isComplete: return checkpoints(transfer?.end())
    default: return proceed(event, at: time)
    }
  }

  private mutating func proceed(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch phase {
    case .preparing(var steps):
      let actions = event == .begun ? steps.begin(at: time) : steps.handle(event, at: time)
      phase = .preparing(steps)
      return steps.isDone ? actions + afterPreparing(at: time) : actions
    case .settingTime(let hasCRC): return timeSet(event, hasCRC: hasCRC, at: time)
    case .readingStart:
      return event.attribute == .cgmSessionStartTime ? begin(at: time) : []
    case .proving(let until): return proved(event, until: until, at: time)
    case .requesting(var procedure, let selection):
      let step = procedure.step(event, on: .cgmRecordAccess, at: time)
      phase = .requesting(procedure, selection)
      return perform(step, of: selection, at: time)
    case .ended: return []
    }
  }
}

// MARK: - Preparing

extension CGMDriver {
  /// Takes a value of the sensor; one that comes damaged is read again.
  private mutating func sensorRead(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    do throws(PayloadError) {
      try sensor.take(attribute, bytes)
    } catch {
      failedReads[attribute, default: 0] += 1
      guard failedReads[attribute, default: 0] >= Self.tries else { return [.read(attribute)] }
      // Without these two nobody knows when anything was measured.
      guard attribute != .cgmStatus, attribute != .cgmSessionStartTime else {
        return end(.fail(.cgmDamaged))
      }
    }
    return proceed(.value(attribute, bytes), at: time)
  }

  private mutating func afterPreparing(at time: DriverTime) -> [DriverAction] {
    let facts: [DriverAction] = sensor.hasLowBattery ? [.fact(.batteryLow)] : []
    return facts + (sensor.wantsTime ? setTime(sensor.isProtected, at: time) : begin(at: time))
  }

  private mutating func setTime(_ hasCRC: Bool, at time: DriverTime) -> [DriverAction] {
    guard let bytes = CGMSensor.present(time, hasCRC: hasCRC) else { return begin(at: time) }
    phase = .settingTime(hasCRC: hasCRC)
    return [.write(.cgmSessionStartTime, bytes)]
  }

  private mutating func timeSet(
    _ event: DriverEvent, hasCRC: Bool, at time: DriverTime
  ) -> [DriverAction] {
    switch event {
    case .written(.cgmSessionStartTime):
      phase = .readingStart
      return [.read(.cgmSessionStartTime)]
    // Missing CRC: the feature that announces it could not be read.
    case .writeFailed(.cgmSessionStartTime, let failure) where failure.code == 0x80 && !hasCRC:
      return setTime(true, at: time)
    case .writeFailed(.cgmSessionStartTime, _): return begin(at: time)
    default: return []
    }
  }

  /// The session is known, or will not be.
  private mutating func begin(at time: DriverTime) -> [DriverAction] {
    guard let said = sensor.session(at: time) else {
      // Without records nothing has to be known of the session.
      return context.purpose == .pair ? request(at: time) : end(.fail(.cgmWithoutTime))
    }
    let known = context.checkpoint(said.memory).flatMap(said.continuing)
    transfer = CGMTransfer(
      known ?? said, since: known == nil ? nil : context.checkpoint(),
      now: sensor.status?.timeOffset ?? said.minutes(at: time), key: context.checkpointKey)
    let early = held
    held = []
    return drift(of: said, at: time) + early.flatMap { measured($0, at: time) }
      + request(at: time)
  }

  private func drift(of session: CGMSession, at time: DriverTime) -> [DriverAction] {
    guard let status = sensor.status, !sensor.isStopped else { return [] }
    return [.fact(.clockDrift(seconds: session.drift(at: status.timeOffset, time)))]
  }

  private mutating func request(at time: DriverTime) -> [DriverAction] {
    switch context.purpose {
    case .read: return ask(for: transfer?.selection ?? .all, at: time)
    case .pair:
      // How many records there are is asked because a sensor answers it to bonded peers only.
      phase = .proving(until: nil)
      return [
        .write(.cgmRecordAccess, RecordAccessControlPoint.reportNumberOfRecords(.all).payload)
      ]
    }
  }

  private mutating func proved(
    _ event: DriverEvent, until: Duration?, at time: DriverTime
  ) -> [DriverAction] {
    switch event {
    case .writeFailed(.cgmRecordAccess, let failure) where failure.isForWantOfABond:
      return end(.fail(.cgmNotPaired))
    case .written(.cgmRecordAccess), .writeFailed(.cgmRecordAccess, _):
      phase = .proving(until: time.elapsed + Self.quietTime)
      return [.paired]
    case .timeReached:
      guard let until, time.elapsed >= until else { return [] }
      return end(.finish)
    default: return []
    }
  }
}

// MARK: - Records

extension CGMDriver {
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
    case .write(let bytes): return [.write(.cgmRecordAccess, bytes)]
    case .subscribeAnew: return [.subscribe(.cgmMeasurement), .subscribe(.cgmRecordAccess)]
    case .finish(.notSupported) where selection != .all: return ask(for: .all, at: time)
    case .finish(.notSupported), .finish(.count):
      return end(
        .fail(
          DriverFailure(.communication, "The sensor does not know the request for its records.")))
    case .finish(.failed(let failure)): return end(.fail(failure))
    case .finish(.completed), .finish(.noRecords): return roundEnded(at: time)
    }
  }

  private mutating func roundEnded(at time: DriverTime) -> [DriverAction] {
    switch transfer?.endRound() {
    case .again(let selection): return ask(for: selection, at: time)
    case .damaged: return end(.fail(.cgmDamaged))
    case .finished(let batch): return checkpoints(batch) + end(.finish)
    case nil: return end(.finish)
    }
  }

  private mutating func measured(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard transfer != nil else {
      if held.count < Self.mostHeld { held.append(bytes) }
      return []
    }
    if case .requesting(var procedure, let selection) = phase {
      procedure.recordReceived(at: time.elapsed)
      phase = .requesting(procedure, selection)
    }
    do throws(PayloadError) {
      return try sensor.records(of: bytes).flatMap { deliver($0) }
    } catch {
      guard transfer?.receiveDamaged(bytes) == true else { return [] }
      return [.deliver(DeviceReading(error, payload: bytes))]
    }
  }

  private mutating func deliver(_ record: CGMRecord) -> [DriverAction] {
    guard let batch = transfer?.receive(record), let session = transfer?.session else { return [] }
    return batch.records.map { .deliver(DeviceReading($0, in: session, of: sensor)) }
      + checkpoints(batch)
  }

  /// How far a reading has come; a pairing does not ask for records and comes nowhere.
  private func checkpoints(_ batch: CGMTransfer.Batch?) -> [DriverAction] {
    guard case .requesting = phase else { return [] }
    return (batch?.checkpoints ?? []).map { .advance($0) }
  }

  private mutating func end(_ action: DriverAction) -> [DriverAction] {
    phase = .ended
    return [action]
  }
}

extension DriverFailure {
  static let cgmNotPaired = DriverFailure(
    .notPaired, "The sensor gives its records to paired receivers only. Pair it.")
  static let cgmDamaged = DriverFailure(
    .communication,
    "What the sensor sends arrives damaged. Keep the receiver near, and read it again.")
  static let cgmWithoutTime = DriverFailure(
    .communication,
    "The sensor does not say when its session began, so nobody knows when anything was measured. "
      + "Read it while its session is running.")
}
