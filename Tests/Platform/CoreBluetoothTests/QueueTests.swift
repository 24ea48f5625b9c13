// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite struct `Scan filter` {
  @Test func `solicited services match only on request`() {
    var advertisement = RadioAdvertisement()
    advertisement.solicitedServices = [BluetoothUUID(0x180D)]

    #expect(ScanRequest().matches(advertisement))
    #expect(!ScanRequest(services: [BluetoothUUID(0x180D)]).matches(advertisement))
    #expect(
      ScanRequest(services: [BluetoothUUID(0x180F)], solicited: [BluetoothUUID(0x180D)])
        .matches(advertisement))
  }
}

@Suite struct `Bluetooth UUID values` {
  @Test func `know the 16-bit number of their range`() {
    #expect(BluetoothUUID("0000180D-0000-1000-8000-00805F9B34FB")?.assigned == 0x180D)
    #expect(BluetoothUUID("0001180D-0000-1000-8000-00805F9B34FB")?.assigned == nil)
    #expect(BluetoothUUID("12345678")?.assigned == nil)
    #expect(BluetoothUUID(0x2A37).string == "2A37")
  }

  @Test(arguments: ["", "18", "180D0", "18-D", "+80D", "180D-0000-1000-8000-00805F9B34FB"])
  func `refuse other strings`(text: String) {
    #expect(BluetoothUUID(text) == nil)
  }

  @Test(arguments: [0, 1, 3, 5, 15, 17])
  func `refuse other lengths`(count: Int) {
    #expect(BluetoothUUID(bytes: [UInt8](repeating: 1, count: count)) == nil)
  }
}
