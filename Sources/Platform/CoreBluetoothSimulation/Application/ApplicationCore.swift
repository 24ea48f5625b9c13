// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// One run of an application; its managers receive no events after it has ended.
final class ApplicationProcess: Sendable {
  private let running = Locked(true)

  var isRunning: Bool { running.withLock { $0 } }

  func end() {
    running.withLock { $0 = false }
  }
}

/// The owner of a channel's end: one run of an application, in a role.
struct ChannelOwner {
  let application: ApplicationCore
  let process: ApplicationProcess
  let mode: SimulatedBackgroundModes
  let environment: EnvironmentCore

  /// Whether the process still runs.
  var isRunning: Bool { process.isRunning }

  /// Whether the application may receive events now.
  var isAwake: Bool { application.isAwake(for: mode) }
}

/// The state of an application; accessed with the environment's lock held.
final class ApplicationCore {
  /// How long an application runs after it was woken for an event.
  ///
  /// See the Core Bluetooth Programming Guide, "Use Background Execution Modes Wisely".
  static let wakeDuration: Int64 = 10_000_000_000

  unowned let host: HostCore
  let name: String
  var modes: SimulatedBackgroundModes { didSet { conditionsChanged() } }
  private(set) var state = SimulatedApplication.State.foreground
  private(set) var process = ApplicationProcess()
  /// When the system suspends an application that it has woken; nil when the test decides.
  private var suspension: ScheduledEvent?
  var launchHandler: ((SimulatedLaunch) -> Void)?
  /// The channels that have changed while the application could not be notified.
  private var changedChannels: [WeakHalf] = []

  private struct WeakHalf {
    weak var half: ChannelHalf?
  }

  init(host: HostCore, name: String, modes: SimulatedBackgroundModes) {
    self.host = host
    self.name = name
    self.modes = modes
  }

  private var roles: [any ApplicationRole] {
    host.roles.filter { $0.application === self }
  }

  // MARK: - The state

  func change(to new: SimulatedApplication.State) {
    suspension?.cancel()
    suspension = nil
    guard new != state else { return }
    let old = state
    state = new
    if new == .terminated { endProcess(keepsState: true) }
    if old == .terminated { process = ApplicationProcess() }
    conditionsChanged()
  }

  func forceQuit() {
    endProcess(keepsState: false)
    change(to: .terminated)
  }

  private func endProcess(keepsState: Bool) {
    process.end()
    for role in roles {
      if role.hasManager {
        role.processEnded(keepsState: keepsState)
      } else if !keepsState {
        role.finish()
      }
    }
  }

  private func conditionsChanged() {
    roles.forEach { $0.conditionsChanged() }
    host.environment.wakeAdvertisers()
    let changed = changedChannels.compactMap(\.half)
    changedChannels = []
    changed.forEach { $0.notify() }
  }

  /// Reports a channel's change later, when the application is awake; this does not wake it.
  func deferNotification(_ half: ChannelHalf) {
    changedChannels.removeAll { $0.half == nil || $0.half === half }
    changedChannels.append(WeakHalf(half: half))
  }

  // MARK: - Permissions of the state

  /// Whether the application receives events.
  func isAwake(for mode: SimulatedBackgroundModes) -> Bool {
    state == .foreground || state == .background && modes.contains(mode)
  }

  /// Whether the system keeps the role working, even while the application is suspended.
  func isServed(for mode: SimulatedBackgroundModes) -> Bool {
    state == .foreground || modes.contains(mode)
  }

  func canWake(for mode: SimulatedBackgroundModes) -> Bool {
    state == .suspended && modes.contains(mode)
  }

  /// Lets a suspended application run for a limited time.
  func wake() {
    change(to: .background)
    suspendLater()
  }

  /// Extends the time of a woken application after an event.
  func extendWakeTime() {
    if suspension != nil { suspendLater() }
  }

  private func suspendLater() {
    suspension?.cancel()
    suspension = host.environment.after(Self.wakeDuration) { [weak self] in
      self?.change(to: .suspended)
    }
  }

  // MARK: - Launching

  /// The identifiers of the managers that an event waits for.
  var awaitingRelaunch: [String] {
    roles.filter(\.awaitsLaunch).compactMap(\.restoreIdentifier)
  }

  /// Launches the application if it is not running: a role has an event but no manager.
  func launchForEvent() {
    guard state == .terminated, let launchHandler, roles.contains(where: \.awaitsLaunch) else {
      return
    }
    let identifiers = { (list: [any ApplicationRole]) in
      list.filter { $0.application === self && !$0.hasManager }.compactMap(\.restoreIdentifier)
    }
    let launch = SimulatedLaunch(
      centralManagers: identifiers(host.centrals), peripheralManagers: identifiers(host.peripherals)
    )
    wake()
    launchHandler(launch)
  }
}
