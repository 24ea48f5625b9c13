// SPDX-License-Identifier: Apache-2.0

/// The user who has a device.
package enum DeviceOwner: Hashable, Sendable, Codable {
  /// None yet: it was paired while there was no user, and becomes the first one's who reads it.
  case unclaimed
  /// One user, and no other until it is given to one.
  case user(id: String, organization: String)

  /// The owner who is the user of a session; unclaimed for none, and for the default user.
  package init(_ user: (userID: String, organizationID: String)?) {
    guard let user, user != (SantorioUser.default.userID, SantorioUser.default.organizationID)
    else {
      self = .unclaimed
      return
    }
    self = .user(id: user.userID, organization: user.organizationID)
  }

  /// The user as one text; empty while there is none.
  package var name: String {
    switch self {
    case .unclaimed: ""
    case .user(let id, let organization): "\(organization)/\(id)"
    }
  }
}
