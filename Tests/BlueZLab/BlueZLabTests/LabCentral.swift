// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

/// An app's central: it writes down what is reported to it and lets a test wait for it.
///
/// The waiting needs neither timeout nor luck: a condition is looked at again with each event, and
/// a clock ends it.
final class LabCentral: NSObject, @unchecked Sendable {
  /// What the manager or a peripheral has reported.
  struct Event {
    enum Kind {
      case state, restored, found, watched
      case connected, connectFailed, disconnected, name
      case services, servicesModified, characteristics, descriptors
      case value, descriptorValue, written, notifying, ready, rssi, channel
    }

    let kind: Kind
    var peripheral: CBPeripheral?
    var attribute: CBUUID?
    var value: Data?
    var error: (any Error)?
    var state = CBManagerState.unknown
    var advertisement: [String: Any] = [:]
    var rssi = 0
    var connection: CBConnectionEvent?
    var channel: CBL2CAPChannel?
    var peripherals: [CBPeripheral] = []
  }

  /// What did not happen in time.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// Where everything happens.
  let queue = DispatchQueue(label: "lab.central")
  private(set) var events: [Event] = []
  private var waits: [UUID: () -> Bool] = [:]
  /// The peripherals that somebody has to hold on to.
  private var peripherals: Set<CBPeripheral> = []
  private let options: [String: Any]?

  private(set) lazy var manager = CBCentralManager(delegate: self, queue: queue, options: options)

  init(_ options: [String: Any]? = nil) {
    self.options = options
    super.init()
    queue.sync { _ = manager }
  }

  /// A central that can be used.
  static func ready(_ options: [String: Any]? = nil) async throws -> LabCentral {
    let central = LabCentral(options)
    try await central.reaches(.poweredOn)
    return central
  }

  func note(_ event: Event) {
    for peripheral in event.peripherals + [event.peripheral].compactMap(\.self) {
      peripherals.insert(peripheral)
      peripheral.delegate = self
    }
    events.append(event)
    for (key, wait) in waits where wait() { waits[key] = nil }
  }

  // MARK: - Waiting

  /// Does something, and gives what the condition makes of the events since then.
  @discardableResult
  func wait<Value>(
    for what: String, _ limit: Duration = .seconds(20),
    after action: @escaping (CBCentralManager) -> Void = { _ in },
    _ condition: @escaping (ArraySlice<Event>) -> Value?
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let (start, key) = (events.count, UUID())
        action(manager)
        waits[key] = { [unowned self] in
          guard let value = condition(events[start...]) else { return false }
          continuation.resume(returning: value)
          return true
        }
        if waits[key]?() == true { waits[key] = nil }
        queue.asyncAfter(deadline: .now() + limit.seconds) { [weak self] in
          guard let self, waits.removeValue(forKey: key) != nil else { return }
          let came = events[start...].suffix(12).map { "\($0.kind)" }.joined(separator: ", ")
          let text = "no \(what) within \(limit); there came \(came.isEmpty ? "nothing" : came)"
          continuation.resume(throwing: Missing(description: text))
        }
      }
    }
  }

  /// Waits for an event of a kind.
  @discardableResult
  func wait(
    for kind: Event.Kind, of peripheral: CBPeripheral? = nil, _ limit: Duration = .seconds(20),
    after action: @escaping (CBCentralManager) -> Void = { _ in }
  ) async throws -> Event {
    try await wait(for: "\(kind)", limit, after: action) { events in
      events.first { $0.kind == kind && (peripheral == nil || $0.peripheral === peripheral) }
    }
  }

  /// Looks at something where nothing happens meanwhile.
  func look<Value>(_ body: @escaping (CBCentralManager) -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: body(manager)) }
    }
  }

  /// Lets the clock run and gives what was reported meanwhile.
  func listen(for duration: Duration) async -> [Event] {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        let start = events.count
        queue.asyncAfter(deadline: .now() + duration.seconds) { [self] in
          continuation.resume(returning: Array(events[start...]))
        }
      }
    }
  }

  // MARK: - What apps do first

  /// Waits until the manager is in a state.
  func reaches(_ state: CBManagerState, _ limit: Duration = .seconds(30)) async throws {
    try await wait(for: "state \(state)", limit) { [unowned self] _ in
      manager.state == state ? () : nil
    }
  }

  /// Scans until a device of the name shows up.
  func find(
    _ name: String, services: [CBUUID]? = nil, _ limit: Duration = .seconds(20)
  ) async throws -> Event {
    let found = try await wait(
      for: "\(name) on the air", limit, after: { $0.scanForPeripherals(withServices: services) }
    ) { events in
      events.first { $0.kind == .found && $0.peripheral?.name == name }
    }
    await look { $0.stopScan() }
    return found
  }

  /// Connects, without a look at the services.
  func connect(_ peripheral: CBPeripheral, _ limit: Duration = .seconds(20)) async throws {
    try await wait(for: "connection", limit, after: { $0.connect(peripheral) }) { events in
      events.first { $0.kind == .connected && $0.peripheral === peripheral }
    }
  }

  /// Ends a connection; true when that was reported without an error.
  func cancel(_ peripheral: CBPeripheral) async throws -> Bool {
    try await wait(
      for: .disconnected, of: peripheral, after: { $0.cancelPeripheralConnection(peripheral) }
    ).error == nil
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
