// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords

/// Where the octets of images are kept; which record has which image is the ``RecordStore``'s.
///
/// Equal octets are kept once. All functions block; what writes or removes is called one at a time,
/// `read` beside it from any thread.
protocol MediaStore: Sendable {
  /// Keeps an image, which is durable when the call returns.
  func write(_ octets: [UInt8], as digest: MediaDigest) throws(IngestError)
  /// The octets of an image; nil where it is not there or no longer what it was.
  func read(_ digest: MediaDigest) throws(IngestError) -> [UInt8]?
  /// Removes an image; one that is not there is no error.
  func remove(_ digest: MediaDigest) throws(IngestError)
  /// All images that are kept; what interrupted writes have left is removed.
  func tidy() throws(IngestError) -> [MediaDigest]
}

/// The SHA-256 of an image, by which it is named.
struct MediaDigest: Hashable, Sendable {
  /// 64 hexadecimal digits in lower case.
  let hex: String

  /// Takes a digest as it is written in a path; nil when it is none.
  init?(hex: String) {
    let isDigest = hex.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    guard hex.utf8.count == 64, isDigest else { return nil }
    self.hex = hex
  }

  init(of octets: [UInt8]) { hex = SHA256Digest.hex(octets) }
}

/// An image as a record has it.
struct MediaDescription: Hashable, Sendable {
  let digest: MediaDigest
  let type: ImageType
  /// In octets.
  let size: Int
}

/// An image that a record was given.
struct StoredMedia: Hashable, Sendable {
  let id: Int64
  let description: MediaDescription
}
