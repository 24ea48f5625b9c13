// SPDX-License-Identifier: Apache-2.0

@testable import CoreBluetooth
import Testing

@Suite struct `Space in an advertisement` {
  private let long = ["A", "B"].compactMap {
    BluetoothUUID("0000000\($0)-1111-2222-3333-444444444444")
  }

  private func fit(_ change: (inout RadioAdvertisement) -> Void) -> RadioAdvertisement {
    var advertisement = RadioAdvertisement()
    change(&advertisement)
    return AdvertisementSpace.fit(advertisement)
  }

  @Test func `thirteen services of 16 bits fit beside the flags`() {
    let services = (0x1800..<0x1810).map { BluetoothUUID(UInt16($0)) }

    let fitted = fit { $0.services = services }

    #expect(fitted.services == Array(services.prefix(13)))
    #expect(fitted.overflowServices == Array(services.suffix(3)))
  }

  @Test func `of two services of 128 bits the first fits`() {
    let fitted = fit { $0.services = long }

    #expect(fitted.services == [long[0]])
    #expect(fitted.overflowServices == [long[1]])
  }

  @Test func `a short service uses the space left by a long one`() {
    let fitted = fit { $0.services = long + [BluetoothUUID(0x1810), BluetoothUUID(0x180F)] }

    #expect(fitted.services == [long[0], BluetoothUUID(0x1810), BluetoothUUID(0x180F)])
    #expect(fitted.overflowServices == [long[1]])
  }

  @Test func `a service given in two forms is advertised once`() {
    let full = BluetoothUUID("00001810-0000-1000-8000-00805F9B34FB")

    let fitted = fit { $0.services = [BluetoothUUID(0x1810), full].compactMap(\.self) }

    #expect(fitted.services == [BluetoothUUID(0x1810)])
    #expect(fitted.overflowServices == [])
  }

  @Test func `the name has its own packet`() {
    let name = "A name of twenty-nine letters"

    let fitted = fit {
      $0.services = [long[0]]
      $0.localName = name
    }

    #expect(fitted.localName == name)
    #expect(fitted.services == [long[0]])
  }

  @Test(arguments: [
    ("A name of thirty letters, alas", "A name of thirty letters, ala"),
    // An umlaut of two bytes and a flag of eight that do not fit any more.
    (String(repeating: "x", count: 28) + "ü", String(repeating: "x", count: 28)),
    (String(repeating: "x", count: 22) + "🇩🇪", String(repeating: "x", count: 22)),
    (String(repeating: "x", count: 21) + "🇩🇪", String(repeating: "x", count: 21) + "🇩🇪"),
    ("", ""),
  ])
  func `a long name is truncated between characters`(name: String, expected: String) {
    #expect(fit { $0.localName = name }.localName == expected)
  }

  @Test func `data follows the services as far as it fits`() {
    let fitted = fit {
      $0.services = [long[0]]
      $0.solicitedServices = [BluetoothUUID(0x180D)]
      $0.serviceData = [BluetoothUUID(0x1809): Data([1, 2])]
      $0.manufacturerData = Data([0xFF, 0xFF, 1])
    }

    // 18 bytes for the services and 4 for what is solicited leave 6: those of the service's data.
    #expect(fitted.services == [long[0]])
    #expect(fitted.solicitedServices == [BluetoothUUID(0x180D)])
    #expect(fitted.serviceData == [BluetoothUUID(0x1809): Data([1, 2])])
    #expect(fitted.manufacturerData == nil)
  }

  @Test func `manufacturer data has 26 bytes if there is nothing else`() {
    let data = Data(repeating: 7, count: 26)

    #expect(fit { $0.manufacturerData = data }.manufacturerData == data)
    #expect(fit { $0.manufacturerData = data + [7] }.manufacturerData == nil)
  }

  @Test(arguments: [
    (BluetoothUUID(0x1810), "00001810-0000-1000-8000-00805f9b34fb"),
    (BluetoothUUID("12345678"), "12345678"),
    (
      BluetoothUUID("0000180F-0000-1000-8000-00805F9B34FB"), "0000180f-0000-1000-8000-00805f9b34fb"
    ),
    (
      BluetoothUUID("ABCDEF01-1111-2222-3333-444444444444"), "abcdef01-1111-2222-3333-444444444444"
    ),
  ])
  func `UUIDs are written as bluetoothd reads them`(uuid: BluetoothUUID?, text: String) {
    #expect(uuid?.advertised == text)
  }
}
