// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import Testing

@Suite struct `Device catalogue` {
  private func entry(
    _ id: Int = DeviceCatalogue.firstFreeNumber, services: [String] = ["FFA0"],
    names: [String] = [],
    drivers: [DriverModel] = [.thermometerProfile], timeout: Duration = .seconds(30),
    disabledReason: String? = nil
  ) -> DeviceModel {
    DeviceModel(
      id: id, type: .thermometer, manufacturer: "Acme", model: "T1", instructions: "Measure.",
      disabledReason: disabledReason, connectTimeout: timeout, readTimeout: timeout,
      advertisementFilter: AdvertisementFilter(services: services, namePrefixes: names),
      drivers: drivers)
  }

  private func driver(_ attribute: GATTAttribute) -> DriverModel {
    DriverModel(
      id: "test", name: "Test", required: [attribute], confidence: .documented, sources: [],
      make: DriverModel.thermometerProfile.make)
  }

  @Test func `lists registered devices among its own, in the order of their numbers`() throws {
    var catalogue = DeviceCatalogue.standard
    try catalogue.register(entry(DeviceCatalogue.firstFreeNumber + 1))
    try catalogue.register(entry())
    let numbers = catalogue.entries.map(\.id)
    #expect(numbers == numbers.sorted())
    #expect(numbers.suffix(2) == [1_000_000, 1_000_001])
    #expect(catalogue.supported(.thermometer).last?.id == 1_000_001)
    #expect(catalogue.entry(id: 1_000_000) == entry())
  }

