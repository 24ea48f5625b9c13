// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The decision that a reading is this user's, where neither its device nor its time has shown that.
public struct UserDecision: Hashable, Sendable {
  /// The one who has decided: an account of the machine, the user in an app, or a setting.
  public let decider: String
  /// The time of the decision, in whole seconds.
  public let date: Date

  /// Describes a decision.
  ///
  /// - Parameters:
  ///   - decider: The one who has decided.
  ///   - date: The time of the decision; rounded down to the second.
  public init(by decider: String, at date: Date) {
    self.decider = decider
    self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }

  /// The name of the decider where the user of an app decides.
  package static let appUser = "user"
  /// The name of the decider where a setting takes the readings of all users of a device.
  package static let everyUserSetting = "every-user setting"

  fileprivate static let deciderTag = "user_decided_by"
  fileprivate static let dateTag = "user_decided_at"
}

extension HealthRecord {
  /// The decision by which the reading is this user's; nil where none was needed, or none was made.
  ///
  /// Setting it takes away the mark that the device does not know its user, see ``isOfUnknownUser``.
  public var userDecision: UserDecision? {
    get {
      guard let decider = tag(UserDecision.deciderTag),
        let date = tag(UserDecision.dateTag).flatMap({ try? Date($0, strategy: .iso8601) })
      else { return nil }
      return UserDecision(by: decider, at: date)
    }
    set {
      let replaced = [UserDecision.deciderTag, UserDecision.dateTag]
      tags.removeAll { replaced.contains($0.name) }
      guard let newValue else { return }
      tags.removeAll { $0.name == Self.unknownUserTag }
      tags += [
        RecordTag(name: UserDecision.deciderTag, value: newValue.decider),
        RecordTag(name: UserDecision.dateTag, value: newValue.date.formatted(.iso8601)),
      ]
    }
  }

  /// The record as it is after a decision that it is this user's.
  package func decided(_ decision: UserDecision) -> HealthRecord {
    var record = self
    record.userDecision = decision
    return record
  }

  private func tag(_ name: String) -> String? { tags.first { $0.name == name }?.value }
}
