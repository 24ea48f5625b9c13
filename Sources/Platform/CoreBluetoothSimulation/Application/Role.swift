// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// What both roles of a host for one manager have in common: the way of events to the manager.
///
/// Events wait while the application may not run. What a role with a restore identifier does
/// outlives the process: an heir without a manager goes on with it until the application makes a
/// manager with the same identifier.
class Role<Event: Sendable>: @unchecked Sendable {
  /// A manager, as long as its process runs.
  private struct Manager {
    let process: ApplicationProcess
    let mailbox: Mailbox
    let receiver: Receiver<Event>
    // A manager keeps its air, but what the system keeps does not.
    let air: SimulatedRadioEnvironment
  }

  let host: HostCore
  let application: ApplicationCore
  let restoreIdentifier: String?
  private let mode: SimulatedBackgroundModes
  private var manager: Manager?
  /// Whether the manager has been greeted.
  private var hasBegun = false
  /// What the manager has not been told yet, in order.
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

  // MARK: - What the roles say

  /// Whether the event wakes an application that is suspended, and launches one that is gone.
  func wakes(_ event: Event) -> Bool { true }

  /// The event leaves for the manager.
  func note(_ event: Event) {}

  /// What a manager hears first.
  func greeting() -> [Event] { [] }

  // MARK: - The manager

  var hasManager: Bool { manager != nil }

  /// Who hears of channels that are opened now.
  var audience: Audience {
    Audience(
      application: application, process: application.process, mode: mode, environment: environment)
  }

  /// The air that the manager keeps.
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

  /// Performs a command of the manager, unless its process is gone.
  func locked(_ body: () -> Void) {
    environment.locked { if manager != nil { body() } }
  }

  private func begin() {
    guard manager != nil else { return }
    hasBegun = true
    waiting = greeting() + waiting
    passOn()
  }

  // MARK: - Events

  /// Tells the manager, now or when the application may run.
  func send(_ event: Event) {
    if waiting.isEmpty, hasBegun, let manager, application.isAwake(for: mode) {
      return deliver(event, to: manager)
    }
    guard manager == nil || hasBegun else { return }
    waiting.append(event)
    passOn()
  }

  /// Delivers what waits, if the application may run, or sees to it that it may.
  func passOn() {
    guard !waiting.isEmpty else { return }
    guard let manager else { return application.eventWaits() }
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
    application.staysAwake()
    let (process, receiver) = (manager.process, manager.receiver)
    // The process may end while the event is on its way.
    environment.deliver(to: manager.mailbox) { if process.isRunning { receiver(event) } }
  }

  /// Whether there is nobody to tell what would launch the application.
  var awaitsLaunch: Bool {
    manager == nil && application.modes.contains(mode) && waiting.contains(where: wakes)
  }
}

/// What an application asks of its roles.
protocol ApplicationRole: AnyObject {
  var application: ApplicationCore { get }
  var restoreIdentifier: String? { get }
  var hasManager: Bool { get }
  var awaitsLaunch: Bool { get }

  /// The application's state or its modes have changed.
  func conditionsChanged()
  /// The process is gone; the role makes an heir, or ends.
  func processEnded(keepsState: Bool)
  /// Ends everything; nobody is told.
  func finish()
  /// The host restarts; what was connected is to be connected again.
  func loseConnections()
}