  @Test(arguments: [
    ("FFA", "is not a UUID"), ("FFG0", "is not a UUID"), ("", "is not a UUID"),
    ("9B2A0001-51F0-4C1D-8E57-2C1B6D2F7A1", "is not a UUID"),
    ("9B2A0001+51F0-4C1D-8E57-2C1B6D2F7A10", "is not a UUID"), ("ＦＦＡ０", "is not a UUID"),
  ])
  func `rejects a UUID at which Core Bluetooth would trap`(uuid: String, fault: String) {
    var catalogue = DeviceCatalogue.standard
    for faulty in [
      entry(services: [uuid]), entry(drivers: [driver(GATTAttribute(uuid, "FFA1"))]),
      entry(drivers: [driver(GATTAttribute("FFA0", uuid))]),
    ] {
      let error = #expect(throws: DeviceRegistrationError.self) {
        try catalogue.register(faulty)
      }
      #expect(error?.description.contains(fault) == true)
      #expect(error?.id == 1_000_000)
    }
    #expect(catalogue == .standard)
  }

  @Test(arguments: ["FFA0", "0000ffa0", "9B2A0001-51F0-4C1D-8E57-2C1B6D2F7A10", "BA11F08C*"])
  func `takes each form of a service's UUID, and the beginning of one`(uuid: String) throws {
    var catalogue = DeviceCatalogue.standard
    try catalogue.register(entry(drivers: [driver(GATTAttribute(uuid, "FFA1"))]))
    #expect(catalogue.entries.count == DeviceCatalogue.standard.entries.count + 1)
  }

  @Test func `rejects what could not be found, not be read, or be mistaken for another`() throws {
    var catalogue = DeviceCatalogue.standard
    try catalogue.register(entry())
    for (faulty, fault) in [
      (entry(), "its number belongs to Acme T1 already"), (entry(2), "A&D UA-651BLE already"),
      (entry(999_999), "is reserved for this package"), (entry(-1), "is reserved"),
      (entry(1_000_001, services: []), "fits every device"),
      (entry(1_000_001, drivers: []), "neither a driver nor a broadcast"),
      (entry(1_000_001, timeout: .zero), "timeouts are not positive"),
      (entry(1_000_001, timeout: .seconds(Int64.max)), "longer than a day"),
      (entry(1_000_001, names: [""]), "an empty name fits every device"),
      (entry(1_000_001, drivers: [driver(GATTAttribute("FFA0", "FFA1*"))]), "is not a UUID"),
      (entry(1_000_001, services: ["FFA*"]), "is not a UUID"),
      (entry(1_000_001, disabledReason: "No."), "it is disabled"),
    ] {
      let error = #expect(throws: DeviceRegistrationError.self) {
        try catalogue.register(faulty)
      }
      #expect(error?.description.contains(fault) == true, "\(fault)")
    }
  }

  @Test(arguments: ["0000fff0-0000-1000-8000-00805f9b34fb", "0000FFF0", "fff0"])
  func `knows a UUID in each of its forms`(uuid: String) {
    #expect(GATTAttribute(uuid, uuid) == GATTAttribute("FFF0", "FFF0"))
    #expect(AdvertisementFilter(services: [uuid]).services == ["FFF0"])
    #expect(GATTAttribute("FFF0", "FFF1").matches(service: uuid, characteristic: "0000FFF1"))
  }

  @Test func `finds nothing wrong with the devices of this package`() {
    for entry in DeviceCatalogue.standard.supported {
      #expect(throws: Never.self, "\(entry.name)") { try entry.validate() }
    }
  }

  @Test(arguments: [
    (PeripheralType.weightScale, "Weight scale"), (.bloodPressure, "Blood pressure monitor"),
    (PeripheralType(rawValue: "peakFlowMeter"), "Peak flow meter"),
    (PeripheralType(rawValue: ""), ""),
  ])
  func `names each type of device for a user`(type: PeripheralType, name: String) {
    #expect(type.displayName == name)
  }

  @Test func `lists licensed devices as disabled until a plug-in enables them, once`() throws {
    var catalogue = DeviceCatalogue.standard
    for id in [32, 33, 51, 10_590] {
      let listed = try #require(catalogue.entry(id: id))
      #expect(listed.disabledReason?.contains("licensees only") == true)
      #expect(!catalogue.supported.contains(listed))
      let enabled = listed.enabled(
        recognizedBy: AdvertisementFilter(services: ["FFA0"]), drivers: [.glucoseProfile])
      try catalogue.register(enabled)
      #expect(catalogue.supported.contains { $0.id == id })
      #expect(throws: DeviceRegistrationError.self) { try catalogue.register(enabled) }
    }
  }

  @Test func `says since which version of the package a device can be read`() throws {
    let supported = DeviceCatalogue.standard.supported.map(\.version)
    #expect(supported.allSatisfy { $0?.wholeMatch(of: /\d+\.\d+\.\d+/) != nil })
    let disabled = DeviceCatalogue.standard.entries.filter(\.isDisabled)
    #expect(!disabled.isEmpty && disabled.allSatisfy { $0.version == nil })
    #expect(DeviceModel(id: 2)?.version == "0.1.0")

    var own = entry()
    #expect(own.version == nil)
    own.version = "7.0.0"
    #expect(own.version == "7.0.0")
  }

  /// What is advertised, how a device is paired, how long it is waited for, and which attributes a
  /// driver needs: to be changed on purpose only.
  ///
  /// `UPDATE=1` writes it down anew.
  @Test func `is as written down`() throws {
    let catalogue = DeviceCatalogue.standard.entries.map(\.line) + driverLines
    if ProcessInfo.processInfo.environment["UPDATE"] != nil {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/catalogue.txt")
      try Data((catalogue.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let copy = try #require(
      Bundle.module.url(forResource: "Fixtures/catalogue", withExtension: "txt"))
    let written = try String(contentsOf: copy, encoding: .utf8).split(separator: "\n")
    for (line, expected) in zip(catalogue, written) { #expect(line == expected) }
    #expect(catalogue.count == written.count)
  }

  private var driverLines: [String] {
    var lines: [String: String] = [:]
    for driver in DeviceCatalogue.standard.entries.flatMap(\.drivers) {
      lines[driver.id] = driver.line
    }
    return lines.keys.sorted().compactMap { lines[$0] }
  }
}

extension DeviceModel {
  fileprivate var line: String {
    let filter = advertisementFilter
    let names = filter.namePrefixes.joined(separator: ",")
    let companies = filter.companies.map { String($0, radix: 16) }.joined(separator: ",")
    return [
      "\(id) \(type.rawValue) \"\(name)\"", isDisabled ? "disabled" : nil,
      requiresPairing ? "bonds" : nil, appearsAfterMeasurement ? "appears after measuring" : nil,
      pairingInstructions == nil ? nil : "is paired by the user",
      "connect \(connectTimeout.components.seconds) s, read \(readTimeout.components.seconds) s",
      "services \(filter.services.joined(separator: ","))", names.isEmpty ? nil : "names \(names)",
      companies.isEmpty ? nil : "companies \(companies)",
      drivers.isEmpty ? nil : "drivers \(drivers.map(\.id).joined(separator: ","))",
      broadcast.map { "broadcast \($0.id)" }, authorization.map { "\($0)" },
    ]
    .compactMap(\.self).joined(separator: "; ")
  }
}

extension DriverModel {
  fileprivate var line: String {
    func list(_ attributes: [GATTAttribute]) -> String {
      attributes.map { "\($0.service)/\($0.characteristic)" }.joined(separator: " ")
    }
    return "\(id) \"\(name)\", \(confidence.rawValue): needs \(list(required)); "
      + "uses \(list(optional))"
  }
}
