// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthGATT

/// One pairing or one reading, from looking for the device to the end of the connection.
///
/// It decides and does nothing: each input returns the actions to be carried out, in order. Times
/// are those of a clock that never goes back. The driver keeps one timer, set to ``deadline``.
struct PeripheralOperation: ~Copyable {
  private enum Phase: Hashable {
    /// Until the radio is on. Next: searching, over.
    case waitingForRadio
    /// Looking for a device and connecting. Next: waitingForRadio, discovering, closing, over.
    case searching
    /// Looking for services, then for the characteristics of each. Next: preparing, closing, over.
    case discovering(pendingServices: Set<String>)
    /// Taking the profile's steps; the first of `steps` is under way. Next: transferring, closing.
    case preparing(steps: [DeviceProfile.Step])
    /// Measurements come. Next: unsubscribing, closing, over.
    case transferring
    /// Ending the subscription, then the connection. Next: closing, over.
    case unsubscribing(Outcome)
    /// Waiting for the end of all connections. Next: over.
    case closing(Outcome)
    case over
  }

  /// How long a cancelled connection may take to end before it is taken for ended.
  private static let closingTime = Duration.seconds(10)

  private let purpose: Purpose
  private var search: DeviceSearch
  private var phase = Phase.waitingForRadio
  private var limit: Duration
  private var transfer: MeasurementTransfer<[UInt8]>
  private var transferDeadline: Duration?
  private var chosen: BluetoothPeripheral
  private var device: UUID?
  private var found: Set<Attribute> = []
  private var hasMeasurement = false

  /// Prepares an operation.
  ///
  /// - Parameters:
  ///   - purpose: What it is for.
  ///   - first: A peripheral to look for.
  ///   - others: More peripherals to look for.
  ///   - allowed: The identifiers to which it is restricted, if any.
  ///   - known: Devices that were used before, the last one first.
  ///   - now: The present instant.
  init(
    _ purpose: Purpose, _ first: BluetoothPeripheral, _ others: [BluetoothPeripheral] = [],
    allowed: Set<UUID>? = nil, known: [KnownPeripheral] = [], at now: Duration
  ) {
    self.purpose = purpose
    search = DeviceSearch(purpose, for: [first] + others, allowed: allowed, known: known)
    chosen = first
    limit = now + others.reduce(first.connectTimeout) { max($0, $1.connectTimeout) }
    transfer = MeasurementTransfer()
  }

  /// When ``Input/timeReached`` is due; nil when nothing is waited for.
  var deadline: Duration? {
    switch phase {
    case .over: nil
    case .searching: min(limit, search.deadline ?? limit)
    case .transferring: min(limit, transferDeadline ?? limit)
    default: limit
    }
  }

  /// Takes an input and returns what to do, in order.
  mutating func handle(_ input: Input, at now: Duration) -> [Action] {
    switch input {
    case .radioChanged(let state): radioChanged(state, at: now)
    case .retrievedKnown(let devices): search.retrievedKnown(devices, at: now)
    case .retrievedConnected(let devices): search.retrievedConnected(devices, at: now)
    case .discovered(let device): search.discovered(device)
    case .connected(let id): connected(id, at: now)
    case .connectionFailed(let id, let failure): connectionEnded(id, failure, at: now)
    case .servicesDiscovered(let services): servicesDiscovered(services, at: now)
    case .characteristicsDiscovered(let characteristics, let service):
      characteristicsDiscovered(characteristics, service, at: now)
    case .discoveryFailed(let failure): fail(failure, at: now)
    case .valueReceived(let attribute, let octets): valueReceived(attribute, octets, at: now)
    case .readFailed(let attribute, let failure): stepEnded(attribute, failure, at: now)
    case .written(let attribute, let failure): stepEnded(attribute, failure, at: now)
    case .subscriptionChanged(let attribute, let failure):
      subscriptionChanged(attribute, failure, at: now)
    case .disconnected(let id, let failure): connectionEnded(id, failure, at: now)
    case .timeReached: timeReached(at: now)
    case .cancelRequested: cancelRequested(at: now)
    }
  }

  // MARK: - Radio and search

  private mutating func radioChanged(_ state: RadioState, at now: Duration) -> [Action] {
    switch (state, phase) {
    case (.unknown, .searching):
      phase = .waitingForRadio
      search.forget()
      return []
    case (_, .over), (.on, .searching), (.unknown, _): return []
    case (.on, .waitingForRadio):
      phase = .searching
      return search.begin()
    case (.on, _):
      // A reset has ended the connection, which the system does not tell.
      search.forget()
      return deviceLost(LinkFailure(.other, "Bluetooth was reset."), at: now)
    case (.unavailable(let reason), _):
      // The system tells no disconnection when the radio goes off.
      search.forget()
      return end(outcomeOfClosing ?? .failed(BluetoothError(unavailable: reason)))
    }
  }

