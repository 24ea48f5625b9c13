// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import SantorioBluetooth
import SantorioJSON

/// A discovered device, and everything that its advertisements have contained so far.
struct ScannedDevice: Hashable, Sendable {
  let identifier: UUID
  fileprivate(set) var name: String?
  fileprivate(set) var rssi: Int?
  fileprivate(set) var services: [AdvertisedService]
  fileprivate(set) var advertisement: Advertisement

  fileprivate init(_ discovered: RadioListener.DiscoveredDevice) {
    identifier = discovered.identifier
    name = discovered.name
    rssi = discovered.rssi
    services = discovered.services
    advertisement = discovered.advertisement
  }

  /// The catalogue entry that it matches.
  var peripheral: DeviceModel? {
    .best(of: DeviceModel.supported, for: advertisement)
  }

  /// As one line for programs.
  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.key("identifier")
      json.string(identifier.uuidString)
      json.key("name")
      name.map { json.string($0) } ?? json.null()
      json.key("rssi")
      rssi.map { json.integer($0) } ?? json.null()
      json.key("services")
      json.array { json in
        for service in services { json.object { service.write(to: &$0) } }
      }
      json.key("catalogue")
      guard let peripheral else { return json.null() }
      json.object { json in
        json.key("id")
        json.integer(peripheral.id)
        json.key("name")
        json.string(peripheral.name)
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension Advertisement {
  /// Merges the contents of a later packet of the same device.
  fileprivate mutating func merge(_ later: Advertisement) {
    name = later.name ?? name
    services += later.services.filter { !services.contains($0) }
    serviceData.merge(later.serviceData) { $1 }
    if !later.manufacturerData.isEmpty { manufacturerData = later.manufacturerData }
  }
}

extension AdvertisedService {
  fileprivate func write(to json: inout JSONWriter) {
    json.key("uuid")
    json.string(uuid)
    json.key("name")
    name.map { json.string($0) } ?? json.null()
  }
}

/// All discovered devices, in the order of their discovery.
struct ScannedDevices: Hashable, Sendable {
  private(set) var all: [ScannedDevice] = []

  /// Adds an advertisement.
  ///
  /// - Returns: The device when it is new, or when more than its signal strength has changed.
  mutating func discovered(_ discovered: RadioListener.DiscoveredDevice) -> ScannedDevice? {
    guard let index = all.firstIndex(where: { $0.identifier == discovered.identifier }) else {
      let device = ScannedDevice(discovered)
      all.append(device)
      return device
    }
    let before = all[index]
    all[index].rssi = discovered.rssi ?? before.rssi
    all[index].name = discovered.name ?? before.name
    all[index].services += discovered.services.filter { !before.services.contains($0) }
    all[index].advertisement.merge(discovered.advertisement)
    let isNew =
      all[index].peripheral != before.peripheral || all[index].name != before.name
      || all[index].services != before.services
    return isNew ? all[index] : nil
  }
}

/// Devices as a table for display.
enum ScanTable {
  static let header = row("RSSI", "NAME", "IDENTIFIER", "RECOGNISED AS", "SERVICES")

  static func row(_ device: ScannedDevice) -> String {
    let services = device.services.map { $0.name ?? $0.uuid }.joined(separator: ", ")
    return row(
      device.rssi.map(String.init) ?? "–", device.name?.printable ?? "–",
      device.identifier.uuidString, device.peripheral?.name ?? "–", services)
  }

  /// The table with the strongest signal first, cut to the size of a terminal.
  static func lines(_ devices: [ScannedDevice], columns: Int, rows: Int) -> [String] {
    let sorted = devices.sorted { ($0.rssi ?? -128) > ($1.rssi ?? -128) }
    let isAll = sorted.count + 1 < rows
    let shown = isAll ? sorted : Array(sorted.prefix(max(0, rows - 3)))
    let rest = isAll ? [] : ["… and \(sorted.count - shown.count) more"]
    return ([header] + shown.map(row) + rest).map { String($0.prefix(columns)) }
  }

  private static func row(
    _ rssi: String, _ name: String, _ identifier: String, _ recognised: String, _ services: String
  ) -> String {
    let cells = [
      String(repeating: " ", count: max(0, 4 - rssi.count)) + rssi, name.padded(to: 22),
      identifier.padded(to: 36), recognised.padded(to: 22), services,
    ]
    return cells.joined(separator: "  ")
  }
}
