// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

extension SantorioSession {
  /// Stores a record and its image in the queue, both or none; on disk when this returns.
  ///
  /// The image is sent after its record. The stored record lists it among its media. If the
  /// session ends in between, the image is sent in the next session of the same user.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - image: JPEG, PNG or HEIC, at most 16 MiB.
  /// - Throws: ``SessionError`` when nothing was stored, of code `invalidRecord` when the image has
  ///   another format or is too large; see ``submit(_:)-([HealthRecord])``.
  public func submit(_ record: HealthRecord, image: Data) async throws(SessionError) {
    try await submit(record, image: image, inSession: nil)
  }

  /// Submits a record and its image for one session only; nil for the current session.
  package func submit(
    _ record: HealthRecord, image: Data, inSession number: Int64?
  ) async throws(SessionError) {
    var record = record
    let item = try Self.add(image, to: &record)
    try await submit([record], images: [item], inSession: number)
  }

  /// Lists an image among the media of its record, and prepares it for the queue.
  static func add(_ image: Data, to record: inout HealthRecord) throws(SessionError) -> ImageItem {
    let bytes = Array(image)
    let media = try media(of: bytes)
    record.media.removeAll { $0.sha256 == media.sha256 }
    record.media.append(media)
    return ImageItem(
      logID: record.logID, digest: media.sha256, contentType: media.contentType, bytes: bytes)
  }

  private static func media(of bytes: [UInt8]) throws(SessionError) -> RecordMedia {
    guard bytes.count <= ImageFiles.maximumSize else {
      throw SessionError(
        .invalidRecord, "the image has \(bytes.count) bytes; the limit is 16 MiB")
    }
    guard let type = ImageType(of: bytes) else {
      throw SessionError(.invalidRecord, "the image is not a JPEG, PNG or HEIC file")
    }
    return RecordMedia(of: bytes, contentType: type.rawValue)
  }

  /// The images that the server refused, or that are damaged; their records were stored.
  ///
  /// - Returns: The images, oldest first.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func quarantinedImages() async throws(SessionError) -> [QuarantinedImage] {
    try await outbox.refusedImages()
  }

  /// Queues the images of the quarantine to be sent again.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``SessionError`` when the file cannot be written.
  @discardableResult
  public func retryQuarantinedImages() async throws(SessionError) -> Int {
    defer { wakeUpload() }
    return try await outbox.retryImages()
  }

  /// Removes images from the quarantine, and their files; their records stay.
  ///
  /// - Parameter images: The images, as ``quarantinedImages()`` returns them.
  /// - Returns: How many were removed; those queued again in the meantime stay.
  /// - Throws: ``SessionError`` when the file cannot be written.
  @discardableResult
  public func discardQuarantinedImages(
    _ images: [QuarantinedImage]
  ) async throws(SessionError) -> Int {
    try await outbox.discardImages(images)
  }

  /// How many images wait for the server or for their record; those in an archive do not count.
  ///
  /// - Returns: The number of images.
  /// - Throws: ``SessionError`` when the file cannot be read.
  public func pendingImageCount() async throws(SessionError) -> Int {
    try await outbox.imageCount()
  }

  /// The bytes of an image that waits, was refused, or belongs to an archive.
  ///
  /// - Parameter media: The image, as listed in a record.
  /// - Returns: The bytes; nil when the image was sent, or is damaged.
  /// - Throws: ``SessionError`` when the key cannot be read.
  public func image(_ media: RecordMedia) async throws(SessionError) -> Data? {
    try await outbox.imageBytes(media.sha256).map { Data($0) }
  }
}
