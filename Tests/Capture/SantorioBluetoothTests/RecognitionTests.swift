// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing
import VirtualDevices

@testable import SantorioBluetooth

extension BluetoothPeripheral {
  /// An entry of the tests that is recognised by a rule.
  fileprivate static func entry(
    _ id: Int, _ recognition: Recognition, _ drivers: [DriverModel] = [.pulseOximeterSpotCheck]
  ) -> BluetoothPeripheral {
    BluetoothPeripheral(
      id: id, type: .pulseOximeter, manufacturer: "", model: "\(id)", instructions: "",
      connectTimeout: .seconds(1), readTimeout: .seconds(1), recognition: recognition,
      drivers: drivers)
  }
}

@Suite struct `Recognition of devices` {
  private let named = BluetoothPeripheral.entry(
    1, Recognition(services: [], namePrefixes: ["Oximeter"]), [.jks50f])
  private let served = BluetoothPeripheral.entry(2, Recognition(services: ["1822"]))
  private let both = BluetoothPeripheral.entry(
    3, Recognition(services: ["1822"], namePrefixes: ["Oxi"]))

  private func best(
    of candidates: [BluetoothPeripheral], _ name: String?, _ services: [String]
  ) -> Int? {
    BluetoothPeripheral.best(
      of: candidates, for: Advertisement(name: name, services: services))?.id
  }

  @Test func `prefers a service to a name, and both to a service`() {
    #expect(best(of: [named, served], "OXIMETER 12", ["1822"]) == 2)
    #expect(best(of: [served, named], "OXIMETER 12", ["1822"]) == 2)
    #expect(best(of: [named, served, both], "OXIMETER 12", ["1822"]) == 3)
    #expect(best(of: [named, served, both], "SpO2", ["1822"]) == 2)
  }

  @Test func `takes a device without a service by its name`() {
    #expect(best(of: [named, served, both], "Oximeter", []) == 1)
    #expect(best(of: [named, served, both], nil, []) == nil)
    // A service that tells nothing of what is measured.
    #expect(best(of: [named, served, both], "Oximeter", ["180A"]) == 1)
  }

  @Test(arguments: ["1808", "1809", "180D", "1810", "181B", "181D", "181F", "1822"])
  func `does not take by its name what measures in another way`(service: String) {
    #expect(best(of: [named], "Oximeter", [service]) == nil)
    let data = Advertisement(name: "Oximeter", serviceData: [service: [0]])
    #expect(BluetoothPeripheral.best(of: [named], for: data) == nil)
  }

  @Test func `takes by its name what measures as its protocol does`() {
    let profile = BluetoothPeripheral.entry(
      4, Recognition(services: [], namePrefixes: ["Ox"]), [.pulseOximeterSpotCheck])
    #expect(best(of: [profile], "Oximeter", ["1822"]) == 4)
    #expect(best(of: [served, profile], "Oximeter", ["1822"]) == 4)
    #expect(best(of: [profile], "Oximeter", ["1810"]) == nil)
  }

  @Test func `prefers the longer name, and of equals the first`() {
    let longer = BluetoothPeripheral.entry(
      5, Recognition(services: ["1822"], namePrefixes: ["O", "Oxim", "Oxim3"]))
    #expect(best(of: [both, longer], "OXIMETER", ["1822"]) == 5)
    #expect(best(of: [longer, both], "OXIMETER", ["1822"]) == 5)
    let same = BluetoothPeripheral.entry(
      6, Recognition(services: ["1822"], namePrefixes: ["oxi"]))
    #expect(best(of: [both, same], "OXIMETER", ["1822"]) == 3)
    #expect(best(of: [same, both], "OXIMETER", ["1822"]) == 6)
  }

  @Test func `prefers a known maker`() {
    let maker = BluetoothPeripheral.entry(7, Recognition(services: ["1822"], companies: [0x0102]))
    let advertisement = Advertisement(services: ["1822"], manufacturerData: [0x02, 0x01, 9])
    #expect(BluetoothPeripheral.best(of: [served, maker], for: advertisement)?.id == 7)
    #expect(best(of: [maker], nil, ["1822"]) == nil)
  }

  @Test func `knows a service whose end is the device's own`() {
    let service = "BA11F08C-5F14-0B0D-1080-007CBE238851"
    #expect(best(of: BluetoothPeripheral.supported, "iChoice", [service]) == 25)
    #expect(best(of: BluetoothPeripheral.supported, "iChoice", []) == 25)
  }

  @Test(arguments: VirtualDeviceModel.all)
  func `finds the entry of every virtual device`(model: VirtualDeviceModel) {
    let broadcast = model.make(VirtualClock()).broadcast
    // What a device broadcasts while it is measured with says the rest.
    guard broadcast == nil else { return }
    #expect(
      best(of: BluetoothPeripheral.supported, model.advertisedName, model.advertisedServices)
        == model.peripheralID)
  }

  @Test func `of two entries of one maker never depends on their order`() {
    let entries = BluetoothPeripheral.supported
    let rules = Dictionary(grouping: entries) { $0.recognition }
    let shared = rules.values.filter { $0.count > 1 }.map { $0.map(\.id).sorted() }
    // Pyle's thermometers and Roche's meters have one name in the air and one protocol.
    #expect(Set(shared) == [[1, 12], [29, 30]])
  }
}
