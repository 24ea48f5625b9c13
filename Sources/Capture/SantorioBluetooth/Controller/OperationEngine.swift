// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency

/// Runs one operation at a time: feeds it with events and carries out its actions.
final class OperationEngine: @unchecked Sendable {
  // `operation`, `reports`, `timer`, `events` and the central's state are touched on `queue` only.
  private let queue = DispatchQueue(label: "org.santorio.bluetooth")
  private let settings: BluetoothPeripheralController.Settings
  private let monotonicClock: MonotonicClock
  private let deviceStates: DeviceStates
  private let managerOptions: [String: Any]?
  private var central: Central?
  private var operation: OperationBox?
  private var reports: AsyncStream<Dated>.Continuation?
  private lazy var timer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.handle(.timeReached)
  }
  /// The events that wait for their turn.
  private var events: [PeripheralOperation.Event] = []
  private var isHandling = false

  /// What an operation reports, and when.
  struct Dated: Sendable {
    let report: PeripheralOperation.Report
    let date: Date
  }

  init(
    settings: BluetoothPeripheralController.Settings, deviceStates: DeviceStates,
    managerOptions: sending [String: Any]?
  ) {
    self.settings = settings
    self.deviceStates = deviceStates
    self.managerOptions = managerOptions
    monotonicClock = MonotonicClock(settings.clock)
  }

  /// Begins the operation that is made, for the present instant, on the engine's queue.
  ///
  /// The stream ends with its end.
  func begin(_ make: @escaping @Sendable (Duration) -> OperationBox) -> AsyncStream<Dated> {
    AsyncStream { continuation in
      queue.async { [self] in
        reports = continuation
        operation = make(monotonicClock.now())
        timer.set(operation?.operation.deadline)
        startedCentral().begin()
      }
    }
  }

  /// Ends an operation before it has begun: the radio is not touched.
  func refuse(_ error: BluetoothError) -> AsyncStream<Dated> {
    AsyncStream { continuation in
      continuation.yield(Dated(report: .ended(.failed(error)), date: settings.now()))
      continuation.finish()
    }
  }

  func cancel() {
    queue.async { [self] in handle(.cancelRequested) }
  }

  /// Answers whether all readings so far are on disk.
  func confirmStorage(_ answer: PeripheralOperation.Event) {
    queue.async { [self] in handle(answer) }
  }

  private func startedCentral() -> Central {
    if let central { return central }
    let central = Central(queue: queue, managerOptions: managerOptions) { [weak self] event in
      self?.handle(event)
    }
    self.central = central
    return central
  }

  // On `queue`, since the central reports there. Some actions are answered while they are carried
  // out; the answers wait until all actions of the event before have been.
  private func handle(_ event: PeripheralOperation.Event) {
    events.append(event)
    if !isHandling { handleNext() }
  }

  private func handleNext() {
    guard !events.isEmpty else { return }
    isHandling = true
    let event = events.removeFirst()
    let actions = operation?.operation.handle(event, at: time) ?? []
    timer.set(operation?.operation.deadline)
    for action in actions { perform(action) }
    isHandling = false
    // In a turn of its own: a driver that asks for ever must not keep a cancellation or the end of
    // the time out.
    if !events.isEmpty { queue.async { [self] in handleNext() } }
  }

  private var time: DriverTime {
    let date = settings.now()
    return DriverTime(
      elapsed: monotonicClock.now(), secondsSince1970: date.timeIntervalSince1970,
      utcOffsetSeconds: settings.timeZone().secondsFromGMT(for: date))
  }

  private func perform(_ action: PeripheralOperation.Action) {
    switch action {
    case .retrieveKnown(let identifiers): central?.retrieveKnown(identifiers)
    case .retrieveConnected(let services): central?.retrieveConnected(services)
    case .scan(let services, let allowsDuplicates):
      central?.scan(services, allowsDuplicates: allowsDuplicates)
    case .stopScan: central?.stopScan()
    case .connect(let identifier): central?.connect(identifier)
    case .discoverServices(let services, let identifier):
      central?.discoverServices(services, of: identifier)
    case .discoverCharacteristics(let characteristics, let service):
      central?.discoverCharacteristics(characteristics, service)
    case .retrieveDeviceState(let identifier):
      handle(
        .deviceState(identifier, deviceStates.deviceState(of: identifier, user: settings.user)))
    case .request(let request): central?.perform(request)
    case .disconnect(let identifier): central?.disconnect(identifier)
    case .report(let report): send(report)
    }
  }

  private func send(_ report: PeripheralOperation.Report) {
    reports?.yield(Dated(report: report, date: settings.now()))
    guard case .ended = report else { return }
    reports?.finish()
    reports = nil
    operation = nil
    // What waits is no concern of the next operation.
    events = []
    timer.set(operation?.operation.deadline)
    central?.end()
  }
}

/// Holds an operation, which cannot be copied and so not be optional before iOS 18.
final class OperationBox: @unchecked Sendable {
  // Touched on the engine's queue only, once it has begun.
  var operation: PeripheralOperation

  init(_ operation: consuming PeripheralOperation) { self.operation = operation }
}