  private var outcomeOfClosing: Outcome? {
    switch phase {
    case .closing(let outcome), .unsubscribing(let outcome): outcome
    default: nil
    }
  }

  private mutating func connected(_ id: UUID, at now: Duration) -> [Action] {
    guard phase == .searching, let found = search.connected(id) else { return [] }
    device = id
    chosen = found.link.peripheral
    phase = .discovering(pendingServices: [])
    limit = now + chosen.readTimeout
    transfer = MeasurementTransfer(
      limits: .init(quietTime: chosen.profile.quietTime, overall: chosen.readTimeout))
    return found.actions + [.discoverServices(chosen.profile.services, of: id)]
  }

  private mutating func connectionEnded(
    _ id: UUID, _ failure: LinkFailure?, at now: Duration
  ) -> [Action] {
    let link = search.ended(id)
    switch phase {
    case .closing(let outcome): return search.isClosed ? end(outcome) : []
    case .searching:
      guard let link else { return [] }
      return notConnected(link, failure ?? LinkFailure(.other), at: now)
    default: return id == device ? deviceLost(failure, at: now) : []
    }
  }

  /// A known device that cannot be connected now may be found in another way; one that was heard, or
  /// that has forgotten the bond, ends the search: its user waits for an answer.
  private mutating func notConnected(
    _ link: DeviceSearch.Link, _ failure: LinkFailure, at now: Duration
  ) -> [Action] {
    if failure.kind != .bondLost, let actions = search.goOn(without: link, at: now) {
      return actions
    }
    let error = BluetoothError(failure, code: .connectionFailure, while: purpose)
    return search.tell(link) + close(.failed(error), at: now)
  }

  // MARK: - Discovery

  private mutating func servicesDiscovered(_ services: [String], at now: Duration) -> [Action] {
    guard case .discovering = phase else { return [] }
    let wanted = chosen.profile.services.filter(services.contains)
    guard wanted.contains(chosen.profile.measurement.service) else { return lacksProfile(at: now) }
    phase = .discovering(pendingServices: Set(wanted))
    return wanted.map {
      .discoverCharacteristics(chosen.profile.characteristics(of: $0), service: $0)
    }
  }

  private mutating func characteristicsDiscovered(
    _ characteristics: [String], _ service: String, at now: Duration
  ) -> [Action] {
    guard case .discovering(var pending) = phase, pending.remove(service) != nil else { return [] }
    found.formUnion(characteristics.map { Attribute(service, $0) })
    phase = .discovering(pendingServices: pending)
    guard pending.isEmpty else { return [] }
    guard found.contains(chosen.profile.measurement) else { return lacksProfile(at: now) }
    phase = .preparing(steps: chosen.profile.steps.filter { found.contains($0.attribute) })
    return beginStep()
  }

  private mutating func lacksProfile(at now: Duration) -> [Action] {
    close(
      .failed(
        BluetoothError(
          .communicationFailure,
          "The device has no characteristic \(chosen.profile.measurement.characteristic), which a "
            + "\(chosen.type.displayName.lowercased()) must have. It is another kind of device.")),
      at: now)
  }

  // MARK: - Steps

  private mutating func beginStep() -> [Action] {
    guard case .preparing(let steps) = phase, let step = steps.first else { return [] }
    return switch step {
    case .read(let attribute): [.read(attribute)]
    case .writeClock(let attribute): [.writeClock(attribute)]
    case .subscribe(let attribute): [.subscribe(attribute)]
    }
  }

  private mutating func stepEnded(
    _ attribute: Attribute, _ failure: LinkFailure?, at now: Duration
  ) -> [Action] {
    guard case .preparing(let steps) = phase, steps.first?.attribute == attribute else { return [] }
    if let failure, failure.kind != .other { return fail(failure, at: now) }
    phase = .preparing(steps: Array(steps.dropFirst()))
    return beginStep()
  }

  private mutating func valueReceived(
    _ attribute: Attribute, _ octets: [UInt8], at now: Duration
  ) -> [Action] {
    guard attribute != chosen.profile.measurement else {
      return measurementReceived(octets, at: now)
    }
    guard case .preparing(let steps) = phase, steps.first == .read(attribute) else { return [] }
    return [.notify(.fact(attribute, octets))] + stepEnded(attribute, nil, at: now)
  }

