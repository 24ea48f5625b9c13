// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation
import Testing

/// What goes wrong below a central; in the end everything works again.
@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Crashes of bluetoothd` {
  @Test func `while idle`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()

    let states = try await central.states { try await LabGuest.lab("bluetoothd", "restart") }

    #expect(states == [.resetting, .poweredOn])
    try await central.works()
  }

  @Test func `in a scan`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    try await central.wait(for: .found, after: { $0.scanForPeripherals(withServices: nil) })

    let states = try await central.states { try await LabGuest.lab("bluetoothd", "restart") }
    let later = await central.listen(for: .seconds(1))

    #expect(states == [.resetting, .poweredOn])
    // As on iOS a scan ends with the state, and is to be asked for again.
    #expect(await central.look(\.isScanning) == false)
    #expect(later.contains { $0.kind == .found } == false)
    try await central.works()
  }

  @Test func `while it connects`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let peripheral = try #require(try await central.find("Lab bench").peripheral)
    try await bench.ask("silent")
    await central.look { $0.connect(peripheral) }

    let states = try await central.states { try await LabGuest.lab("bluetoothd", "restart") }
    #expect(states == [.resetting, .poweredOn])
    #expect(peripheral.state == .disconnected)
    try await bench.ask("advertise")
    let later = await central.listen(for: .seconds(2))

    #expect(later.contains { $0.kind == .connected } == false)
    #expect(try await bench.count("connected") == 0)
    try await central.works()
  }

  @Test func `in a request`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)
    try await link.notify(true, 3)
    let slow = try link.characteristic(8)
    await central.look { _ in link.peripheral.readValue(for: slow) }
    try await bench.ask("wait", "slow-read")

    let states = try await central.states { try await LabGuest.lab("bluetoothd", "restart") }
    #expect(states == [.resetting, .poweredOn])
    #expect(link.peripheral.state == .disconnected)
    #expect(link.peripheral.services == nil)
    // What was open ended with the state, without a word of its own, and nothing comes after.
    let end = await central.look { _ in central.events.lastIndex { $0.kind == .state } ?? 0 }
    try await bench.ask("release")
    let later = await central.look { _ in central.events[end...].map(\.kind) }
    #expect(later == [.state])

    let identifier = link.peripheral.identifier
    let known = await central.look {
      $0.retrievePeripherals(withIdentifiers: [identifier])
    }
    let again = try await LabLink.open(try #require(known.first), with: central)
    #expect(try await again.read(1).count == 512)
    _ = try await again.values(5, of: 3) { peripheral in
      guard let ticking = try? again.characteristic(3) else { return }
      peripheral.setNotifyValue(true, for: ticking)
    }
  }

  @Test func `again and again`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    for _ in 0..<3 {
      let states = try await central.states { try await LabGuest.lab("bluetoothd", "restart") }
      #expect(states == [.resetting, .poweredOn])
    }
    try await central.works()
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Faults below bluetoothd` {
  @Test func `the adapter is unplugged and comes back`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)

    try await LabGuest.lab("adapter", "unplug", "0")
    try await central.reaches(.unsupported)
    #expect(link.peripheral.state == .disconnected)
    let states = try await central.states { try await LabGuest.lab("adapter", "plug", "0") }

    #expect(states.last == .poweredOn)
    #expect(Set(states).isSubset(of: [.poweredOff, .poweredOn]))
    try await bench.ask("wait", "disconnected")
    try await central.works()
  }

  @Test func `all radios are switched off, and on`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)

    try await LabGuest.lab("rfkill", "block")
    try await central.reaches(.poweredOff)
    #expect(link.peripheral.state == .disconnected)
    let states = try await central.states { try await LabGuest.lab("rfkill", "unblock") }

    #expect(states == [.poweredOn])
    try await central.works()
  }

  @Test func `another program switches the adapter off, and on`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)
    let start = await central.look { _ in central.events.count }

    try await LabGuest.run(["bluetoothctl", "power", "off"])
    try await central.reaches(.poweredOff)
    let end = await central.look { _ in central.events[start...].map(\.kind) }
    let states = try await central.states {
      try await LabGuest.run(["bluetoothctl", "power", "on"])
    }

    // The state says it all: the loss of the link is not reported as well.
    #expect(end == [.state])
    #expect(states == [.poweredOn])
    #expect(link.peripheral.state == .disconnected)
    try await central.works()
  }

  @Test func `the bus is stopped and started again`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)

    try await LabGuest.lab("stop", "bus")
    try await central.reaches(.resetting)
    #expect(link.peripheral.state == .disconnected)
    // However long it takes, in which it is looked for again and again.
    #expect(await central.listen(for: .seconds(4)).isEmpty)
    try await LabGuest.lab("bluetoothd", "kill")
    try await LabGuest.lab("bus")
    let states = try await central.states { try await LabGuest.lab("bluetoothd", "start") }

    #expect(states == [.poweredOn])
    try await central.works()
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(3)))
struct `A kernel that makes no connections` {
  @Test func `the adapter is restarted when a device in sight is not connected`() async throws {
    let given = try await LabPeer("given", "bench", "--name", "Given up")
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let peripheral = try #require(try await central.find("Given up").peripheral)
    let other = try #require(try await central.find("Lab bench").peripheral)
    while try await !central.givesUpTooEarly(peripheral) {}
    try await given.ask("wait", "connected")

    let states = try await central.states {
      await central.look { $0.connect(other) }
      try await central.reaches(.resetting, .seconds(90))
    }

    #expect(states == [.resetting, .poweredOn])
    #expect(other.state == .disconnected)
    try await central.works()
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Late starts of bluetoothd` {
  /// The scenario has started a bus, and nothing on it.
  @Test func `a central waits for bluetoothd`() async throws {
    let central = LabCentral()
    try await central.reaches(.unsupported)

    let states = try await central.states { try await LabGuest.lab("bluetoothd", "start") }

    #expect(states.last == .poweredOn)
    _ = try await LabPeer.bench()
    try await central.works()
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Missing permission for bluetoothd` {
  /// The scenario has forbidden everybody to talk to bluetoothd.
  @Test func `a central is unauthorized until it is allowed`() async throws {
    _ = try await LabPeer.bench()
    let central = LabCentral()
    try await central.reaches(.unauthorized)
    #expect(await central.look(\.authorization) == .denied)

    try await LabGuest.run(["rm", "/etc/dbus-1/system.d/forbidden.conf"])
    try await LabGuest.run(["busctl", "call"] + Self.reload)
    let states = try await central.states { try await LabGuest.lab("bluetoothd", "restart") }

    #expect(states.last == .poweredOn)
    try await central.works()
  }

  private static let reload = [
    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig",
  ]
}

extension LabCentral {
  /// The states that are reported while something is done, until the manager can be used again.
  fileprivate func states(_ body: () async throws -> Void) async throws -> [CBManagerState] {
    let start = await look { [self] _ in events.count }
    try await body()
    try await wait(for: "the state poweredOn") { [self] _ in
      events[start...].last { $0.kind == .state }?.state == .poweredOn ? () : nil
    }
    return await look { [self] _ in events[start...].filter { $0.kind == .state }.map(\.state) }
  }

  /// Gives a connection up while the kernel stops scanning, to ask the controller for it then.
  ///
  /// Linux 6.1 asks for it all the same, keeps what comes of it, and makes no other connection.
  ///
  /// - Returns: Whether it was given up in time.
  fileprivate func givesUpTooEarly(_ peripheral: CBPeripheral) async throws -> Bool {
    let air = LabPeer(running: "air")
    try await LabGuest.lab("slow", "0")
    await look { $0.connect(peripheral) }
    while (try? await air.ask("stopping", "0")) == nil {}
    guard try await cancel(peripheral) else { return false }
    while (try? await air.ask("stopping", "0")) != nil {}
    return (try? await air.ask("refused", "0")) != nil
  }

  /// Finds the bench, connects, and reads.
  fileprivate func works() async throws {
    let link = try await LabLink.open(with: self)
    let value = try await link.read(1)
    #expect(value.count == 512)
  }
}
