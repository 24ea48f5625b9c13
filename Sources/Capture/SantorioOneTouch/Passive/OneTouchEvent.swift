// SPDX-License-Identifier: Apache-2.0

public import HealthRecords

/// What happens while meters are read passively.
///
/// What becomes of the records on their way to the server, the session tells. Cases are added over
/// time, in minor versions too: give each `switch` a `default`.
public enum OneTouchEvent: Hashable, Sendable {
  /// A meter was read, and the readings that are new are on disk; none when it had nothing new.
  case read([HealthRecord], OneTouchMeter)
  /// Results that are no readings of the patient; what is left of them is on disk.
  case rejected([RejectedOneTouchReading], OneTouchMeter)
  /// A meter could not be read. It is tried again after a pause, or with its next connection when
  /// that is nil.
  case failed(OneTouchError, OneTouchMeter, nextTry: Duration?)
  /// A meter is another user's, see ``OneTouchPassiveReader/assign(_:beginning:)``.
  case leftAlone(OneTouchMeter)
  /// Passive reading stands still for a reason, or goes on when that is nil.
  case stateChanged(OneTouchObstacle?)
}

/// Why no meter is read.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum OneTouchObstacle: Hashable, Sendable {
  /// Passive reading is switched off.
  case notSet
  /// There is no session, or not the one any more for which passive reading was switched on.
  case noSession
  /// The session is the default user's, for whom nothing is read passively.
  case defaultUser
  /// The session's file cannot be read; for instance before the first unlock of a phone.
  case storage(String)
}

/// From where on a meter is read that is given to another user.
public enum OneTouchBeginning: String, Hashable, Sendable {
  /// After what was read for the user before, whose readings those are.
  case afterEarlierReadings
  /// From the beginning of its memory: all in it is this user's.
  case allReadings
}
