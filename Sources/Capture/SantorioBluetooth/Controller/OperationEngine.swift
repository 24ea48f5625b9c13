// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency

/// Runs one operation at a time: feeds it with inputs and carries out its actions.
final class OperationEngine: @unchecked Sendable {
  // `operation`, `notices`, `timer`, `inputs` and the driver's state are touched on `queue` only.
  private let queue = DispatchQueue(label: "org.santorio.bluetooth")
  private let settings: BluetoothPeripheralController.Settings
  private let monotonicClock: MonotonicClock
  private let deviceStates: DeviceStates
  private let managerOptions: [String: Any]?
  private var driver: CentralDriver?
  private var operation: OperationBox?
  private var notices: AsyncStream<Dated>.Continuation?
  private lazy var timer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.handle(.timeReached)
  }
  /// The input being handled, and those that came meanwhile.
  private var inputs: [PeripheralOperation.Input] = []

  /// What an operation tells, and when.
  struct Dated: Sendable {
    let notice: PeripheralOperation.Notice
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
        notices = continuation
        operation = make(monotonicClock.now())
        timer.set(operation?.operation.deadline)
        startedDriver().begin()
      }
    }
  }

  /// Ends an operation before it has begun: the radio is not touched.
  func refuse(_ error: BluetoothError) -> AsyncStream<Dated> {
    AsyncStream { continuation in
      continuation.yield(Dated(notice: .ended(.failed(error)), date: settings.now()))
      continuation.finish()
    }
  }

  func cancel() {
    queue.async { [self] in handle(.cancelRequested) }
  }

  /// Tells the operation whether all readings so far are on disk.
  func confirmStorage(_ isStored: Bool) {
    queue.async { [self] in handle(isStored ? .stored : .notStored) }
  }

  private func startedDriver() -> CentralDriver {
    if let driver { return driver }
    let driver = CentralDriver(queue: queue, managerOptions: managerOptions) { [weak self] input in
      self?.handle(input)
    }
    self.driver = driver
    return driver
  }

  // On `queue`, since the driver tells there. Some actions are answered while they are carried out;
  // the answers wait until all actions of the input before have been.
  private func handle(_ input: PeripheralOperation.Input) {
    inputs.append(input)
    guard inputs.count == 1 else { return }
    while let input = inputs.first {
      let actions = operation?.operation.handle(input, at: time) ?? []
      timer.set(operation?.operation.deadline)
      for action in actions { perform(action) }
      inputs.removeFirst()
    }
  }

  private var time: DriverTime {
    let date = settings.now()
    return DriverTime(
      elapsed: monotonicClock.now(), secondsSince1970: date.timeIntervalSince1970,
      utcOffsetSeconds: settings.timeZone().secondsFromGMT(for: date))
  }

  private func perform(_ action: PeripheralOperation.Action) {
    switch action {
    case .retrieveKnown(let identifiers): driver?.retrieveKnown(identifiers)
    case .retrieveConnected(let services): driver?.retrieveConnected(services)
    case .scan(let services, let allowsDuplicates):
      driver?.scan(services, allowsDuplicates: allowsDuplicates)
    case .stopScan: driver?.stopScan()
    case .connect(let identifier): driver?.connect(identifier)
    case .discoverServices(let services, let identifier):
      driver?.discoverServices(services, of: identifier)
    case .discoverCharacteristics(let characteristics, let service):
      driver?.discoverCharacteristics(characteristics, service)
    case .retrieveDossier(let identifier):
      handle(
        .deviceState(identifier, deviceStates.deviceState(of: identifier, user: settings.user)))
    case .request(let request): driver?.perform(request)
    case .disconnect(let identifier): driver?.disconnect(identifier)
    case .notify(let notice): tell(notice)
    }
  }

  private func tell(_ notice: PeripheralOperation.Notice) {
    notices?.yield(Dated(notice: notice, date: settings.now()))
    guard case .ended = notice else { return }
    notices?.finish()
    notices = nil
    operation = nil
    timer.set(operation?.operation.deadline)
    driver?.end()
  }
}

/// Holds an operation, which cannot be copied and so not be optional before iOS 18.
final class OperationBox: @unchecked Sendable {
  // Touched on the engine's queue only, once it has begun.
  var operation: PeripheralOperation

  init(_ operation: consuming PeripheralOperation) { self.operation = operation }
}
