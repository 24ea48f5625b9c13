// SPDX-License-Identifier: Apache-2.0

/// An advertisement and its scan response, merged.
package struct RadioAdvertisement: Codable, Hashable, Sendable {
  /// The advertised name.
  package var localName: String?
  /// The services in the advertisement itself.
  package var services: [BluetoothUUID] = []
  /// Services that did not fit into the packet.
  package var overflowServices: [BluetoothUUID] = []
  /// Services that the advertiser looks for.
  package var solicitedServices: [BluetoothUUID] = []
  /// Data by service.
  package var serviceData: [BluetoothUUID: Data] = [:]
  /// The company identifier first, little-endian.
  package var manufacturerData: Data?
  /// The transmit power in dBm.
  package var txPower: Int?
  /// Whether the advertiser accepts connections.
  package var isConnectable = true

  /// An advertisement without content.
  package init() {}
}
