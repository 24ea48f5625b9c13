// SPDX-License-Identifier: Apache-2.0

/// The common part of both roles of a host for one manager: the delivery of events to it.
///
/// Events wait while the application may not run. The activities of a role with a restore
/// identifier outlive the process: a successor without a manager continues them until the
/// application creates a manager with the same identifier.
class Role<Event: Sendable>: @unchecked Sendable {
  /// A manager, as long as its process runs.
  private struct Manager {
    let process: ApplicationProcess
    let mailbox: Mailbox
    let receiver: Receiver<Event>
    // A manager retains its environment, but the state kept by the system does not.
    let air: SimulatedRadioEnvironment
  }

  let host: HostCore
  let application: ApplicationCore
  let restoreIdentifier: String?
  private let mode: SimulatedBackgroundModes
  private var manager: Manager?
  /// Whether the manager has received its first events.
  private var hasBegun = false
  /// The events not yet delivered to the manager, in order.
  var waiting: [Event] = []

  init(
    host: HostCore, application: ApplicationCore, restoring identifier: String?,
    mode: SimulatedBackgroundModes
  ) {
    self.host = host
    self.application = application
    restoreIdentifier = identifier
    self.mode = mode
  }

  var environment: EnvironmentCore { host.environment }

  // MARK: - Overridden by the roles

  /// Whether the event wakes a suspended application, and launches one that is not running.
  func wakes(_ event: Event) -> Bool { true }

  /// Called for each event just before it is delivered to the manager.
  func note(_ event: Event) {}

  /// The first events of a manager.
  func initialEvents() -> [Event] { [] }

  // MARK: - The manager

  var hasManager: Bool { manager != nil }

  /// The receiver of events of channels that are opened now.
  var owner: ChannelOwner {
    ChannelOwner(
      application: application, process: application.process, mode: mode, environment: environment)
  }

  /// The environment that the manager retains.
  var air: SimulatedRadioEnvironment? { manager?.air }

  func attach(
    air: SimulatedRadioEnvironment, queue: DispatchQueue,
    handler: @escaping @Sendable (Event) -> Void
  ) {
    manager = Manager(
      process: application.process, mailbox: environment.mailbox(of: queue),
      receiver: Receiver(handler), air: air)
    environment.after(0) { [weak self] in self?.begin() }
  }

  func detach() {
    manager?.receiver.close()
    manager = nil
    waiting = []
  }

  /// Performs a command of the manager, unless its process has ended.
  func locked(_ body: () -> Void) {
    environment.locked { if manager != nil { body() } }
  }

  private func begin() {
    guard manager != nil else { return }
    hasBegun = true
    waiting = initialEvents() + waiting
    deliverWaiting()
  }

  // MARK: - Events

  /// Sends an event to the manager, now or when the application may run.
  func send(_ event: Event) {
    if waiting.isEmpty, hasBegun, let manager, application.isAwake(for: mode) {
      return deliver(event, to: manager)
    }
    guard manager == nil || hasBegun else { return }
    waiting.append(event)
    deliverWaiting()
  }

  /// Delivers waiting events if the application may run; otherwise wakes or launches it.
  func deliverWaiting() {
    guard !waiting.isEmpty else { return }
    guard let manager else { return application.launchForEvent() }
    guard hasBegun else { return }
    guard application.isAwake(for: mode) else {
      if application.canWake(for: mode), waiting.contains(where: wakes) { application.wake() }
      return
    }
    let events = waiting
    waiting = []
    for event in events { deliver(event, to: manager) }
  }

  private func deliver(_ event: Event, to manager: Manager) {
    note(event)
    application.extendWakeTime()
    let (process, receiver) = (manager.process, manager.receiver)
    // The process may end while the event is on its way.
    environment.deliver(to: manager.mailbox) { if process.isRunning { receiver(event) } }
  }

  /// Whether there is no manager for an event that would launch the application.
  var awaitsLaunch: Bool {
    manager == nil && application.modes.contains(mode) && waiting.contains(where: wakes)
  }
}

/// The calls of an application to its roles.
protocol ApplicationRole: AnyObject {
  var application: ApplicationCore { get }
  var restoreIdentifier: String? { get }
  var hasManager: Bool { get }
  var awaitsLaunch: Bool { get }

  /// The application's state or its modes have changed.
  func conditionsChanged()
  /// The process has ended; the role creates a successor, or ends.
  func processEnded(keepsState: Bool)
  /// Ends everything without an event.
  func finish()
  /// The host restarts; connected peers are to be connected again.
  func loseConnections()
}
