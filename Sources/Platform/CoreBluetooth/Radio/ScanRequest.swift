// SPDX-License-Identifier: Apache-2.0

/// The filter of a scan.
package struct ScanRequest: Codable, Hashable, Sendable {
  /// Advertised services, one of which must match; empty matches everything.
  package var services: Set<BluetoothUUID>
  /// Solicited services, one of which also suffices.
  package var solicited: Set<BluetoothUUID>
  /// Whether each packet is reported, and not only a peer's first one and those with new data.
  package var allowsDuplicates: Bool

  /// A scan.
  package init(
    services: Set<BluetoothUUID> = [], solicited: Set<BluetoothUUID> = [],
    allowsDuplicates: Bool = false
  ) {
    self.services = services
    self.solicited = solicited
    self.allowsDuplicates = allowsDuplicates
  }

  /// Whether the advertisement passes the filter.
  package func matches(_ advertisement: RadioAdvertisement) -> Bool {
    services.isEmpty && solicited.isEmpty
      || !services.isDisjoint(with: advertisement.services)
      || !services.isDisjoint(with: advertisement.overflowServices)
      || !solicited.isDisjoint(with: advertisement.solicitedServices)
  }
}
