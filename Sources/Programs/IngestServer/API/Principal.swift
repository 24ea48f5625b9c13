// SPDX-License-Identifier: Apache-2.0

/// Who has been admitted to a route.
struct Principal: Sendable {
  let caller: Caller
  /// Whom the request counts for.
  let client: ClientKey
  /// The user of a user's token.
  var account: Account?
  /// The organisation to which an administrator is limited; nil for the server's administrator.
  var organization: String?
  /// The digest of the token, by which it can be looked at again; nil for the server's
  /// administrator.
  var tokenDigest: [UInt8]?
}
