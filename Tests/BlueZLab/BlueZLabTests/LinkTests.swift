// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation
import Testing

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Links with BlueZ` {
  @Test func `reads the signal strength of a link`() async throws {
    _ = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())

    let event = try await link.central.wait(for: .rssi) { _ in link.peripheral.readRSSI() }

    #expect(event.error == nil)
    // What the lab's controllers say of every link.
    #expect(event.rssi == -58)
  }

  @Test func `a connection is cancelled before it is made`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let peripheral = try #require(try await central.find("Lab bench").peripheral)
    try await bench.ask("silent")

    await central.look { $0.connect(peripheral) }
    #expect(try await central.cancel(peripheral))
    // The kernel gives the attempt up a moment after bluetoothd has answered, on a busy machine.
    _ = await central.listen(for: .seconds(1))
    try await bench.ask("advertise")
    let later = await central.listen(for: .seconds(2))
    #expect(later.contains { $0.kind == .connected } == false)
    #expect(peripheral.state == .disconnected)
    #expect(try await bench.count("connected") == 0)

    try await central.connect(peripheral)
    #expect(try await bench.count("connected") == 1)
  }

  @Test func `a connection is cancelled and made again at once`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)

    #expect(try await central.cancel(link.peripheral))
    #expect(link.peripheral.services == nil)
    let again = try await LabLink.open(link.peripheral, with: central)
    #expect(try await again.read(4) == Data(count: 12))
    #expect(try await bench.count("connected") == 2)
    #expect(try await central.cancel(link.peripheral))
    try await bench.ask("wait", "disconnected", "2")
  }

  @Test func `a device that disappears is lost, and found when it returns`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    let link = try await LabLink.open(with: central)
    let peripheral = link.peripheral

    for (goes, returns) in [
      (["stop", "bench"], ["peer", "bench", "bench", "--name", "Lab bench", "--address"]),
      (["ask", "air", "away"], ["ask", "air", "back"]),
    ] {
      let address = goes.first == "ask" ? [bench.address] : []
      let loss = try await central.wait(for: .disconnected, of: peripheral) { _ in
        Task { try await LabGuest.run(["lab"] + goes + address) }
      }
      #expect((loss.error as? CBError)?.code == .peripheralDisconnected)
      await central.look { $0.connect(peripheral) }
      try await LabGuest.run(["lab"] + returns + [bench.address])
      try await central.wait(for: "the connection") { _ in
        peripheral.state == .connected ? () : nil
      }
      let again = LabLink(central: central, peripheral: peripheral)
      try await again.lookAround()
      #expect(try await again.read(4) == Data(count: 12))
    }
  }

  @Test func `a request ends with the link`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let slow = try link.characteristic(8)

    let start = await link.central.look { _ in link.central.events.count }
    await link.central.look { _ in link.peripheral.readValue(for: slow) }
    try await bench.ask("wait", "slow-read")
    try await bench.ask("drop")
    let loss = try await link.central.wait(for: "the loss") { _ in
      link.central.events[start...].first { $0.kind == .disconnected }
    }
    let later = await link.central.listen(for: .milliseconds(300))

    #expect((loss.error as? CBError)?.code == .peripheralDisconnected)
    #expect(later.isEmpty)
    // The next connection begins with nothing open.
    let again = try await LabLink.open(link.peripheral, with: link.central)
    #expect(try await again.read(4) == Data(count: 12))
  }

  @Test func `known peripherals are found again without a scan`() async throws {
    let bench = try await LabPeer.bench()
    let first = try await LabCentral.ready()
    let link = try await LabLink.open(with: first)
    let identifier = link.peripheral.identifier
    try await first.wait(for: .disconnected) { _ in Task { try await bench.ask("drop") } }

    let second = try await LabCentral.ready()
    let known = await second.look {
      $0.retrievePeripherals(withIdentifiers: [UUID(), identifier])
    }
    #expect(known.map(\.identifier) == [identifier])
    let again = try await LabLink.open(try #require(known.first), with: second)
    #expect(again.peripheral.name == "Lab bench")
    #expect(try await again.read(4) == Data(count: 12))
  }

  @Test func `uses what another program has connected, beside it`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    await central.look {
      $0.registerForConnectionEvents(options: [.serviceUUIDs: [LabLink.bench]])
    }
    let program = try await LabPeer.otherProgram()

    let none = await central.look { $0.retrieveConnectedPeripherals(withServices: [LabLink.bench]) }
    try await program.ask("connect")
    try await program.ask("read", LabLink.uuid(4).uuidString)
    let found = await central.look {
      $0.retrieveConnectedPeripherals(withServices: [CBUUID(string: "1810"), LabLink.bench])
    }
    let link = try await LabLink.open(try #require(found.first), with: central)
    let ours = try await link.read(1)
    let theirs = try await program.ask("read", LabLink.uuid(1).uuidString)["value"] as? String

    #expect(none.isEmpty && found.count == 1)
    #expect(ours.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == theirs)
    let watched = await central.look { _ in central.events.compactMap(\.connection) }
    #expect(watched == [.peerConnected])
    #expect(try await bench.count("connected") == 1)
    // What the other program ends has ended here as well.
    let loss = try await central.wait(for: .disconnected) { _ in
      Task { try await program.ask("disconnect") }
    }
    #expect((loss.error as? CBError)?.code == .peripheralDisconnected)
    try await program.stop()
  }

  @Test func `a channel transfers 25 kilobytes both ways`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let opened = try await link.central.wait(for: .channel) { _ in
      link.peripheral.openL2CAPChannel(0x81)
    }
    let channel = try #require(opened.channel)
    let sent = Data((0..<25_600).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    async let echo = Self.inThread { Self.read(sent.count, from: channel.inputStream) }
    await Self.inThread { Self.write(sent, to: channel.outputStream) }

    #expect(await echo == sent)
    #expect(channel.psm == 0x81)
    #expect(try await bench.count("channel-opened") == 1)
    let refused = try await link.central.wait(for: .channel) { _ in
      link.peripheral.openL2CAPChannel(0x82)
    }
    #expect((refused.error as? CBError)?.code == .connectionFailed)
  }

  // MARK: - Streams, which wait

  private static func inThread<Value>(_ body: @escaping () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  private static func read(_ count: Int, from stream: InputStream) -> Data {
    stream.open()
    var (data, buffer) = (Data(), [UInt8](repeating: 0, count: 4_096))
    while data.count < count {
      let part = stream.read(&buffer, maxLength: buffer.count)
      guard part > 0 else { break }
      data += buffer.prefix(part)
    }
    return data
  }

  private static func write(_ data: Data, to stream: OutputStream) {
    stream.open()
    var rest = [UInt8](data)
    while !rest.isEmpty {
      let count = stream.write(rest, maxLength: rest.count)
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }
}

/// bluetoothd gives an attempt up after 40 seconds.
@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(2)))
struct `Timeout with BlueZ` {
  @Test func `a connection has no time limit`() async throws {
    let bench = try await LabPeer("stranger", "bench", "--name", "Stranger")
    let friend = try await LabPeer("friend", "thermometer", "--name", "Friend")
    let central = try await LabCentral.ready()
    let stranger = try #require(try await central.find("Stranger").peripheral)
    let bonded = try await LabLink.open("Friend", with: central)
    let temperature = try #require(
      bonded.peripheral.services?.flatMap { $0.characteristics ?? [] }
        .first { $0.uuid == CBUUID(string: "2A1C") })
    try await central.wait(for: .notifying) { _ in
      bonded.peripheral.setNotifyValue(true, for: temperature)
    }
    try await bench.ask("silent")
    try await friend.ask("silent")
    try await central.wait(for: .disconnected) { _ in Task { try await friend.ask("drop") } }

    await central.look {
      $0.connect(stranger)
      $0.connect(bonded.peripheral)
    }
    let meanwhile = await central.listen(for: .seconds(45))
    #expect(meanwhile.isEmpty)
    try await friend.ask("advertise")
    try await central.wait(for: "the friend") { _ in
      bonded.peripheral.state == .connected ? () : nil
    }
    try await bench.ask("advertise")
    try await central.wait(for: "the stranger") { _ in stranger.state == .connected ? () : nil }

    #expect(try await friend.count("connected") == 2)
    #expect(try await friend.count("paired") == 1)
    #expect(try await bench.count("connected") == 1)
    // bluetoothd does not connect by itself to what is not wanted any more.
    #expect(try await central.cancel(bonded.peripheral))
    try await friend.ask("wait", "disconnected", "2")
    _ = await central.listen(for: .seconds(2))
    #expect(try await friend.count("connected") == 2)
  }
}
