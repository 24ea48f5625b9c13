// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioCryptography

/// Stores the bytes of images; the ``RecordStore`` knows which record has which image.
///
/// Equal bytes are kept once. All functions block. Functions that keep or remove an image are
/// called one at a time; the others may be called from any thread.
protocol MediaStore: Sendable {
  /// Creates the file of an image that is being received.
  func makePartial(_ digest: MediaDigest) throws(IngestError) -> PartialImage
  /// Keeps a received image, which is durable when the call returns.
  func keep(_ partial: PartialImage) throws(IngestError)
  /// Opens an image; nil if it is missing or damaged.
  func open(_ digest: MediaDigest) throws(IngestError) -> OpenImage?
  /// Removes an image; a missing one is not an error.
  func remove(_ digest: MediaDigest) throws(IngestError)
  /// Removes files of interrupted writes, but not of writes in progress.
  func removePartials() throws(IngestError)
  /// All images written before a date.
  func images(olderThan date: Date) throws(IngestError) -> [MediaDigest]
  /// Whether the images belong to a storage; an empty folder is assigned to it.
  func belongs(to storage: String) throws(IngestError) -> Bool
}

/// The SHA-256 of an image, which is its name.
struct MediaDigest: Hashable, Sendable {
  /// 64 lowercase hexadecimal digits.
  let hex: String

  /// Parses a digest in a path; nil when it is invalid.
  init?(hex: String) {
    let isDigest = hex.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    guard hex.utf8.count == 64, isDigest else { return nil }
    self.hex = hex
  }

  init(of bytes: [UInt8]) { hex = SHA256Digest.hex(bytes) }
}

/// The properties of an image.
struct MediaDescription: Hashable, Sendable {
  let digest: MediaDigest
  let type: ImageType
  /// In bytes.
  let size: Int
}

/// An image that a record was given.
struct StoredMedia: Hashable, Sendable {
  /// Its number among those of its user.
  let id: Int64
  let description: MediaDescription
}
