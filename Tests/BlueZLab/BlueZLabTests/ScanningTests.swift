// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Testing

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Scanning with BlueZ` {
  private let battery = CBUUID(string: "180F")

  @Test func `shows what the device advertises and answers to scanners`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()

    let found = try await central.wait(
      for: "scan response", after: { $0.scanForPeripherals(withServices: [LabLink.bench]) }
    ) { events in
      events.first { $0.advertisement[CBAdvertisementDataServiceDataKey] != nil }
    }

    let data = found.advertisement
    #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Lab bench")
    #expect(data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [LabLink.bench])
    #expect(
      data[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0xFF, 0xFF, 0x01, 0x05]))
    #expect(
      data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] == [battery: Data([0x57])])
    #expect(data[CBAdvertisementDataTxPowerLevelKey] as? Int == -8)
    #expect(found.peripheral?.name == "Lab bench")
    #expect((-64 ... -52).contains(found.rssi))
  }

  @Test func `reports only devices with a requested service`() async throws {
    _ = try await LabPeer.bench()
    let thermometer = try await LabPeer(
      "thermometer", "thermometer", "--name", "Thermometer")
    let central = try await LabCentral.ready()

    let found = try await central.find(
      "Thermometer", services: [CBUUID(string: "1809"), CBUUID(string: "1810")])
    let seen = await central.look { _ in central.events.compactMap(\.peripheral?.name) }
    // The bench was on the air all the time, as a scan for everything shows.
    let other = try await central.find("Lab bench")

    #expect(Set(seen) == ["Thermometer"])
    #expect(
      found.advertisement[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        == [CBUUID(string: "1809")])
    #expect(other.peripheral?.identifier != found.peripheral?.identifier)
    try await thermometer.stop()
  }

  @Test func `reports a device once, or with every packet on request`() async throws {
    _ = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    func scan(_ options: [String: Any]?, for duration: Duration) async throws -> Int {
      try await central.wait(
        for: .found,
        after: { $0.scanForPeripherals(withServices: [LabLink.bench], options: options) })
      let later = await central.listen(for: duration)
      await central.look { $0.stopScan() }
      return 1 + later.count { $0.kind == .found }
    }

    let once = try await scan(nil, for: .seconds(2))
    let always = try await scan(
      [CBCentralManagerScanOptionAllowDuplicatesKey: true], for: .seconds(2))
    let again = try await scan(nil, for: .seconds(1))
    let afterwards = await central.listen(for: .milliseconds(500))

    // Twice when the scan response comes after the first report.
    #expect((1...2).contains(once))
    // The controller passes an advertisement on every half a second, as real ones do now and then.
    #expect(always >= 4)
    #expect((1...2).contains(again))
    #expect(afterwards.contains { $0.kind == .found } == false)
  }

  @Test func `two managers scan independently`() async throws {
    _ = try await LabPeer.bench()
    let thermometer = try await LabPeer(
      "thermometer", "thermometer", "--name", "Thermometer")
    let (first, second) = (try await LabCentral.ready(), try await LabCentral.ready())

    try await first.wait(
      for: .found, after: { $0.scanForPeripherals(withServices: [LabLink.bench]) })
    try await second.wait(
      for: .found, after: { $0.scanForPeripherals(withServices: [CBUUID(string: "1809")]) })
    // The end of one scan leaves the other alone.
    await first.look { $0.stopScan() }
    try await thermometer.ask("silent")
    let third = try await LabPeer(
      "other", "thermometer", "--name", "Other")
    try await second.wait(for: "the other thermometer") { _ in
      second.events.first { $0.peripheral?.name == "Other" }
    }

    let names = { (central: LabCentral) in Set(central.events.compactMap(\.peripheral?.name)) }
    #expect(await first.look { _ in names(first) } == ["Lab bench"])
    #expect(await second.look { _ in names(second) } == ["Thermometer", "Other"])
    try await thermometer.stop()
    try await third.stop()
  }

  @Test func `reports what another program has found already`() async throws {
    _ = try await LabPeer.bench()
    let program = try await LabPeer.otherProgram()
    let central = try await LabCentral.ready()

    let first = try await central.find("Lab bench", .seconds(2))
    let second = try await central.find("Lab bench", services: [LabLink.bench])

    #expect(first.peripheral === second.peripheral)
    try await program.stop()
  }

  @Test func `another program's scan continues when this one ends`() async throws {
    let bench = try await LabPeer.bench()
    let central = try await LabCentral.ready()
    _ = try await central.find("Lab bench")
    let program = try await LabPeer.otherProgram()
    try await bench.ask("silent")
    let thermometer = try await LabPeer(
      "thermometer", "thermometer", "--name", "Thermometer")

    _ = try await central.find("Thermometer")
    let answer = try await program.ask("discovering")

    #expect(answer["discovering"] as? Bool == true)
    try await program.stop()
    try await thermometer.stop()
  }

  @Test func `a peripheral keeps its identifier`() async throws {
    _ = try await LabPeer.bench()
    let (first, second) = (try await LabCentral.ready(), try await LabCentral.ready())

    let peripheral = try await first.find("Lab bench").peripheral
    let other = try await second.find("Lab bench").peripheral
    try await LabGuest.lab("bluetoothd", "restart")
    try await first.reaches(.poweredOn)
    let later = try await first.find("Lab bench").peripheral

    #expect(peripheral !== other)
    #expect(peripheral?.identifier == other?.identifier)
    #expect(peripheral?.identifier == later?.identifier)
  }
}
