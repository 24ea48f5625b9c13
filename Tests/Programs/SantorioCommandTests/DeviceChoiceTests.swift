// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import SantorioBluetooth
import Testing

@testable import santorio

@Suite struct `Choice of a device` {
  @Test(arguments: ["2", "UA-651BLE", "ua-651ble", "A&D UA-651BLE"])
  func `knows an entry of the catalogue by number and model`(text: String) throws {
    #expect(try DeviceChoice(text, for: "read") == .entry(.aAndDUA651BLE))
  }

  @Test func `treats other text as an identifier or a name`() throws {
    let identifier = try #require(UUID(uuidString: "70B15C5C-B31D-48F2-A8A9-8A308E1F0A56"))
    #expect(
      try DeviceChoice("70b15c5c-b31d-48f2-a8a9-8a308e1f0a56", for: "read")
        == .identifier(identifier))
    #expect(try DeviceChoice("BM54", for: "read") == .name("BM54"))
    #expect(throws: UsageError.self) { try DeviceChoice("4711", for: "read") }
    #expect(throws: UsageError.self) { try DeviceChoice("", for: "read") }
  }

  @Test func `says why a device of the catalogue cannot be read`() {
    let error = #expect(throws: UsageError.self) {
      try DeviceChoice("roche coaguchek", for: "read")
    }
    #expect(error?.message.hasPrefix("Roche CoaguChek cannot be read. ") == true)
  }

  @Test func `searches for entries or for single devices`() {
    let (first, second) = (UUID(), UUID())
    let single = DeviceTargets([.identifier(first), .identifier(second)])
    #expect(single.peripherals == DeviceModel.supported)
    #expect(single.identifiers == [first, second])
    let entries = DeviceTargets([.entry(.genericBloodPressure)])
    #expect(entries.peripherals == [.genericBloodPressure])
    #expect(entries.identifiers == nil)
    #expect(DeviceTargets([.any]).peripherals == DeviceModel.supported)
  }

  @Test func `resolves enrolled devices to the paired ones`() throws {
    let (first, second) = (UUID(), UUID())
    #expect(DeviceTargets([.enrolled], enrolled: []) == nil)
    let targets = try #require(DeviceTargets([.enrolled], enrolled: [first, second]))
    #expect(targets.identifiers == [first, second])
    #expect(targets.hasMore(than: [first]))
    #expect(!targets.hasMore(than: [first, second]))
    // Whoever names devices, or wants any, is not restricted to those that are enrolled.
    #expect(DeviceTargets([.any], enrolled: [first])?.identifiers == nil)
    #expect(DeviceTargets([.identifier(second)], enrolled: [first])?.identifiers == [second])
  }

  @Test(arguments: [
    ([], RadioChoice.bluez(adapter: nil)), (["--radio", "bluez"], .bluez(adapter: nil)),
    (["--radio", "bluez:hci1"], .bluez(adapter: "hci1")),
    (["--radio=bluez:00:1a:7d:da:71:13"], .bluez(adapter: "00:1A:7D:DA:71:13")),
    (["--radio", "simulated"], .simulated(speed: 1)),
    (["--radio", "simulated:2.5"], .simulated(speed: 2.5)),
  ])
  func `parses a radio`(words: [String], choice: RadioChoice) throws {
    #expect(try RadioChoice(Arguments(parsing: words, for: .scan)) == choice)
  }

  @Test func `is parsed on many threads at once`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<8 {
        group.addTask {
          for index in 0..<300 {
            let words = (0..<caller).map { "word\($0)" } + ["--radio", "bluez:hci\(caller)"]
            let arguments = try Arguments(parsing: words + ["\(index)"], for: .scan)
            try #require(arguments["radio"] == "bluez:hci\(caller)")
            try #require(arguments.operands == words.dropLast(2) + ["\(index)"])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [
    "", "bluez:", "bluez:00:1A:7D:DA:71", "bluez:hci", "simulated:", "simulated:0",
    "simulated:nan", "usb",
  ])
  func `rejects invalid radios`(text: String) {
    #expect(throws: UsageError.self) {
      try RadioChoice(Arguments(parsing: ["--radio", text], for: .scan))
    }
  }
}

@Suite struct `Scanned devices` {
  private let identifier = UUID()

  private func discovered(
    _ name: String?, _ rssi: Int?, _ services: [AdvertisedService] = []
  ) -> RadioListener.DiscoveredDevice {
    discovered(identifier, name, rssi, services)
  }

  private func discovered(
    _ identifier: UUID, _ name: String?, _ rssi: Int?, _ services: [AdvertisedService]
  ) -> RadioListener.DiscoveredDevice {
    .init(
      identifier: identifier, name: name, rssi: rssi, services: services,
      advertisement: Advertisement(name: name, services: services.map(\.uuid)))
  }

  private let pressure = AdvertisedService(uuid: "1810", name: "Blood Pressure")
  private let vendor = AdvertisedService(uuid: "FE4A", name: nil)

  @Test func `report new data, but not each change of the signal`() {
    var devices = ScannedDevices()

    let first = devices.discovered(discovered(nil, -60, [pressure]))
    #expect(first?.name == nil)
    #expect(first?.peripheral?.id == 3000)
    #expect(devices.discovered(discovered(nil, -70)) == nil)
    #expect(devices.all.map(\.rssi) == [-70])
    let named = devices.discovered(discovered("A&D_UA-651BLE_1", nil, [vendor]))
    #expect(named?.name == "A&D_UA-651BLE_1")
    #expect(named?.rssi == -70)
    #expect(named?.services == [pressure, vendor])
    #expect(named?.peripheral?.id == 2)
    #expect(devices.discovered(discovered(nil, -70, [pressure, vendor])) == nil)
    #expect(devices.all.count == 1)
  }

  @Test func `are written as JSON, whatever is in a name`() {
    var devices = ScannedDevices()
    let device = devices.discovered(discovered("a\"\u{1B}[2J", nil, [vendor]))
    #expect(
      device?.json == """
        {"identifier":"\(identifier)","name":"a\\"\\u001b[2J","rssi":null,\
        "services":[{"uuid":"FE4A","name":null}],"catalogue":null}
        """)
  }

  @Test func `are listed with the strongest signal first, cut to the terminal`() {
    var devices = ScannedDevices()
    for (name, rssi) in [("far", -90), ("near", -40), ("unmeasured", nil), ("middle", -60)] {
      _ = devices.discovered(discovered(UUID(), name, rssi, [pressure]))
    }

    let all = ScanTable.lines(devices.all, columns: 200, rows: 24)
    #expect(
      all.dropFirst().map { $0.dropFirst(6).prefix { $0 != " " } } == [
        "near", "middle", "far", "unmeasured",
      ])
    #expect(all.last?.hasPrefix("   –  unmeasured") == true)
    let few = ScanTable.lines(devices.all, columns: 12, rows: 5)
    #expect(few == ["RSSI  NAME  ", " -40  near  ", " -60  middle", "… and 2 more"])
  }

  @Test func `contain no terminal control characters`() {
    #expect("BM\u{1B}[31m54\u{9B}\n\u{202E}x".printable == "BM·[31m54··" + "·x")
    #expect("Måler Ø 血圧".printable == "Måler Ø 血圧")
  }
}