  private mutating func subscriptionChanged(
    _ attribute: Attribute, _ failure: LinkFailure?, at now: Duration
  ) -> [Action] {
    if case .unsubscribing(let outcome) = phase { return close(outcome, at: now) }
    guard case .preparing(let steps) = phase, steps.first == .subscribe(attribute) else {
      return []
    }
    if let failure { return fail(failure, at: now) }
    phase = .transferring
    switch purpose {
    case .read:
      let actions = perform(transfer.subscribed(at: now), at: now)
      return (chosen.appearsAfterMeasurement ? [] : [.notify(.readyToRead)]) + actions
    case .pair:
      // A monitor that is paired may send what it keeps: give it the time to begin.
      transferDeadline = now + chosen.profile.quietTime
      return [.notify(.paired)]
    }
  }

  // MARK: - Measurements

  private mutating func measurementReceived(_ octets: [UInt8], at now: Duration) -> [Action] {
    guard phase != .over else { return [] }
    hasMeasurement = true
    return perform(transfer.received(octets, at: now), at: now)
  }

  private mutating func perform(
    _ action: MeasurementTransfer<[UInt8]>.Action, at now: Duration
  ) -> [Action] {
    switch action {
    case .none: return []
    case .wait(let until):
      transferDeadline = until
      return []
    case .deliver(let octets, let until):
      transferDeadline = until ?? transferDeadline
      return [.notify(.measurement(octets))]
    case .finish: return finishTransfer(at: now)
    }
  }

  private mutating func finishTransfer(at now: Duration) -> [Action] {
    guard purpose == .pair || hasMeasurement else {
      return close(.failed(BluetoothError(.noReading)), at: now)
    }
    phase = .unsubscribing(.finished)
    limit = now + Self.closingTime
    transferDeadline = nil
    return [.unsubscribe(chosen.profile.measurement)]
  }

  // MARK: - Ends

  private mutating func timeReached(at now: Duration) -> [Action] {
    switch phase {
    case .over: return []
    case .unsubscribing(let outcome) where now >= limit: return close(outcome, at: now)
    case .closing(let outcome) where now >= limit: return end(outcome)
    case .waitingForRadio where now >= limit:
      return end(.failed(BluetoothError(unavailable: .unknown)))
    case .searching where now >= limit:
      return close(.failed(BluetoothError(.connectionTimeout)), at: now)
    case .searching: return search.timeReached(at: now)
    case .transferring: return transferTimeReached(at: now)
    case .discovering where now >= limit, .preparing where now >= limit:
      return close(.failed(BluetoothError(.readingTimeout)), at: now)
    default: return []
    }
  }

  private mutating func transferTimeReached(at now: Duration) -> [Action] {
    guard now >= limit || now >= transferDeadline ?? limit else { return [] }
    if now >= limit, purpose == .read, !hasMeasurement {
      return close(.failed(BluetoothError(.readingTimeout)), at: now)
    }
    if now >= limit || (purpose == .pair && !hasMeasurement) { return finishTransfer(at: now) }
    return perform(transfer.timeReached(now), at: now)
  }

  private mutating func cancelRequested(at now: Duration) -> [Action] {
    switch phase {
    case .over, .closing: return []
    default: return close(.cancelled, at: now)
    }
  }

  private mutating func fail(_ failure: LinkFailure, at now: Duration) -> [Action] {
    switch phase {
    case .discovering, .preparing, .transferring:
      close(.failed(BluetoothError(failure, code: .communicationFailure, while: purpose)), at: now)
    default: []
    }
  }

  private mutating func deviceLost(_ failure: LinkFailure?, at now: Duration) -> [Action] {
    switch phase {
    case .closing(let outcome), .unsubscribing(let outcome): return close(outcome, at: now)
    case .transferring where purpose == .pair || hasMeasurement: return close(.finished, at: now)
    case .transferring where failure?.kind == .hungUp:
      return close(.failed(BluetoothError(.noReading)), at: now)
    case .discovering, .preparing, .transferring:
      let failure = failure ?? LinkFailure(.other, "The connection ended.")
      return close(
        .failed(BluetoothError(failure, code: .communicationFailure, while: purpose)), at: now)
    case .waitingForRadio, .searching, .over: return []
    }
  }

  /// Ends the scan and all connections; the outcome is told when they are gone.
  private mutating func close(_ outcome: Outcome, at now: Duration) -> [Action] {
    let actions = search.close()
    guard !search.isClosed else { return actions + end(outcome) }
    phase = .closing(outcome)
    limit = now + Self.closingTime
    transferDeadline = nil
    return actions
  }

  private mutating func end(_ outcome: Outcome) -> [Action] {
    phase = .over
    return [.notify(.ended(outcome))]
  }
}
