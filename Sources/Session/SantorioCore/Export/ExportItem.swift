// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a frame of an export holds.
///
/// The bytes of a record or an image follow it in the frame.
enum ExportItem: Hashable, Sendable, Codable {
  /// Whose records these are; the first frame.
  case owner(userID: String, organizationID: String)
  /// A record of the queue or of an archive, or its deletion; its bytes are its form.
  case record(logID: String, held: HeldState)
  /// A record that the server has refused, since when (in milliseconds since 1970) and why.
  case refused(logID: String, at: Int64, failure: String?)
  /// An image; released means that the server has its record.
  case image(ExportedImage)
  /// What is remembered of a record by the queue: which of its parts a server has, or that it was
  /// released; its bytes are the value.
  case remembered(source: String, name: String, key: String)
  /// The last frame; a file without it is not complete.
  case end
}

/// An image in an export.
struct ExportedImage: Hashable, Sendable, Codable {
  let logID: String
  /// SHA-256 of the bytes, in lower-case hexadecimal digits.
  let digest: String
  let contentType: String
  let isReleased: Bool
  /// Why the server has refused it.
  let failure: String?
}

/// One frame, decrypted.
struct ExportFrame {
  let item: ExportItem
  let bytes: [UInt8]

  init(_ item: ExportItem, _ bytes: [UInt8] = []) {
    self.item = item
    self.bytes = bytes
  }

  /// The item as JSON, a line end, and the bytes.
  func encoded() throws(SessionError) -> [UInt8] {
    guard let head = try? JSONEncoder().encode(item) else {
      throw SessionError(.storageFailed, "an item of the export cannot be encoded")
    }
    return Array(head) + [UInt8(ascii: "\n")] + bytes
  }

  init?(encoded: [UInt8]) {
    guard let end = encoded.firstIndex(of: UInt8(ascii: "\n")),
      let item = try? JSONDecoder().decode(ExportItem.self, from: Data(encoded[..<end]))
    else { return nil }
    self.init(item, Array(encoded[(end + 1)...]))
  }
}
