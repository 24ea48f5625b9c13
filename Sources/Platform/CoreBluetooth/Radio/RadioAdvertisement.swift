// SPDX-License-Identifier: Apache-2.0

/// An advertisement and its scan response, merged.
@_spi(Radio)
public struct RadioAdvertisement: Codable, Hashable, Sendable {
  /// The advertised name.
  public var localName: String?
  /// The services in the advertisement itself.
  public var services: [BluetoothUUID] = []
  /// Services that did not fit into the packet.
  public var overflowServices: [BluetoothUUID] = []
  /// Services that the advertiser looks for.
  public var solicitedServices: [BluetoothUUID] = []
  /// Data by service.
  public var serviceData: [BluetoothUUID: Data] = [:]
  /// The company identifier first, little-endian.
  public var manufacturerData: Data?
  /// The transmit power in dBm.
  public var txPower: Int?
  /// Whether the advertiser accepts connections.
  public var isConnectable = true

  /// An advertisement without content.
  public init() {}
}
