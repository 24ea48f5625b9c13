// SPDX-License-Identifier: Apache-2.0

/// A central as the host knows it.
package struct RemoteCentral: Codable, Hashable, Sendable {
  /// The host's identifier of the central.
  package var identifier: PeerIdentifier
  /// The longest value of a notification.
  package var maximumUpdate: Int

  /// A central.
  package init(identifier: PeerIdentifier, maximumUpdate: Int) {
    self.identifier = identifier
    self.maximumUpdate = maximumUpdate
  }
}
