// SPDX-License-Identifier: Apache-2.0

/// A central as the host knows it.
@_spi(Radio)
public struct RemoteCentral: Codable, Hashable, Sendable {
  /// The host's identifier of the central.
  public var identifier: PeerIdentifier
  /// The longest value of a notification.
  public var maximumUpdate: Int

  /// A central.
  public init(identifier: PeerIdentifier, maximumUpdate: Int) {
    self.identifier = identifier
    self.maximumUpdate = maximumUpdate
  }
}
