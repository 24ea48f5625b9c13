// SPDX-License-Identifier: Apache-2.0

/// The places of what is encrypted: table, column and row, or kind of file and name.
///
/// A place is authenticated with what stands there, so that it opens in no other: whoever can write
/// the files can exchange nothing.
enum SealedPlace {
  /// A record's name, in any table.
  static let name = "name"
  /// A record that waits.
  static func queued(_ logID: String) -> String { "q.body/" + logID }
  /// A record in the quarantine.
  static func quarantined(_ logID: String) -> String { "quarantine.body/" + logID }
  /// Why a record is in the quarantine.
  static func refusal(_ logID: String) -> String { "quarantine.err/" + logID }
  /// A record or an image's description in an event.
  static func told(_ logID: String) -> String { "ev.body/" + logID }
  /// The reason in an event.
  static func toldReason(_ logID: String) -> String { "ev.err/" + logID }
  /// Why an image was refused.
  static func imageRefusal(_ logID: String, _ digest: String) -> String {
    "image.err/\(digest)/\(logID)"
  }
  /// Whose a session is.
  static func user(ofSession id: Int64) -> String { "session.name/\(id)" }
  /// A line of an archive.
  static func archived(_ logID: String) -> String { "archive/" + logID }
  /// An image's file.
  static func image(_ digest: String) -> String { "images/" + digest }
  /// A file of state.
  static func file(_ name: String) -> String { "file/" + name }
  /// The second copy of the session.
  static let mirror = "mirror"
}
