// SPDX-License-Identifier: Apache-2.0

/// The requests that a user may make on a hub's control socket; each role has those before it.
package enum HubRole: Int, Comparable, CaseIterable, Sendable {
  /// Read the status.
  case look
  /// Enrol, forget and release: who has which device, and whose readings are.
  case assign
  /// Pause, resume, reload and stop.
  case operate

  /// The member of `"control"` in the hub's configuration that lists the users.
  package var member: String {
    switch self {
    case .look: "look"
    case .assign: "assign"
    case .operate: "uids"
    }
  }

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

extension HubAnswer {
  /// The answer as a role may see it: health values are for those who decide.
  func shown(to role: HubRole) -> HubAnswer {
    guard role < .assign, case .status(var status) = self else { return self }
    for patient in status.patients.indices {
      for decision in status.patients[patient].decisions.indices {
        status.patients[patient].decisions[decision].values = []
      }
    }
    return .status(status)
  }
}

extension HubRequest {
  /// The least role that may make it.
  var role: HubRole {
    switch self {
    case .status: .look
    case .enroll, .release, .forget: .assign
    case .pause, .resume, .reload, .stop: .operate
    }
  }
}
