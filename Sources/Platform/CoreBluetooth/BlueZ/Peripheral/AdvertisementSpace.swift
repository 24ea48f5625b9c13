// SPDX-License-Identifier: Apache-2.0

/// The space in the two packets of legacy advertising; bluetoothd refuses data that does not fit.
///
/// bluetoothd puts the name into the scan response and everything else into the advertisement. As
/// with Core Bluetooth, services and other data that do not fit are left out; a long name is
/// truncated between characters.
struct AdvertisementSpace {
  /// 31 bytes (Core Specification, Vol 3, Part C, 11), minus the flags that bluetoothd adds.
  private var left = 31 - 3
  private var hasList: Set<Int> = []

  private static let header = 2
  /// The scan response holds the name alone.
  private static let longestName = 31 - header

  /// The part of an advertisement that fits; other services are in `overflowServices`.
  static func fit(_ advertisement: RadioAdvertisement) -> RadioAdvertisement {
    var room = AdvertisementSpace()
    var result = advertisement
    result.services = room.takeList(advertisement.services)
    let overflow = advertisement.services.filter { !result.services.contains($0) }
    result.overflowServices = advertisement.overflowServices + overflow
    room.hasList = []
    result.solicitedServices = room.takeList(advertisement.solicitedServices)
    let data = advertisement.serviceData.sorted { $0.key.string < $1.key.string }
    result.serviceData = [:]
    for (uuid, data) in data where room.take(header + uuid.advertisedLength + data.count) {
      result.serviceData[uuid] = data
    }
    if let data = advertisement.manufacturerData, !room.take(header + data.count) {
      result.manufacturerData = nil
    }
    result.localName = advertisement.localName.map(shortened)
    return result
  }

  private mutating func take(_ length: Int) -> Bool {
    guard length <= left else { return false }
    left -= length
    return true
  }

  /// The UUIDs that fit, each once; those of one length share a header.
  private mutating func takeList(_ uuids: [BluetoothUUID]) -> [BluetoothUUID] {
    var taken: [BluetoothUUID] = []
    for uuid in uuids where !taken.contains(uuid) {
      let length = uuid.advertisedLength
      guard take(length + (hasList.contains(length) ? 0 : Self.header)) else { continue }
      hasList.insert(length)
      taken.append(uuid)
    }
    return taken
  }

  private static func shortened(_ name: String) -> String {
    var name = name
    while name.utf8.count > longestName { name.removeLast() }
    return name
  }
}

extension BluetoothUUID {
  /// The bytes that bluetoothd needs for it.
  var advertisedLength: Int { assigned == nil ? bytes.count : 2 }

  /// As bluetoothd reads it in an advertisement, in its shortest form.
  var advertised: String { assigned == nil ? string.lowercased() : shortest.full }
}
