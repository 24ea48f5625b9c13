// SPDX-License-Identifier: Apache-2.0

/// The background modes that an application declares in its `Info.plist`.
public struct SimulatedBackgroundModes: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// A set of these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// `bluetooth-central`.
  public static let central = Self(rawValue: 1)
  /// `bluetooth-peripheral`.
  public static let peripheral = Self(rawValue: 2)
}

/// The reason for a launch by the system; the app has to create these managers again.
public struct SimulatedLaunch: Hashable, Sendable {
  /// The restore identifiers of central managers.
  public let centralManagers: [String]
  /// The restore identifiers of peripheral managers.
  public let peripheralManagers: [String]
}

/// An app on a ``SimulatedHost``, which can go to the background, be suspended and die.
///
/// The state decides which events the managers receive, as on iOS: see <doc:Applications>. The app's
/// own code is not stopped: a test must not call it while the app is suspended or terminated.
public final class SimulatedApplication: Sendable {
  /// The execution state of an application.
  public enum State: Hashable, Sendable {
    /// In the foreground: everything is allowed.
    case foreground
    /// In the background: only the roles of the declared modes receive events.
    case background
    /// Suspended: an event for a role of the declared modes wakes it for ten seconds.
    case suspended
    /// Not running.
    case terminated
  }

  private let unguarded: Unguarded
  private let radio: HostRadio
  private let air: SimulatedRadioEnvironment

  /// The core is accessed through `core` only, with the environment's lock held.
  private struct Unguarded: @unchecked Sendable {
    let core: ApplicationCore
  }

  init(_ core: ApplicationCore, air: SimulatedRadioEnvironment) {
    unguarded = Unguarded(core: core)
    self.air = air
    radio = HostRadio(core, air: air)
  }

  private func with<Result>(_ body: (ApplicationCore) -> Result) -> Result {
    air.environment.locked { body(unguarded.core) }
  }

  /// The name of the application.
  public var name: String { with(\.name) }

  // MARK: - Managers

  /// The options that assign a manager to this application.
  ///
  /// While the application is terminated, new managers receive no events.
  public var managerOptions: [String: Any] { [CBManagerOptionRadioKey: radio] }

  /// Assigns all managers created later without options of a host to this application.
  public func installAsDefault() {
    DefaultRadio.current = radio
  }

  // MARK: - Life and death

  /// The execution state; setting a terminated application to another state launches it.
  public var state: State {
    get { with(\.state) }
    set { with { $0.change(to: newValue) } }
  }

  /// The declared background modes; a manager with a restore identifier needs that of its role.
  public var backgroundModes: SimulatedBackgroundModes {
    get { with(\.modes) }
    set { with { $0.modes = newValue } }
  }

  /// Ends the process, as a crash or a lack of memory does.
  ///
  /// Its managers receive no more events. The activities of those with a restore identifier
  /// continue.
  public func terminate() {
    with { $0.change(to: .terminated) }
  }

  /// Ends the process as when the user closes the app: no state is kept.
  public func forceQuit() {
    with { $0.forceQuit() }
  }

  // MARK: - Launching

  /// The restore identifiers of the managers for which an event waits.
  public var awaitingRelaunch: [String] { with(\.awaitingRelaunch) }

  /// Sets the code that runs when the system launches the application because an event waits.
  ///
  /// The application is in the background then, and is suspended ten seconds after the last event.
  /// Without a body the system does not launch it: the events wait until ``state`` is set.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the body runs.
  ///   - body: Creates the managers again; it should not retain the application.
  public func onLaunch(
    on queue: DispatchQueue = .main, _ body: (@Sendable (SimulatedLaunch) -> Void)?
  ) {
    with { core in
      core.launchHandler = body.map { body in
        { [unowned core] launch in
          let environment = core.host.environment
          environment.deliver(to: environment.mailbox(of: queue)) { body(launch) }
        }
      }
      core.launchForEvent()
    }
  }
}
