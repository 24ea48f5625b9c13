// SPDX-License-Identifier: Apache-2.0

/// The places of encrypted data: table, column and row, or kind of file and name.
///
/// A place is authenticated with its data, so that the data opens in no other place: an attacker
/// who can write the files cannot swap anything.
enum SealedPlace {
  /// A record's name, in any table.
  static let name = "name"
  /// A waiting record.
  static func queued(_ logID: String) -> String { "q.body/" + logID }
  /// A record in the quarantine.
  static func quarantined(_ logID: String) -> String { "quarantine.body/" + logID }
  /// Why a record is in the quarantine.
  static func refusal(_ logID: String) -> String { "quarantine.err/" + logID }
  /// A record or an image's description in an event.
  static func event(_ logID: String) -> String { "ev.body/" + logID }
  /// The reason in an event.
  static func eventReason(_ logID: String) -> String { "ev.err/" + logID }
  /// Why an image was refused.
  static func imageRefusal(_ logID: String, _ digest: String) -> String {
    "image.err/\(digest)/\(logID)"
  }
  /// The user of a session.
  static func user(ofSession id: Int64) -> String { "session.name/\(id)" }
  /// A line of an archive.
  static func archived(_ logID: String) -> String { "archive/" + logID }
  /// An image's file.
  static func image(_ digest: String) -> String { "images/" + digest }
  /// The name under which a source keeps what it knows of a device.
  static func device(_ source: String, _ device: String) -> String { "state/\(source)/" + device }
  /// A piece of a source's state.
  static func state(_ name: StateName) -> String {
    "state.value/\(name.source)/\(name.key)/" + name.device
  }
  /// What an upload carries.
  static func transfer(_ id: String) -> String { "transfer/" + id }
  /// The second copy of the session.
  static let mirror = "mirror"
}
