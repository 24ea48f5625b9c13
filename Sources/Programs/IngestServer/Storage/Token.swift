// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The permissions of a user's token; every token may check its own validity.
struct Scopes: OptionSet, Hashable, Sendable {
  let rawValue: Int64

  /// Send records and images.
  static let write = Scopes(rawValue: 1)
  /// Read records, their history, images and rejected items.
  static let read = Scopes(rawValue: 2)
  /// Correct and delete records.
  static let correct = Scopes(rawValue: 4)
  static let all: Scopes = [.write, .read, .correct]

  private static let named: [(name: String, scope: Scopes)] = [
    ("write", .write), ("read", .read), ("correct", .correct),
  ]
  /// The names that an API call may use.
  static let knownNames = named.map(\.name)

  /// The names on the wire.
  var names: [String] { Self.named.filter { contains($0.scope) }.map(\.name) }

  /// Parses the names on the wire; nil when one is unknown or there is none.
  init?(names: [String]) {
    var scopes: Scopes = []
    for name in names {
      guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
      scopes.insert(known.scope)
    }
    guard !scopes.isEmpty else { return nil }
    self = scopes
  }

  init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A token that is to be stored.
struct NewToken: Sendable {
  /// The public identifier, used to list and revoke it.
  let id: String
  /// The SHA-256 of its text.
  let digest: [UInt8]
  var scopes = Scopes.all
  /// The operator's name for it; may be empty.
  var label = ""
  /// When it expires; nil if it is valid until it is revoked.
  var expiry: Date?
}

/// A token in the store, without its text.
struct StoredToken: Hashable, Sendable {
  /// The key in the store.
  let number: Int64
  let id: String
  let scopes: Scopes
  let label: String
  let created: Date
  let expiry: Date?
  /// When it was revoked, or ends before its expiry.
  let revoked: Date?
  /// Whether it was revoked, whatever the clock says now.
  let isRevoked: Bool

  /// The state of the token at an instant.
  func state(at date: Date) -> TokenState {
    if isRevoked { return .revoked }
    if let revoked, revoked <= date { return .revoked }
    if let expiry, expiry <= date { return .expired }
    return .live
  }
}

/// Whether a token is valid.
enum TokenState: String, Hashable, Sendable {
  case live, expired, revoked
}

/// The holder of a token.
enum TokenHolder: Hashable, Sendable {
  case user(UserPath)
  /// An administrator of one organisation.
  case organization(String)

  var organization: String {
    switch self {
    case .user(let user): user.organization
    case .organization(let name): name
    }
  }
}

/// The token of a request and its holder.
struct Grant: Hashable, Sendable {
  enum Holder: Hashable, Sendable {
    case user(Account)
    case administrator(organization: String)
  }

  let token: StoredToken
  let holder: Holder
}
