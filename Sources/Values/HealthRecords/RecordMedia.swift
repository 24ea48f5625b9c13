// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography

/// An image that belongs to a record; its bytes travel apart from the record.
public struct RecordMedia: Hashable, Sendable {
  /// The SHA-256 of the bytes, 64 lower-case hexadecimal digits.
  public var sha256: String
  /// The media type, for instance `image/jpeg`.
  public var contentType: String
  /// The number of bytes.
  public var byteCount: Int
  /// The server's identifier, once it is known.
  public var id: String?
  /// Where the server gives it back, once that is known.
  public var url: String?

  /// Makes the mark of an image.
  ///
  /// - Parameters:
  ///   - sha256: The SHA-256 of the bytes in lower-case hexadecimal digits.
  ///   - contentType: The media type.
  ///   - byteCount: The number of bytes.
  ///   - id: The server's identifier.
  ///   - url: Where the server gives it back.
  public init(
    sha256: String, contentType: String, byteCount: Int, id: String? = nil, url: String? = nil
  ) {
    self.sha256 = sha256
    self.contentType = contentType
    self.byteCount = byteCount
    self.id = id
    self.url = url
  }

  /// Makes the mark of an image from its bytes.
  ///
  /// - Parameters:
  ///   - bytes: The image.
  ///   - contentType: The media type.
  public init(of bytes: [UInt8], contentType: String) {
    self.init(
      sha256: SHA256Digest.hex(bytes), contentType: contentType, byteCount: bytes.count)
  }
}
