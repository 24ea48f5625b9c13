// SPDX-License-Identifier: Apache-2.0

/// What a scan looks for.
@_spi(Radio)
public struct ScanRequest: Codable, Hashable, Sendable {
  /// Advertised services of which one must match; empty for everything.
  public var services: Set<BluetoothUUID>
  /// Solicited services of which one also matches.
  public var solicited: Set<BluetoothUUID>
  /// Whether each packet is reported, not only the first of a peer and those with new data.
  public var allowsDuplicates: Bool

  /// A scan.
  public init(
    services: Set<BluetoothUUID> = [], solicited: Set<BluetoothUUID> = [],
    allowsDuplicates: Bool = false
  ) {
    self.services = services
    self.solicited = solicited
    self.allowsDuplicates = allowsDuplicates
  }

  /// Whether the advertisement passes the filter.
  public func matches(_ advertisement: RadioAdvertisement) -> Bool {
    services.isEmpty && solicited.isEmpty
      || !services.isDisjoint(with: advertisement.services)
      || !services.isDisjoint(with: advertisement.overflowServices)
      || !solicited.isDisjoint(with: advertisement.solicitedServices)
  }
}
