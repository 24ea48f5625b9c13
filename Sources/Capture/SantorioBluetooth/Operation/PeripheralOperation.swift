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
    /// Looking for a device. Next: connecting, over.
    case searching
    /// Connecting. Next: discovering, closing, over.
    case connecting
    /// Looking for services, then for the characteristics of each. Next: preparing, closing, over.
    case discovering(pendingServices: Set<String>)
    /// Taking the profile's steps; the first of `steps` is under way. Next: transferring, closing.
    case preparing(steps: [DeviceProfile.Step])
    /// Measurements come. Next: unsubscribing, closing, over.
    case transferring
    /// Ending the subscription, then the connection. Next: closing, over.
    case unsubscribing(Outcome)
    /// Waiting for the end of the connection. Next: over.
    case closing(Outcome)
    case over
  }

  /// How long a cancelled connection may take to end before it is taken for ended.
  private static let closingTime = Duration.seconds(10)

  private let purpose: Purpose
  private let candidates: [BluetoothPeripheral]
  private let allowed: Set<UUID>?
  private var phase = Phase.waitingForRadio
  private var limit: Duration
  private var transfer: MeasurementTransfer<[UInt8]>
  private var transferDeadline: Duration?
  private var chosen: BluetoothPeripheral
  private var found: Set<Attribute> = []
  private var hasMeasurement = false

  /// Prepares an operation.
  ///
  /// - Parameters:
  ///   - purpose: What it is for.
  ///   - first: A peripheral to look for.
  ///   - others: More peripherals to look for.
  ///   - allowed: The identifiers to which it is restricted, if any.
  ///   - now: The present instant.
  init(
    _ purpose: Purpose, _ first: BluetoothPeripheral, _ others: [BluetoothPeripheral] = [],
    allowed: Set<UUID>? = nil, at now: Duration
  ) {
    self.purpose = purpose
    self.allowed = allowed
    candidates = [first] + others
    chosen = first
    limit = now + candidates.reduce(first.connectTimeout) { max($0, $1.connectTimeout) }
    transfer = MeasurementTransfer()
  }

  /// When ``Input/timeReached`` is due; nil when nothing is waited for.
  var deadline: Duration? {
    guard phase != .over else { return nil }
    return min(limit, transferDeadline ?? limit)
  }

  /// Takes an input and returns what to do, in order.
  mutating func handle(_ input: Input, at now: Duration) -> [Action] {
    switch input {
    case .radioChanged(let state): radioChanged(state, at: now)
    case .discovered(let id, let name, let services): discovered(id, name, services)
    case .connected: connected(at: now)
    case .connectionFailed(let failure): connectionFailed(failure)
    case .servicesDiscovered(let services): servicesDiscovered(services, at: now)
    case .characteristicsDiscovered(let characteristics, let service):
      characteristicsDiscovered(characteristics, service, at: now)
    case .discoveryFailed(let failure): fail(failure, at: now)
    case .valueReceived(let attribute, let octets): valueReceived(attribute, octets, at: now)
    case .readFailed(let attribute, let failure): stepEnded(attribute, failure, at: now)
    case .written(let attribute, let failure): stepEnded(attribute, failure, at: now)
    case .subscriptionChanged(let attribute, let failure):
      subscriptionChanged(attribute, failure, at: now)
    case .disconnected(let failure): disconnected(failure, at: now)
    case .timeReached: timeReached(at: now)
    case .cancelRequested: cancelRequested(at: now)
    }
  }

  // MARK: - Radio and search

  private mutating func radioChanged(_ state: RadioState, at now: Duration) -> [Action] {
    switch (state, phase) {
    case (_, .over), (.unknown, _): return []
    case (.on, .waitingForRadio), (.on, .searching):
      // A reset has ended the scan that there was.
      phase = .searching
      return [.scan(services: scannedServices)]
    case (.on, _):
      // A reset has ended the connection, which the system does not tell.
      return disconnected(LinkFailure(.other, "Bluetooth was reset."), at: now)
    case (.unavailable, .closing(let outcome)), (.unavailable, .unsubscribing(let outcome)):
      return end(outcome)  // The system tells no disconnection when the radio goes off.
    case (.unavailable(let reason), _):
      return end(.failed(BluetoothError(unavailable: reason)))
    }
  }

  private var scannedServices: [String] {
    candidates.reduce(into: []) { services, candidate in
      services += candidate.recognition.services.filter { !services.contains($0) }
    }
  }

  private mutating func discovered(
    _ id: UUID, _ name: String?, _ services: [String]
  ) -> [Action] {
    guard phase == .searching, allowed?.contains(id) ?? true,
      let peripheral = BluetoothPeripheral.best(of: candidates, name: name, services: services)
    else { return [] }
    chosen = peripheral
    phase = .connecting
    return [.stopScan, .notify(.found(peripheral, id)), .connect(id)]
  }

  private mutating func connected(at now: Duration) -> [Action] {
    guard phase == .connecting else { return [] }
    phase = .discovering(pendingServices: [])
    limit = now + chosen.readTimeout
    transfer = MeasurementTransfer(
      limits: .init(quietTime: chosen.profile.quietTime, overall: chosen.readTimeout))
    return [.discoverServices(chosen.profile.services)]
  }

  private mutating func connectionFailed(_ failure: LinkFailure) -> [Action] {
    switch phase {
    case .connecting:
      end(.failed(BluetoothError(failure, code: .connectionFailure, while: purpose)))
    case .closing(let outcome): end(outcome)
    default: []
    }
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
    case .searching where now >= limit: return end(.failed(BluetoothError(.connectionTimeout)))
    case .connecting where now >= limit:
      return close(.failed(BluetoothError(.connectionTimeout)), at: now)
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
    case .waitingForRadio, .searching: return end(.cancelled)
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

  private mutating func disconnected(_ failure: LinkFailure?, at now: Duration) -> [Action] {
    switch phase {
    case .closing(let outcome), .unsubscribing(let outcome): return end(outcome)
    case .transferring where purpose == .pair || hasMeasurement: return end(.finished)
    case .transferring where failure?.kind == .hungUp:
      return end(.failed(BluetoothError(.noReading)))
    case .connecting, .discovering, .preparing, .transferring:
      let failure = failure ?? LinkFailure(.other, "The connection ended.")
      return end(.failed(BluetoothError(failure, code: .communicationFailure, while: purpose)))
    case .waitingForRadio, .searching, .over: return []
    }
  }

  /// Ends the connection; the outcome is told when it is gone.
  private mutating func close(_ outcome: Outcome, at now: Duration) -> [Action] {
    phase = .closing(outcome)
    limit = now + Self.closingTime
    transferDeadline = nil
    return [.disconnect]
  }

  private mutating func end(_ outcome: Outcome) -> [Action] {
    let wasSearching = phase == .searching
    phase = .over
    return (wasSearching ? [.stopScan] : []) + [.notify(.ended(outcome))]
  }
}
