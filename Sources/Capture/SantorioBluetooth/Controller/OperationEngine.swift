// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthGATT

/// Runs one operation at a time: feeds it with inputs and carries out its actions.
final class OperationEngine: @unchecked Sendable {
  // `operation`, `notices`, `timer` and the driver's state are touched on `queue` only.
  private let queue = DispatchQueue(label: "org.santorio.bluetooth")
  private let settings: BluetoothPeripheralController.Settings
  private let timepiece: Timepiece
  private let managerOptions: [String: Any]?
  private var driver: CentralDriver?
  private var operation: OperationBox?
  private var notices: AsyncStream<Dated>.Continuation?
  private var timer: (deadline: Duration, task: Task<Void, Never>)?

  /// What an operation tells, and when.
  struct Dated: Sendable {
    let notice: PeripheralOperation.Notice
    let date: Date
  }

  init(
    settings: BluetoothPeripheralController.Settings, managerOptions: sending [String: Any]?
  ) {
    self.settings = settings
    self.managerOptions = managerOptions
    timepiece = Timepiece(settings.clock)
  }

  /// Begins the operation that is made, for the present instant, on the engine's queue.
  ///
  /// The stream ends with its end.
  func begin(_ make: @escaping @Sendable (Duration) -> OperationBox) -> AsyncStream<Dated> {
    AsyncStream { continuation in
      queue.async { [self] in
        notices = continuation
        operation = make(timepiece.now())
        rearm()
        startedDriver().begin()
      }
    }
  }

  func cancel() {
    queue.async { [self] in handle(.cancelRequested) }
  }

  private func startedDriver() -> CentralDriver {
    if let driver { return driver }
    let driver = CentralDriver(queue: queue, managerOptions: managerOptions) { [weak self] input in
      self?.handle(input)
    }
    self.driver = driver
    return driver
  }

  // On `queue`, since the driver tells there.
  private func handle(_ input: PeripheralOperation.Input) {
    let actions = operation?.operation.handle(input, at: timepiece.now()) ?? []
    rearm()
    for action in actions { perform(action) }
  }

  private func perform(_ action: PeripheralOperation.Action) {
    switch action {
    case .retrieveKnown(let identifiers): driver?.retrieveKnown(identifiers)
    case .retrieveConnected(let services): driver?.retrieveConnected(services)
    case .scan(let services): driver?.scan(services)
    case .stopScan: driver?.stopScan()
    case .connect(let identifier): driver?.connect(identifier)
    case .discoverServices(let services, let identifier):
      driver?.discoverServices(services, of: identifier)
    case .discoverCharacteristics(let characteristics, let service):
      driver?.discoverCharacteristics(characteristics, service)
    case .read(let attribute): driver?.read(attribute)
    case .writeClock(let attribute):
      let time = DateTime(settings.now(), zone: settings.timeZone())
      driver?.write(attribute, time?.payload ?? [])
    case .subscribe(let attribute): driver?.setNotify(true, attribute)
    case .unsubscribe(let attribute): driver?.setNotify(false, attribute)
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
    rearm()
    driver?.end()
  }

  /// Keeps the one timer in step with the operation's deadline.
  private func rearm() {
    let deadline = operation?.operation.deadline
    guard deadline != timer?.deadline else { return }
    timer?.task.cancel()
    timer = deadline.map { deadline in
      let task = Task { [weak self, timepiece] in
        guard (try? await timepiece.sleep(deadline)) != nil else { return }
        self?.timeReached(deadline)
      }
      return (deadline, task)
    }
  }

  private func timeReached(_ deadline: Duration) {
    queue.async { [self] in
      guard timer?.deadline == deadline else { return }
      timer = nil
      handle(.timeReached)
    }
  }
}

/// Holds an operation, which cannot be copied and so not be optional before iOS 18.
final class OperationBox: @unchecked Sendable {
  // Touched on the engine's queue only, once it has begun.
  var operation: PeripheralOperation

  init(_ operation: consuming PeripheralOperation) { self.operation = operation }
}
