// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import SantorioBluetooth
import Testing

@Suite struct `Catalogue` {
  @Test func `has the entries by number and by type`() {
    let numbers = DeviceModel.supported.map(\.id)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(numbers.contains(2) && numbers.contains(3000))
    #expect(DeviceModel(id: 2)?.name == "A&D UA-651BLE")
    #expect(DeviceModel(id: 3000)?.name == "Blood pressure monitor")
    #expect(DeviceModel(id: 0) == nil)
    for type in PeripheralType.standard {
      #expect(
        DeviceModel.supported(type).map(\.id)
          == DeviceModel.supported.filter { $0.type == type }.map(\.id))
    }
    #expect(DeviceModel.supported(.bloodPressure).map(\.id).contains(3000))
  }

  @Test func `has instructions for every entry`() {
    for entry in DeviceModel.supported {
      #expect(!entry.instructions.isEmpty && !entry.readingInstructions.isEmpty)
      #expect((entry.pairingInstructions != nil) == entry.requiresPairing)
      #expect(entry.connectTimeout > .zero && entry.readTimeout > .zero)
    }
  }

  @Test func `reads every entry in exactly one way`() {
    for entry in DeviceModel.supported {
      #expect(entry.drivers.isEmpty == (entry.broadcast != nil), "\(entry.name)")
    }
  }

  @Test func `lets an app replace the generic texts`() {
    var entry = DeviceModel.genericBloodPressure
    entry.manufacturer = "Acme"
    entry.model = "Cuff"
    #expect(entry.name == "Acme Cuff")
  }
}
