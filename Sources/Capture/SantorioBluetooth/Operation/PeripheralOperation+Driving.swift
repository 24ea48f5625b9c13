// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension PeripheralOperation {
  /// Whether the operation has what it wanted if the device disconnects now.
  var isFinishedWhenLeft: Bool {
    // A pairing stands also while services are looked for anew.
    if purpose == .pair { return isPaired }
    return hasReading && run?.isComplete == true
  }

  // MARK: - Events for the driver

  /// Tells the driver and does what it says; one that has finished may still deliver.
  mutating func drive(_ event: DriverEvent, at time: DriverTime) -> [Action] {
    guard let actions = run?.handle(event, at: time) else { return [] }
    return actions.reduce(into: []) { $0 += perform($1, at: time) }
  }

  /// How many values are kept of a device whose driver has not begun.
  private static let mostEarlyValues = 256

  mutating func valueReceived(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at time: DriverTime
  ) -> [Action] {
    guard phase != .over else { return [] }
    guard run != nil else {
      if earlyValues.count < Self.mostEarlyValues { earlyValues.append((attribute, bytes)) }
      return []
    }
    let next = run?.answered(attribute, .read) ?? []
    return next + drive(.value(attribute, bytes), at: time)
  }

  mutating func readFailed(
    _ attribute: GATTAttribute, _ failure: RequestFailure, at time: DriverTime
  ) -> [Action] {
    answered(attribute, .read, failure, at: time) { .readFailed(attribute, $0) }
  }

  mutating func written(
    _ attribute: GATTAttribute, _ failure: RequestFailure?, at time: DriverTime
  ) -> [Action] {
    guard let failure else {
      guard let next = run?.answered(attribute, .write) else { return [] }
      return next + drive(.written(attribute), at: time)
    }
    return answered(attribute, .write, failure, at: time) { .writeFailed(attribute, $0) }
  }

  mutating func subscriptionChanged(
    _ attribute: GATTAttribute, _ failure: RequestFailure?, at time: DriverTime
  ) -> [Action] {
    if case .unsubscribing(let outcome) = phase {
      let next = run?.answered(attribute, .subscription) ?? []
      return run?.hasLeft ?? true ? close(outcome, at: time.elapsed) : next
    }
    guard let failure else {
      let isEnd = run?.isUnsubscribing ?? false
      guard let next = run?.answered(attribute, .subscription) else { return [] }
      return next + (isEnd ? [] : drive(.subscribed(attribute), at: time))
    }
    return answered(attribute, .subscription, failure, at: time) {
      .subscriptionFailed(attribute, $0)
    }
  }

  private mutating func answered(
    _ attribute: GATTAttribute, _ kind: RequestQueue.Kind, _ failure: RequestFailure,
    at time: DriverTime, _ event: (RequestFailure) -> DriverEvent
  ) -> [Action] {
    guard phase == .driving, let next = run?.answered(attribute, kind, isRefused: true)
    else { return [] }
    switch failure.cause {
    case .other, .noRoom: return next + drive(event(failure), at: time)
    case .notPaired where refusesKey(failure): return next + drive(event(failure), at: time)
    // That the device is gone may be reported to its requests first.
    case .disconnected: return deviceLost(failure, at: time)
    case .notPaired, .notEncrypted, .encryptionTimedOut, .bondLost, .noBondFree:
      return fail(failure, at: time.elapsed)
    }
  }

  /// Whether a device that wants a key of its manufacturer's does not accept ours: the bond is not
  /// the matter.
  private func refusesKey(_ failure: RequestFailure) -> Bool {
    // Insufficient Authorization.
    chosen.authorization != nil && failure.code == 0x08
  }

  mutating func stored(at time: DriverTime) -> [Action] {
    guard isFinishing, phase == .driving else { return drive(.stored, at: time) }
    return unsubscribe(.finished, at: time.elapsed)
  }

  mutating func notStored(at now: Duration) -> [Action] {
    guard phase == .driving else { return [] }
    let error = BluetoothError(
      .submissionFailure,
      "A reading could not be stored at once, so the device was not asked for more. It keeps what was "
        + "not read; read it again.")
    return close(.failed(error), at: now)
  }

  mutating func drivingTimeReached(at time: DriverTime) -> [Action] {
    guard time.elapsed < drivingLimit else {
      let last = drive(.ended, at: time)
      guard isFinishedWhenLeft else { return last + close(timedOut, at: time.elapsed) }
      return last + unsubscribe(.finished, at: time.elapsed)
    }
    guard let deadline = run?.deadline, time.elapsed >= deadline else { return [] }
    return drive(.timeReached, at: time)
  }

  private var timedOut: Outcome {
    guard hasReading else { return .failed(BluetoothError(.readingTimeout)) }
    return .failed(
      BluetoothError(
        .readingTimeout,
        "The time was over before the device had sent all that it keeps. Read it again for the rest."
      ))
  }

  /// Others' readings are on the device only: it must not be told that all are stored, after which
  /// it may delete them.
  ///
  /// What it would have sent then comes another time.
  mutating func keptForOthers(at now: Duration) -> [Action] {
    guard phase == .driving else { return [] }
    return unsubscribe(.finished, at: now)
  }

  // MARK: - Actions of the driver

  private mutating func perform(_ action: DriverAction, at time: DriverTime) -> [Action] {
    switch action {
    case .fact(let fact):
      if case .serialNumber = fact { hasSerialNumber = true }
      return [.report(.fact(fact))]
    case .deliver(let reading):
      hasReading = true
      return reportReady() + [.report(.reading(reading))]
    case .advance(let checkpoint): return [.report(.advance(checkpoint))]
    case .keep(let secret, let bytes): return [.report(.keep(secret, bytes))]
    default: return phase == .driving ? performNow(action, at: time) : []
    }
  }

  private mutating func performNow(_ action: DriverAction, at time: DriverTime) -> [Action] {
    switch action {
    case .read(let attribute): return run?.request(.read(attribute)) ?? []
    case .write(let attribute, let bytes):
      return write(.write(attribute, bytes), bytes, attribute, at: time)
    case .writeWithoutResponse(let attribute, let bytes):
      return write(.writeWithoutResponse(attribute, bytes), bytes, attribute, at: time)
    case .subscribe(let attribute): return run?.request(.subscribe(attribute)) ?? []
    case .unsubscribe(let attribute): return run?.request(.unsubscribe(attribute)) ?? []
    case .ready:
      run?.isReady = true
      // What is found after its measurement is not to be used again.
      let early = driveEarly(at: time)
      return (chosen.appearsAfterMeasurement ? [] : reportReady(isWaiting: true)) + early
    case .paired:
      defer { isPaired = true }
      return purpose == .pair && !isPaired ? [.report(.paired)] : []
    case .confirmStorage: return [.report(.confirmStorage)]
    case .finish: return finishDriving(at: time.elapsed)
    case .fail(let failure):
      return close(.failed(BluetoothError(failure, while: purpose)), at: time.elapsed)
    case .unread(let attribute):
      return decidesIdentity(attribute) ? leaveUnread(attribute, at: time) : []
    case .fact, .deliver, .advance, .keep: return []
    }
  }

  /// Whether it is not known who the device is without an attribute.
  private func decidesIdentity(_ attribute: GATTAttribute) -> Bool {
    switch attribute.characteristic {
    case _ where isIdentified: false
    case "2A25": true
    case "2A29", "2A24": hasSerialNumber
    default: !hasSerialNumber
    }
  }

  /// Ends before the device is asked for its measurements: they wait there until it says who it is.
  private mutating func leaveUnread(_ attribute: GATTAttribute, at time: DriverTime) -> [Action] {
    // What it has sent by itself would not come again.
    let last = drive(.ended, at: time)
    return last + close(.failed(BluetoothError(unread: attribute)), at: time.elapsed)
  }

  private mutating func write(
    _ request: RequestQueue.Request, _ bytes: [UInt8], _ attribute: GATTAttribute,
    at time: DriverTime
  ) -> [Action] {
    if let forbidden = ForbiddenCommand.first(
      writing: bytes, to: attribute, own: chosen.drivers.flatMap(\.forbidden))
    {
      let message = "A request was held back, because it \(forbidden.effect). Report this fault."
      return close(
        .failed(BluetoothError(.communicationFailure, message)), at: time.elapsed)
    }
    return run?.request(request) ?? []
  }

  /// The driver has all that it wanted, and the device is left.
  ///
  /// There are devices that forget what they have sent when they are left in good order: all of it
  /// must be on disk before.
  private mutating func finishDriving(at now: Duration) -> [Action] {
    switch purpose {
    case .pair where !isPaired:
      return close(.failed(BluetoothError(.pairingFailure)), at: now)
    // Without a reading a driver finishes only when it has asked for what is new, and there is
    // nothing.
    case _ where !hasReading: return unsubscribe(.finished, at: now)
    default:
      defer { isFinishing = true }
      return isFinishing ? [] : [.report(.confirmStorage)]
    }
  }

  // MARK: - Devices that are never connected

  mutating func listen(to advertisement: Advertisement, at time: DriverTime) -> [Action] {
    let actions = broadcast?.handle(advertisement, at: time) ?? []
    return heard(actions, at: time)
  }

  mutating func listeningTimeReached(at time: DriverTime) -> [Action] {
    guard time.elapsed < limit else {
      let last = broadcastEnded(at: time)
      return last
        + close(
          hasReading ? .finished : .failed(BluetoothError(.readingTimeout)), at: time.elapsed)
    }
    guard let deadline = broadcast?.deadline, time.elapsed >= deadline else { return [] }
    let actions = broadcast?.timeReached(at: time) ?? []
    return heard(actions, at: time)
  }

  /// Nothing more will be heard: what was held back is delivered.
  mutating func broadcastEnded(at time: DriverTime) -> [Action] {
    let actions = broadcast?.ended(at: time) ?? []
    return heard(actions, at: time)
  }

  private mutating func heard(_ actions: [DriverAction], at time: DriverTime) -> [Action] {
    actions.reduce(into: []) { done, action in
      switch action {
      case .deliver(let reading):
        hasReading = true
        done += reportReady() + [.report(.reading(reading))]
      case .fact(let fact): done.append(.report(.fact(fact)))
      case .advance(let checkpoint): done.append(.report(.advance(checkpoint)))
      case .ready: done += reportReady()
      case .finish:
        done += close(
          hasReading ? .finished : .failed(BluetoothError(.noReading)), at: time.elapsed)
      case .fail(let failure):
        done += close(.failed(BluetoothError(failure, while: purpose)), at: time.elapsed)
      default: break
      }
    }
  }
}
