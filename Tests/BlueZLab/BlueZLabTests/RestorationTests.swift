// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation
import Testing

private let names = ["first", "second"]

private func options(_ name: String) -> [String: Any] {
  [CBCentralManagerOptionRestoreIdentifierKey: "lab." + name]
}

/// What a process has in hand when it ends.
///
/// The scenario runs this suite, and then the other one in a process of its own.
@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Before the end of a process` {
  /// Managers that go would end their connections.
  private nonisolated(unsafe) static var kept: [LabCentral] = []

  @Test func `two managers have a connection, one waits for another, one scans`() async throws {
    let bench = try await LabPeer.bench()
    let friend = try await LabPeer("friend", "glucose", "--name", "Friend")
    _ = try await LabPeer("thermometer", "thermometer", "--name", "Thermometer", "--silent")
    let first = try await LabCentral.ready(options("first"))
    let second = try await LabCentral.ready(options("second"))
    let scanning = try await LabCentral.ready(options("scanning"))
    Self.kept = [first, second, scanning]

    let link = try await LabLink.open(with: first)
    let shared = await second.look {
      $0.retrievePeripherals(withIdentifiers: [link.peripheral.identifier])
    }
    let other = try await LabLink.open(try #require(shared.first), with: second)
    try await link.notify(true, 10)
    try await other.notify(true, 10)
    let pending = try #require(try await first.find("Friend").peripheral)
    try await friend.ask("silent")
    await first.look { $0.connect(pending) }
    await scanning.look { $0.scanForPeripherals(withServices: [CBUUID(string: "1809")]) }
    // The scan ends nothing of this.
    try await bench.ask("notify", "01")
    for central in [first, second] {
      try await central.wait(for: "a value") { _ in
        central.events.first { $0.value == Data([1]) }
      }
    }

    #expect(pending.state == .connecting)
    #expect(try await bench.count("connected") == 1)
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `After the start of the next process` {
  /// The queue of the manager that scanned.
  private nonisolated(unsafe) static var scanning: DispatchQueue?

  @Test func `everything continues`() async throws {
    let (bench, friend) = (LabPeer(running: "bench"), LabPeer(running: "friend"))
    let centrals = names.map { LabCentral(options($0)) }
    for central in centrals {
      let restored = try await central.wait(for: "the restored state") { _ in
        central.events.first { $0.kind == .restored }
      }
      try await central.reaches(.poweredOn)
      let first = await central.look { _ in central.events.prefix(2).map(\.kind) }
      #expect(first == [.restored, .state])
      let peripheral = try #require(restored.peripherals.first { $0.name == "Lab bench" })
      #expect(peripheral.state == .connected)
      let link = LabLink(central: central, peripheral: peripheral)
      #expect(try link.characteristic(10).isNotifying)
      #expect(try link.characteristic(3).isNotifying == false)
      #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 514)
      #expect(try await link.read(4) == Data(count: 12))
    }
    let pending = await centrals[0].look { _ in
      centrals[0].events.flatMap(\.peripherals).first { $0.name == "Friend" }
    }
    #expect(pending?.state == .connecting)

    // The subscription is there at the latest when a request after it has been answered.
    try await bench.ask("notify", "02")
    for central in centrals {
      try await central.wait(for: "a value") { _ in
        central.events.first { $0.value == Data([2]) }
      }
    }
    try await centrals[0].wait(for: .connected, of: pending) { _ in
      Task { try await friend.ask("advertise") }
    }

    #expect(try await bench.count("connected") == 1)
    #expect(try await friend.count("connected") == 1)
  }

  @Test func `a scan continues`() async throws {
    try await LabPeer(running: "thermometer").ask("advertise")
    let central = LabCentral(options("scanning"))
    Self.scanning = central.queue

    let restored = try await central.wait(for: "the restored state") { _ in
      central.events.first { $0.kind == .restored }
    }
    let found = try await central.wait(for: "the thermometer") { _ in
      central.events.first { $0.kind == .found }
    }

    #expect(
      restored.advertisement[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID]
        == [CBUUID(string: "1809")])
    #expect(found.peripheral?.name == "Thermometer")
    #expect(await central.look(\.isScanning))
  }

  @Test func `nothing is restored twice`() async throws {
    // The managers of the tests before have gone, and ended what they had: the last block of the
    // queue held the manager that scanned.
    await withCheckedContinuation { done in Self.scanning?.async { done.resume() } ?? done.resume()
    }
    let central = try await LabCentral.ready(options("scanning"))

    let kinds = await central.look { _ in central.events.map(\.kind) }
    #expect(kinds == [.state])
  }
}
