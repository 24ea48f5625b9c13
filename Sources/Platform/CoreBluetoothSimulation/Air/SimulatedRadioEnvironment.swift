// SPDX-License-Identifier: Apache-2.0

/// A simulated space for radios inside the process, with its own clock.
///
/// Simulate a device in ten lines:
///
/// ```swift
/// let air = SimulatedRadioEnvironment(seed: 7)
/// let phone = air.makeHost(named: "Phone")
/// let strap = air.makeHost(named: "Strap", at: SimulatedPosition(x: 3))
/// let device = HeartRateStrap(options: strap.managerOptions)  // has a CBPeripheralManager
/// phone.installAsDefault()
/// let app = BluetoothManager()  // has a CBCentralManager
/// let found = await air.advance(by: .seconds(10)) { app.heartRate != nil }
/// #expect(found)
/// strap.position.x = 500
/// await air.advance(by: .seconds(10))  // the link is lost by now
/// ```
///
/// One process can hold a hub and many devices: each ``SimulatedHost`` is one adapter. The same
/// seed and the same calls give the same events at the same times.
public final class SimulatedRadioEnvironment: Sendable {
  /// What moves the clock.
  public enum Mode: Hashable, Sendable {
    /// The test, with ``SimulatedRadioEnvironment/advance(by:)``.
    case manual
    /// The computer's clock, multiplied by the speed.
    case realTime(speed: Double)
  }

  let environment: EnvironmentCore

  /// An environment without hosts.
  ///
  /// - Parameters:
  ///   - seed: All random numbers follow from it.
  ///   - mode: What moves the clock.
  ///   - medium: How radio waves behave.
  public init(
    seed: UInt64 = 1, mode: Mode = .manual, medium: SimulatedMedium = SimulatedMedium()
  ) {
    environment = EnvironmentCore(seed: seed, mode: mode, medium: medium)
  }

  deinit {
    // Later, because the last reference may be released while the lock is held.
    DispatchQueue.global().async { [environment] in environment.shutDown() }
  }

  /// The environment's clock, for timeouts of the code under test.
  public var clock: SimulatedClock { SimulatedClock(environment: environment) }

  /// How radio waves behave; may be changed at any time.
  public var medium: SimulatedMedium {
    get { environment.locked { environment.medium } }
    set {
      environment.locked {
        environment.medium = newValue
        environment.rangesChanged()
      }
    }
  }

  /// Adds a host with one adapter, powered on.
  ///
  /// - Parameters:
  ///   - name: Its name in the Generic Access service.
  ///   - position: Where it is.
  /// - Returns: The host, which retains the environment.
  public func makeHost(
    named name: String, at position: SimulatedPosition = SimulatedPosition()
  ) -> SimulatedHost {
    environment.locked {
      let core = HostCore(
        environment: environment, index: environment.hosts.count, name: name, position: position)
      environment.hosts.append(core)
      return SimulatedHost(core, air: self)
    }
  }

  /// Moves a manual clock; in real time, waits for the duration.
  ///
  /// Events run in the order of their times. Before the next one, the callbacks of the last have
  /// run on their queues, and so has the work they have added to these queues and to the clock.
  public func advance(by duration: Duration) async {
    _ = await environment.advance(by: duration.nanoseconds) { false }
  }

  /// Moves a manual clock until the condition holds; in real time, waits for it.
  ///
  /// - Parameters:
  ///   - limit: The most by which the clock moves.
  ///   - condition: Checked after each event, or every millisecond in real time.
  /// - Returns: Whether the condition held in time.
  @discardableResult
  public func advance(by limit: Duration, until condition: () -> Bool) async -> Bool {
    await environment.advance(by: limit.nanoseconds, until: condition)
  }

  /// Moves a manual clock until the task is cancelled, at most `speed` times as fast as real time.
  ///
  /// A busy computer makes the environment's time pass more slowly; in real time it would make
  /// timeouts expire before their answers.
  ///
  /// - Parameter speed: How many seconds of the environment may pass in one second.
  public func run(speed: Double = 1) async {
    let pause = Duration.milliseconds(5)
    while (try? await Task.sleep(for: pause)) != nil { await advance(by: pause * speed) }
  }
}
