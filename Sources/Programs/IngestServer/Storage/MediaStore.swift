// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioCryptography

/// Where the bytes of images are kept; which record has which image is the ``RecordStore``'s.
///
/// Equal bytes are kept once. All functions block; what keeps or removes an image is called one at
/// a time, the others beside it from any thread.
protocol MediaStore: Sendable {
  /// Makes a place for an image that is being received.
  func makePartial(_ digest: MediaDigest) throws(IngestError) -> PartialImage
  /// Keeps an image that was received, which is durable when the call returns.
  func keep(_ partial: PartialImage) throws(IngestError)
  /// Opens an image; nil where it is not there or no longer what it was.
  func open(_ digest: MediaDigest) throws(IngestError) -> OpenImage?
  /// Removes an image; one that is not there is no error.
  func remove(_ digest: MediaDigest) throws(IngestError)
  /// Removes what interrupted writes have left; those that go on are not touched.
  func removePartials() throws(IngestError)
  /// All images that were written before a date.
  func images(olderThan date: Date) throws(IngestError) -> [MediaDigest]
  /// Whether the images are those of a storage; the first one whose images are kept has them from
  /// then on.
  func belongs(to storage: String) throws(IngestError) -> Bool
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

  init(of bytes: [UInt8]) { hex = SHA256Digest.hex(bytes) }
}

/// An image as a record has it.
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
