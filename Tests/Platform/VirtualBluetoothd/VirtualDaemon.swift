// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SantorioDBus
import VirtualDevices

/// The objects of bluetoothd for one adapter, as bluetoothd 5.66 was recorded in the Bluetooth lab.
///
/// During a discovery each advertiser gets an object with its first advertisement, and a change of its
/// signal strength with each further one. After the discovery the strengths become invalid, and thirty
/// seconds later the objects of those are removed that were only heard. With a filter of services,
/// nothing is signalled of devices without them. One program at a time discovers.
final class VirtualDaemon: @unchecked Sendable {
  // Everything is used on `queue`.
  private static let service = "org.bluez"
  private static let attempt = DispatchTimeInterval.seconds(40)
  private static let temporary = DispatchTimeInterval.seconds(30)

  private let queue: DispatchQueue
  private let connection: DBusConnection
  private let adapter: DBusObject
  private var known: [DBusObject] = []
  private var strangers: [Stranger]
  private var devices: [Int: HealthDevice] = [:]
  private var publications: [DBusRegistration] = []
  private var timers: [any DispatchSourceTimer] = []
  private var endings: DBusRegistration?
  private var removal: DispatchWorkItem?
  private var nextStranger = 0
  private var nextStrength = 0
  private var isDiscovering = false
  /// The services of the discovery's filter; empty for all devices.
  private var services: Set<String> = []
  /// Advertisements to signal at once, with what follows each group of them.
  private var requests: [(count: Int, finish: @Sendable () -> Void)] = []

  private struct Stranger {
    let object: DBusObject
    var publication: DBusRegistration?
    var advertisements = 0
  }

  init(bus: DBusAddress, queue: DispatchQueue, known: Int, strangers: Int) throws {
    self.queue = queue
    connection = try DBusConnection.open(bus, queue: queue) { exit(0) }
    adapter = DBusObject(BlueZObjects.adapter, [])
    self.strangers = (0..<strangers).map { Stranger(object: BlueZObjects.stranger($0)) }
    self.known = (0..<known).map { number in
      BlueZObjects.known(
        number,
        methods: [
          "Connect": { [queue] call in
            queue.asyncAfter(deadline: .now() + Self.attempt) { call.fail(BlueZObjects.failed) }
          },
          "Disconnect": { $0.reply() },
        ])
    }
  }

  /// Publishes the objects and takes the name.
  func start(_ ready: @escaping @Sendable () -> Void) throws {
    let objects = [BlueZObjects.agentManager, adapterObject()] + known
    publications.append(try connection.publish(objects, root: "/"))
    let call = DBusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      .string(Self.service), .uint32(4))
    connection.call(call) { result in
      guard case .success = result else { exit(1) }
      ready()
    }
    noteEndedPrograms()
    repeated(every: .seconds(1)) { $0.advertiseDevices() }
    // Each stranger advertises in a moment of its own in the second.
    guard !strangers.isEmpty else { return }
    repeated(every: .microseconds(1_000_000 / strangers.count)) { $0.advertise() }
  }

  private func repeated(
    every interval: DispatchTimeInterval, _ body: @escaping @Sendable (VirtualDaemon) -> Void
  ) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: interval)
    timer.setEventHandler { [weak self] in self.map(body) }
    timer.resume()
    timers.append(timer)
  }

  /// The subscriptions of a program end with it.
  private func noteEndedPrograms() {
    endings = connection.match(
      sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged"
    ) { [weak self] signal in
      let names = signal.arguments.compactMap(\.string)
      guard let self, names.count == 3, names[0].hasPrefix(":"), names[2].isEmpty else { return }
      for device in devices.values { device.programEnded(names[0]) }
    }
  }

  private func adapterObject() -> DBusObject {
    BlueZObjects.adapter(methods: [
      "SetDiscoveryFilter": { [weak self] call in
        self?.services = Set(call.arguments.first?.properties?["UUIDs"]?.strings ?? [])
        call.reply()
      },
      "StartDiscovery": { [weak self] call in
        self?.startDiscovery()
        call.reply()
      },
      "StopDiscovery": { [weak self] call in
        self?.stopDiscovery()
        call.reply()
      },
      "RemoveDevice": { [weak self] call in
        let path = call.arguments.first?.string
        self?.devices.values.first { $0.path == path }?.remove()
        call.reply()
      },
    ])
  }

  // MARK: - Health devices

  subscript(number: Int) -> HealthDevice? { devices[number] }

  /// Adds a device that is asleep.
  func add(
    _ number: Int, _ model: VirtualDeviceModel,
    report: @escaping @Sendable (VirtualDeviceEvent) -> Void
  ) {
    devices[number] = HealthDevice(number, model, on: connection, report: report)
  }

  private func advertiseDevices() {
    guard isDiscovering else { return }
    // The lab's radio reports each advertisement with another strength.
    nextStrength = (nextStrength + 1) % 8
    for device in devices.values where services.isEmpty || device.advertises(services) {
      device.advertise(strength: Int16(-55 - nextStrength))
    }
  }

  private func startDiscovery() {
    isDiscovering = true
    removal?.cancel()
    removal = nil
    // After the answer of the call.
    queue.async {
      self.sayRequested()
      self.advertiseDevices()
    }
  }

  private func stopDiscovery() {
    isDiscovering = false
    services = []
    for stranger in strangers where stranger.publication != nil {
      stranger.object.remove("RSSI", of: BlueZObjects.device)
    }
    for device in devices.values { device.discoveryEnds() }
    guard removal == nil else { return }
    let removal = DispatchWorkItem { [weak self] in self?.forgetHeard() }
    self.removal = removal
    queue.asyncAfter(deadline: .now() + Self.temporary, execute: removal)
  }

  private func forgetHeard() {
    removal = nil
    for device in devices.values { device.forgetUnlessUsed() }
    for index in strangers.indices {
      strangers[index].publication?.cancel()
      strangers[index].publication = nil
    }
  }

  // MARK: - Advertisements

  /// Signals advertisements of strangers now.
  func say(_ count: Int, finish: @escaping @Sendable () -> Void) {
    requests.append((count, finish))
    sayRequested()
  }

  private func sayRequested() {
    guard isDiscovering else { return }
    for (count, finish) in requests {
      for _ in 0..<count { advertise() }
      let call = DBusCall(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
      connection.call(call) { _ in finish() }
    }
    requests = []
  }

  /// Signals an advertisement of the next stranger.
  private func advertise() {
    guard isDiscovering, services.isEmpty else { return }
    let index = nextStranger
    nextStranger = (nextStranger + 1) % strangers.count
    strangers[index].advertisements += 1
    // The lab's radio reports each advertisement with another strength.
    let strength = DBusValue.int16(
      Int16(-55 - (index + strangers[index].advertisements) % 8))
    strangers[index].object.set("RSSI", of: BlueZObjects.device, to: strength)
    guard strangers[index].publication == nil else { return }
    strangers[index].publication = try? connection.publish([strangers[index].object], root: "/")
  }
}
