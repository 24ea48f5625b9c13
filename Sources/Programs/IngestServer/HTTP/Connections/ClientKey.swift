// SPDX-License-Identifier: Apache-2.0

/// The client that a request is counted for; clients must not exhaust each other's resources.
enum ClientKey: Hashable, Sendable {
  /// A user, by its key in the store, whatever tokens it has.
  case user(Int64)
  /// The administrators of an organisation, or of the server when nil.
  case administrator(organization: String?)
  /// A client without a token, by its network.
  case address(String)

  /// Whether the client has sent a valid token.
  var isAuthenticated: Bool {
    guard case .address = self else { return true }
    return false
  }
}
