// SPDX-License-Identifier: Apache-2.0

/// What is known of the bond with a device, from the connections that were made to it.
///
/// No system says to an app whether there is a bond. It shows in what a device accepts: a pairing
/// that succeeds makes a provisional bond, the next connection on the strength of it proves that
/// both sides have kept the key, and an error that only a missing key explains shows that one side
/// has not.
public enum BondState: String, Hashable, Sendable, Codable {
  /// The device needs no bond, or none was made.
  case none
  /// A pairing has succeeded; no later connection has proved yet that both sides kept the key.
  ///
  /// Some devices forget it again, when they are not connected to once more before they switch off.
  case provisional
  /// A connection after the one of the pairing was accepted.
  case verified
  /// One side has lost the key. The device is not connected by itself any more: pair it anew.
  case lost
}

extension BondState {
  /// What a connection has shown.
  enum Evidence: Hashable, Sendable {
    /// A pairing has succeeded.
    case paired
    /// The device has sent a measurement; whether its kind sends them to bonded receivers only.
    case read(needsBond: Bool)
    /// One side has lost the key.
    case lost
  }

  /// What is known after a connection.
  func after(_ evidence: Evidence) -> BondState {
    switch (self, evidence) {
    case (_, .lost): .lost
    case (_, .paired): .provisional
    // The system has paired by itself, because the device demanded it.
    case (.none, .read(needsBond: true)): .provisional
    case (.none, .read(needsBond: false)): .none
    case (.provisional, .read), (.verified, .read), (.lost, .read): .verified
    }
  }
}
