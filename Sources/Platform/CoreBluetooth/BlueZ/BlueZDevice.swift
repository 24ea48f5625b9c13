// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// A snapshot of a device object of bluetoothd (BlueZ, doc/device-api.txt).
struct BlueZDevice {
  let path: String
  let properties: [String: DBusValue]

  var address: BlueZAddress? {
    guard let text = properties["Address"]?.string else { return nil }
    return BlueZAddress(text, isRandom: properties["AddressType"]?.string == "random")
  }

  /// The device's own name; not the alias, which may be derived from the address.
  var name: String? { properties["Name"]?.string }
  var isConnected: Bool { properties["Connected"]?.bool == true }
  var isPaired: Bool { properties["Paired"]?.bool == true }
  var isTrusted: Bool { properties["Trusted"]?.bool == true }
  var isResolved: Bool { properties["ServicesResolved"]?.bool == true }

  /// In dBm; nil unless the running discovery has received the device.
  var rssi: Int? { properties["RSSI"]?.int }

  var services: [BluetoothUUID] { Self.uuids(properties["UUIDs"]) }

  /// What bluetoothd has merged from advertisements and scan responses.
  ///
  /// It does not include whether the device accepts connections.
  var advertisement: RadioAdvertisement {
    var result = RadioAdvertisement()
    result.localName = name
    result.services = services
    result.txPower = properties["TxPower"]?.int
    for (key, data) in properties["ServiceData"]?.entries ?? [] {
      if let uuid = key.string.flatMap({ BluetoothUUID($0) })?.shortest, let data = data.data {
        result.serviceData[uuid] = data
      }
    }
    // The company with the lowest number, since an advertisement usually has a single entry.
    let companies = (properties["ManufacturerData"]?.entries ?? []).compactMap { entry in
      entry.key.int.flatMap { company in entry.value.data.map { (company, $0) } }
    }
    if let (company, data) = companies.min(by: { $0.0 < $1.0 }) {
      result.manufacturerData = Data([UInt8(company & 0xFF), UInt8(company >> 8 & 0xFF)]) + data
    }
    return result
  }

  static func uuids(_ value: DBusValue?) -> [BluetoothUUID] {
    (value?.strings ?? []).compactMap { BluetoothUUID($0)?.shortest }
  }
}

extension DBusValue {
  /// The pairs of a dictionary.
  var entries: [(key: DBusValue, value: DBusValue)] {
    switch self {
    case .variant(let inner): inner.entries
    case .dictionary(let pairs, key: _, value: _): pairs.map { ($0.key, $0.value) }
    default: []
    }
  }
}

extension BluetoothUUID {
  /// The same UUID in its 16-bit form if it has one; bluetoothd writes all in full.
  var shortest: BluetoothUUID { assigned.map { BluetoothUUID($0) } ?? self }

  /// All 32 digits, in lower case, as bluetoothd expects them.
  var full: String {
    let base = "-0000-1000-8000-00805f9b34fb"
    switch bytes.count {
    case 2: return "0000" + string.lowercased() + base
    case 4: return string.lowercased() + base
    default: return string.lowercased()
    }
  }
}
