// SPDX-License-Identifier: Apache-2.0

/// The properties of a device that an export writes as one string.
package struct ExportedDevice: Hashable, Sendable {
  package var name: String?
  package var manufacturer: String?
  package var model: String?
  /// The product type, `Watch6,2`.
  package var hardware: String?
  package var firmware: String?
  package var software: String?
  package var localIdentifier: String?
  package var udi: String?

  private static let properties: Set<Substring> = [
    "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier",
    "UDIDeviceIdentifier", "creation date",
  ]

  /// Reads a string such as `name:Apple Watch, manufacturer:Apple Inc., hardware:Watch6,2`.
  ///
  /// Commas within a value are kept: a value ends where the next known property begins.
  package init(_ text: String) {
    var values: [Substring: String] = [:]
    var current: Substring?
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let property = part.drop { $0 == " " }
      if let colon = property.firstIndex(of: ":"), Self.properties.contains(property[..<colon]) {
        current = property[..<colon]
        values[property[..<colon]] = String(property[property.index(after: colon)...])
      } else if let current {
        values[current, default: ""] += "," + part
      }
    }
    name = values["name"]
    manufacturer = values["manufacturer"]
    model = values["model"]
    hardware = values["hardware"]
    firmware = values["firmware"]
    software = values["software"]
    localIdentifier = values["localIdentifier"]
    udi = values["UDIDeviceIdentifier"]
  }
}
