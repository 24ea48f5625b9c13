// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothBlueZ
import CoreBluetoothSimulation
import SantorioBluetooth
import SantorioCore

/// The radio of a command: an adapter of this machine, or a host among simulated demo devices.
struct CommandRadio: Sendable {
  private enum Source: Sendable {
    case adapter(BlueZAdapter)
    case host(SimulatedHost)
  }

  typealias Answering = @Sendable (PairingQuestion) async -> PairingAnswer

  /// How long bluetoothd may take to report the adapter's state.
  private static let timeout = Duration.seconds(10)

  private let choice: RadioChoice
  /// The clock of the devices.
  let clock: any Clock<Duration>
  /// The devices within the process, where the radio is simulated.
  let devices: DemoDevices?
  private let source: Source

  /// Opens the radio.
  ///
  /// - Parameters:
  ///   - choice: Which one.
  ///   - answering: Answers a device's pairing questions; by default no device is paired.
  init(_ choice: RadioChoice, answering: @escaping Answering = { _ in .reject }) {
    self.choice = choice
    switch choice {
    case .bluez(let adapter):
      source = .adapter(BlueZAdapter(adapter, answering: answering))
      clock = ContinuousClock()
      devices = nil
    case .simulated(let speed):
      let air = SimulatedRadioEnvironment.running(speed: speed)
      source = .host(air.makeHost(named: "Gateway"))
      clock = air.clock
      devices = DemoDevices(in: air)
    }
  }

  /// A host of a simulated radio environment, and nothing else of it.
  init(_ host: SimulatedHost) {
    choice = .simulated(speed: 1)
    source = .host(host)
    clock = host.air.clock
    devices = nil
  }

  /// Options for Core Bluetooth's managers.
  var managerOptions: [String: Any] {
    switch source {
    case .adapter(let adapter): adapter.managerOptions
    case .host(let host): host.managerOptions
    }
  }

  /// What pairs and reads over this radio, with a central of its own.
  ///
  /// - Parameters:
  ///   - session: Where readings are submitted, if anywhere.
  ///   - settings: The settings; the clock is replaced by the radio's.
  ///   - printer: Where readings are printed.
  /// - Returns: The runner, which has not used the radio yet.
  func runner(
    for session: SantorioSession?, settings: BluetoothSettings = .init(),
    printing printer: RecordPrinter
  ) -> DeviceRunner {
    var settings = settings
    settings.clock = clock
    return DeviceRunner(
      central: BluetoothCentral(managerOptions: managerOptions),
      receiver: BluetoothReceiver(session: session, settings: settings), session: session,
      printer: printer)
  }

  /// Returns when Bluetooth can be used.
  ///
  /// - Throws: ``RadioUnavailable`` when it cannot.
  func waitUntilOn() async throws(RadioUnavailable) {
    let state = await withTaskGroup(of: CBManagerState.self) { group in
      group.addTask { await settledState() }
      group.addTask {
        try? await Task.sleep(for: Self.timeout)
        return .unknown
      }
      defer { group.cancelAll() }
      return await group.next() ?? .unknown
    }
    guard state == .poweredOn else { throw RadioUnavailable(state: state, choice: choice) }
  }

  private func settledState() async -> CBManagerState {
    for await event in RadioListener.events(.stateOnly, managerOptions: managerOptions) {
      guard case .state(let state) = event, state != .unknown, state != .resetting else { continue }
      return state
    }
    return .unknown
  }
}

/// Why a radio cannot be used, and what to do.
struct RadioUnavailable: Error, CustomStringConvertible {
  let state: CBManagerState
  let choice: RadioChoice

  var description: String {
    "\(reason). \"santorio doctor\" shows what is missing and how to fix it."
  }

  private var reason: String {
    let adapter: String? = if case .bluez(let adapter) = choice { adapter } else { nil }
    switch state {
    case .poweredOff: return "\(adapter ?? "Bluetooth") is switched off"
    case .unauthorized: return "this user may not use Bluetooth"
    case .unsupported:
      return adapter.map { "there is no Bluetooth adapter \($0) that can be used" }
        ?? "this machine has no Bluetooth adapter that can be used"
    default: return "bluetoothd does not report the state of Bluetooth"
    }
  }
}
