// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Testing

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Changes with BlueZ` {
  @Test func `a stream of notifications has no gap`() async throws {
    _ = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let ticking = try link.characteristic(3)

    let values = try await link.values(300, of: 3) { $0.setNotifyValue(true, for: ticking) }
    try await link.notify(false, 3)
    let later = await link.central.listen(for: .milliseconds(300))

    let numbers = values.map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
    #expect(numbers == Array(0..<numbers.count))
    #expect(LabLink.values(of: LabLink.uuid(3), from: link.peripheral, in: later) == [])
  }

  @Test func `ten equal notifications are ten`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())

    try await link.notify(true, 10)
    try await bench.ask("same")
    let values = try await link.central.wait(for: "ten values") { _ in
      let values = LabLink.values(
        of: LabLink.uuid(10), from: link.peripheral, in: link.central.events)
      return values.count >= 10 ? values : nil
    }
    let later = await link.central.listen(for: .milliseconds(300))

    #expect(values == Array(repeating: Data("same".utf8), count: 10))
    #expect(later.contains { $0.kind == .value } == false)
  }

  @Test func `reads and writes are reported once`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    try await link.notify(true, 8)
    try await link.notify(true, 11)

    let echo = try await link.values(1, of: 11) { peripheral in
      guard let characteristic = try? link.characteristic(11) else { return }
      peripheral.writeValue(Data("hello".utf8), for: characteristic, type: .withResponse)
    }
    let reading = Task { try await link.read(8) }
    try await bench.ask("wait", "slow-read")
    try await bench.ask("release")
    let read = try await reading.value
    let later = await link.central.listen(for: .milliseconds(300))

    #expect(echo == [Data("hello".utf8)])
    #expect(read == Data("slow".utf8))
    #expect(later.contains { $0.kind == .value } == false)
  }

  @Test func `a notification during a read of the same value is not lost`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    try await link.notify(true, 8)
    let start = await link.central.look { _ in link.central.events.count }

    let slow = try link.characteristic(8)
    await link.central.look { _ in link.peripheral.readValue(for: slow) }
    try await bench.ask("wait", "slow-read")
    for value in ["01", "02", "736c6f77"] { try await bench.ask("notify", value, "1", "8") }
    try await bench.ask("release")
    let values = try await link.central.wait(for: "four values") { _ in
      let values = LabLink.values(
        of: LabLink.uuid(8), from: link.peripheral, in: link.central.events[start...])
      return values.count >= 4 ? values : nil
    }
    let later = await link.central.listen(for: .milliseconds(300))

    // The device notifies 1, 2 and "slow", and then answers "slow".
    let text = Data("slow".utf8)
    #expect(values == [Data([1]), Data([2]), text, text])
    #expect(later.contains { $0.kind == .value } == false)
  }

  @Test func `indications come and are confirmed`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let indicated = try link.characteristic(7)

    let values = try await link.values(3, of: 7) { $0.setNotifyValue(true, for: indicated) }
    try await bench.ask("wait", "confirmed", "3")

    #expect(values == [Data([1]), Data([2]), Data([3])])
    #expect(indicated.isNotifying)
  }

  @Test func `two managers share a link and its values`() async throws {
    let bench = try await LabPeer.bench()
    let first = try await LabLink.open(with: try await LabCentral.ready())
    // A device that is connected advertises no more.
    let other = try await LabCentral.ready()
    let connected = await other.look {
      $0.retrieveConnectedPeripherals(withServices: [LabLink.bench])
    }
    let second = try await LabLink.open(try #require(connected.first), with: other)
    try await first.notify(true, 10)
    try await second.notify(true, 10)

    try await bench.ask("notify", "01")
    for link in [first, second] {
      try await link.central.wait(for: "a value") { _ in
        link.central.events.first { $0.value == Data([1]) }
      }
    }
    try await first.notify(false, 10)
    let value = try await second.values(1, of: 10) { _ in
      Task { try await bench.ask("notify", "02") }
    }
    #expect(try await first.central.cancel(first.peripheral))
    let last = try await second.values(1, of: 10) { _ in
      Task { try await bench.ask("notify", "03") }
    }

    #expect(value == [Data([2])])
    #expect(last == [Data([3])])
    let heard = await first.central.look { _ in first.central.events.compactMap(\.value) }
    #expect(heard == [Data([1])])
    #expect(second.peripheral.state == .connected)
    #expect(try await bench.count("connected") == 1)
  }

  @Test func `services are added and removed`() async throws {
    let bench = try await LabPeer.bench()
    // There is no link before the device has agreed to report changes.
    try await bench.ask("hesitate")
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let (central, peripheral) = (link.central, link.peripheral)
    let composition = CBUUID(string: "181B")
    let added = { (peripheral.services ?? []).first { $0.uuid == composition } }

    try await bench.ask("change")
    // Nobody reports services that are only added: it is looked for until it is there.
    try await central.wait(
      for: "the new service", after: { _ in peripheral.discoverServices(nil) }
    ) { events -> Void? in
      guard events.last?.kind == .services else { return nil }
      if added() != nil { return () }
      peripheral.discoverServices(nil)
      return nil
    }
    try await link.lookAround()
    let value = try await central.wait(for: .value) { _ in
      for characteristic in added()?.characteristics ?? [] {
        peripheral.readValue(for: characteristic)
      }
    }.value
    #expect(added()?.characteristics?.map(\.uuid.uuidString) == ["2A9B"])
    #expect(value == Data(count: 4))

    let start = await central.look { _ in central.events.count }
    try await bench.ask("remove-service")
    let modified = try await central.wait(for: "the loss of the service") { _ in
      central.events[start...].first { $0.kind == .servicesModified }
    }

    #expect(modified.attribute == composition)
    #expect(added() == nil)
    #expect(try await link.read(4) == Data(count: 12))
  }

  @Test func `services that change before connecting are up to date`() async throws {
    let bench = try await LabPeer.bench()
    try await bench.ask("forestall")
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let services = (link.peripheral.services ?? []).map(\.uuid.uuidString)

    #expect(services.contains("181B"))
    #expect(try await bench.count("changes-asked") == 1)
    #expect(try await bench.count("connected") == 2)
  }
}
