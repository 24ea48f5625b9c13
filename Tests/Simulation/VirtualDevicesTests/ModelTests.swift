// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Testing
import VirtualDevices

@Suite struct `Virtual device models` {
  @Test func `are found by their names`() {
    #expect(VirtualDeviceModel(id: "bm54")?.advertisedName == "BM54")
    #expect(VirtualDeviceModel(id: "BM54") == nil)
    #expect(Set(VirtualDeviceModel.all.map(\.id)).count == VirtualDeviceModel.all.count)
  }

  @Test func `are found by the entry of the catalogue that recognises them`() {
    #expect(VirtualDeviceModel.models(of: 2).map(\.id) == ["ua-651ble"])
    #expect(VirtualDeviceModel.models(of: 0).isEmpty)
    let known = Set(DeviceCatalogue.standard.supported.map(\.id))
    #expect(VirtualDeviceModel.all.allSatisfy { known.contains($0.peripheralID) })
  }
}
