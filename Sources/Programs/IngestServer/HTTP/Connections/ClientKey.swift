// SPDX-License-Identifier: Apache-2.0

/// Whom a request counts for: what one of them uses up, others must not lack.
enum ClientKey: Hashable, Sendable {
  /// A user, by its key in the store, whatever tokens it has.
  case user(Int64)
  /// The administrators of an organisation, or of the server when nil.
  case administrator(organization: String?)
  /// Who sends no token, by the network it comes from.
  case address(String)

  /// Whether the client has shown a good token.
  var isAuthenticated: Bool {
    guard case .address = self else { return true }
    return false
  }
}
