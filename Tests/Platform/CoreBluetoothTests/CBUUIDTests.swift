// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite struct `Bluetooth UUIDs` {
  @Test func `equals its 128-bit spelling and keeps its length`() {
    let short = CBUUID(string: "180d")
    let long = CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")

    #expect(short == long)
    #expect(short.hash == long.hash)
    #expect(short.uuidString == "180D")
    #expect(long.uuidString == "0000180D-0000-1000-8000-00805F9B34FB")
    #expect(short.data == Data([0x18, 0x0D]))
    #expect(Set([short, long]).count == 1)
  }

  @Test func `differs from another 128-bit UUID`() {
    #expect(CBUUID(string: "180D") != CBUUID(string: "180F"))
    #expect(CBUUID(string: "180D") != CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FC"))
  }

  @Test func `takes bytes, a UUID and a Core Foundation UUID`() {
    let text = "12345678-1234-1234-1234-123456789ABC"
    let uuid = CBUUID(string: text)

    #expect(CBUUID(data: Data([0x12, 0x34, 0x56, 0x78])).uuidString == "12345678")
    #expect(UUID(uuidString: text).map { CBUUID(nsuuid: $0) } == uuid)
    #expect(CBUUID(cfuuid: CFUUIDCreateFromString(nil, cfString(text))) == uuid)
    #expect(uuid.data.count == 16)
  }

  private func cfString(_ text: String) -> CFString {
    CFStringCreateWithCString(nil, text, CFStringEncoding(0x0800_0100))
  }

  @Test func `is described by its assigned name`() {
    #expect(CBUUID(string: "180D").description == "Heart Rate")
    #expect(CBUUID(string: "0000180F-0000-1000-8000-00805F9B34FB").description == "Battery")
    #expect(CBUUID(string: "FFF0").description == "FFF0")
  }

  @Test func `matches in a switch and as a key`() {
    let names = [CBUUID(string: "2A37"): "rate"]
    var isMatch = false
    switch CBUUID(data: Data([0x2A, 0x37])) {
    case CBUUID(string: "2A37"): isMatch = true
    default: break
    }

    #expect(isMatch)
    #expect(names[CBUUID(string: "00002A37-0000-1000-8000-00805F9B34FB")] == "rate")
  }

  @Test func `takes short digits with a hexadecimal prefix`() {
    #expect(CBUUID(string: "0x180d") == CBUUID(string: "180D"))
    #expect(CBUUID(string: "0x180D").uuidString == "180D")
    #expect(CBUUID(string: "0x12345678").data == Data([0x12, 0x34, 0x56, 0x78]))
  }

  @Test func `stops the program for other strings`() async {
    await #expect(processExitsWith: .failure) { _ = CBUUID(string: "180G") }
    await #expect(processExitsWith: .failure) { _ = CBUUID(string: "0x18") }
    await #expect(processExitsWith: .failure) {
      _ = CBUUID(string: "0000180D00001000800000805F9B34FB")
    }
    await #expect(processExitsWith: .failure) { _ = CBUUID(data: Data([1, 2, 3])) }
  }
}
