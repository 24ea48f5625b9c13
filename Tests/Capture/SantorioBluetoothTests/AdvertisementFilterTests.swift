// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices

@testable import SantorioBluetooth

extension DeviceModel {
  /// An entry of the tests that is recognised by a rule.
  fileprivate static func entry(
    _ id: Int, _ advertisementFilter: AdvertisementFilter,
    _ drivers: [DriverModel] = [.pulseOximeterSpotCheck]
  ) -> DeviceModel {
    DeviceModel(
      id: id, type: .pulseOximeter, manufacturer: "", model: "\(id)", instructions: "",
      connectTimeout: .seconds(1), readTimeout: .seconds(1),
      advertisementFilter: advertisementFilter,
      drivers: drivers)
  }
}

@Suite struct `Recognition by advertisement` {
  private let named = DeviceModel.entry(
    1, AdvertisementFilter(services: [], namePrefixes: ["Oximeter"]), [.jks50f])
  private let served = DeviceModel.entry(2, AdvertisementFilter(services: ["1822"]))
  private let both = DeviceModel.entry(
    3, AdvertisementFilter(services: ["1822"], namePrefixes: ["Oxi"]))

  private func best(
    of candidates: [DeviceModel], _ name: String?, _ services: [String]
  ) -> Int? {
    DeviceModel.best(
      of: candidates, for: Advertisement(name: name, services: services))?.id
  }

  @Test func `prefers service and name to a service, and a service to a name`() {
    #expect(best(of: [named, served], "OXIMETER 12", ["1822"]) == 2)
    #expect(best(of: [served, named], "OXIMETER 12", ["1822"]) == 2)
    #expect(best(of: [named, served, both], "OXIMETER 12", ["1822"]) == 3)
    #expect(best(of: [named, served, both], "SpO2", ["1822"]) == 2)
  }

  @Test func `recognises a device without services by its name`() {
    #expect(best(of: [named, served, both], "Oximeter", []) == 1)
    #expect(best(of: [named, served, both], nil, []) == nil)
    // A service that tells nothing of what is measured.
    #expect(best(of: [named, served, both], "Oximeter", ["180A"]) == 1)
  }

  @Test(arguments: ["1808", "1809", "180D", "1810", "181B", "181D", "181F", "1822"])
  func `does not recognise by name a device with another service`(service: String) {
    #expect(best(of: [named], "Oximeter", [service]) == nil)
    let data = Advertisement(name: "Oximeter", serviceData: [service: [0]])
    #expect(DeviceModel.best(of: [named], for: data) == nil)
  }

  @Test func `recognises by name a device with its protocol's service`() {
    let profile = DeviceModel.entry(
      4, AdvertisementFilter(services: [], namePrefixes: ["Ox"]), [.pulseOximeterSpotCheck])
    #expect(best(of: [profile], "Oximeter", ["1822"]) == 4)
    #expect(best(of: [served, profile], "Oximeter", ["1822"]) == 4)
    #expect(best(of: [profile], "Oximeter", ["1810"]) == nil)
  }

  @Test func `prefers the longer name, then the first entry`() {
    let longer = DeviceModel.entry(
      5, AdvertisementFilter(services: ["1822"], namePrefixes: ["O", "Oxim", "Oxim3"]))
    #expect(best(of: [both, longer], "OXIMETER", ["1822"]) == 5)
    #expect(best(of: [longer, both], "OXIMETER", ["1822"]) == 5)
    let same = DeviceModel.entry(
      6, AdvertisementFilter(services: ["1822"], namePrefixes: ["oxi"]))
    #expect(best(of: [both, same], "OXIMETER", ["1822"]) == 3)
    #expect(best(of: [same, both], "OXIMETER", ["1822"]) == 6)
  }

  @Test func `prefers a known manufacturer`() {
    let manufacturer = DeviceModel.entry(
      7, AdvertisementFilter(services: ["1822"], companies: [0x0102]))
    let advertisement = Advertisement(services: ["1822"], manufacturerData: [0x02, 0x01, 9])
    #expect(DeviceModel.best(of: [served, manufacturer], for: advertisement)?.id == 7)
    #expect(best(of: [manufacturer], nil, ["1822"]) == nil)
  }

  @Test func `recognises a service by its prefix`() {
    let service = "BA11F08C-5F14-0B0D-1080-007CBE238851"
    #expect(best(of: DeviceModel.supported, "iChoice", [service]) == 25)
    #expect(best(of: DeviceModel.supported, "iChoice", []) == 25)
  }

  @Test(arguments: VirtualDeviceModel.all)
  func `finds the entry of every virtual device`(model: VirtualDeviceModel) {
    let broadcast = model.make(VirtualClock()).broadcast
    // What a device broadcasts while it is measured with says the rest.
    guard broadcast == nil else { return }
    #expect(
      best(of: DeviceModel.supported, model.advertisedName, model.advertisedServices)
        == model.peripheralID)
  }

  @Test func `never depends on the order of a manufacturer's entries`() {
    let entries = DeviceModel.supported
    let rules = Dictionary(grouping: entries) { $0.advertisementFilter }
    let shared = rules.values.filter { $0.count > 1 }.map { $0.map(\.id).sorted() }
    // Pyle's thermometers and Roche's meters have one name in the air and one protocol.
    #expect(Set(shared) == [[1, 12], [29, 30]])
  }
}
