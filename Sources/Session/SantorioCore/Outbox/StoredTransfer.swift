// SPDX-License-Identifier: Apache-2.0

/// What an upload carries that the system performs, as the file keeps it until it is settled.
struct StoredTransfer: Hashable, Sendable {
  /// A record of the upload: its row, and which content of the row was sent.
  struct Row: Hashable, Sendable, Codable {
    let sequence: Int64
    let sum: Int64
    let logID: String
    /// The part that was sent, of a record that is sent in parts.
    var part: String?
  }

  /// What is encrypted in the file.
  struct Content: Hashable, Sendable, Codable {
    /// The records; none for an image.
    var rows: [Row] = []
    var image: ImageRow?
    /// Whether the body was compressed.
    let isPacked: Bool
    /// A mark of the token that was sent: an answer says nothing about another one.
    let tokenMark: [UInt8]
  }

  /// The upload's name.
  let id: String
  let session: Int64
  let content: Content
}
