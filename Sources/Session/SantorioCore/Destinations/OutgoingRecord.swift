// SPDX-License-Identifier: Apache-2.0

public import HealthRecords

/// A record on its way to a server, or the deletion of one, as the stored bytes.
public struct OutgoingRecord: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The record's identifier.
  public let logID: String
  /// The record in Inform v2 format, or the deletion: one JSON object without line breaks.
  public let informJSON: [UInt8]
  /// The name of the part that is sent now, of a record that is sent in parts; see
  /// ``RecordDestination/parts(of:)``.
  public var part: String?

  /// Makes an outgoing record.
  ///
  /// - Parameters:
  ///   - logID: The record's identifier.
  ///   - informJSON: The record in Inform v2 format.
  ///   - part: The name of the part that is sent now.
  public init(logID: String, informJSON: [UInt8], part: String? = nil) {
    self.logID = logID
    self.informJSON = informJSON
    self.part = part
  }

  /// Decodes the record, for a destination that needs another format.
  ///
  /// - Returns: The record.
  /// - Throws: `RecordError` when the bytes are not a record.
  public func record() throws(RecordError) -> HealthRecord {
    try HealthRecord(informJSON: informJSON)
  }

  /// Whether it is the deletion of a record; see ``RecordDestination/acceptsDeletions``.
  public var isDeletion: Bool { RecordDeletion.isForm(informJSON) }

  /// Decodes the deletion.
  ///
  /// - Returns: The deletion.
  /// - Throws: `RecordError` when the bytes are not a deletion.
  public func deletion() throws(RecordError) -> RecordDeletion {
    try RecordDeletion(json: informJSON)
  }

  /// States the length, and nothing of the record.
  public var description: String { "an outgoing record of \(informJSON.count) bytes" }
  /// Empty, so that a dump shows no health values.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A part of a record that is sent with a request of its own.
public struct OutgoingPart: Hashable, Sendable {
  /// Its name, which no other part of the record has; it stays the same when the record is sent again.
  public let name: String
  /// Why the server cannot hold it; nil for a part that is sent.
  public let failure: RecordFailure?

  /// Makes a part.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - failure: Why the server cannot hold it.
  public init(_ name: String, failure: RecordFailure? = nil) {
    self.name = name
    self.failure = failure
  }
}

/// An image on its way to a server, sent after the record to which it belongs.
public struct OutgoingImage: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The identifier of the record to which the image belongs.
  public let logID: String
  /// The SHA-256 of ``bytes`` in lower-case hexadecimal digits.
  public let sha256: String
  /// The media type, for instance `image/jpeg`.
  public let contentType: String
  /// The image file.
  public let bytes: [UInt8]

  /// Makes an outgoing image.
  ///
  /// - Parameters:
  ///   - logID: The identifier of the record to which the image belongs.
  ///   - sha256: The SHA-256 of the bytes in lower-case hexadecimal digits.
  ///   - contentType: The media type.
  ///   - bytes: The image file.
  public init(logID: String, sha256: String, contentType: String, bytes: [UInt8]) {
    self.logID = logID
    self.sha256 = sha256
    self.contentType = contentType
    self.bytes = bytes
  }

  /// States the length, and nothing of the image.
  public var description: String { "an outgoing image of \(bytes.count) bytes" }
  /// Empty, so that a dump shows no image.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
