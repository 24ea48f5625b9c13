// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// A record that left the queue without being stored by the server, or a deletion that the server
/// has not been told of.
public struct QuarantinedRecord: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The number of the record in the quarantine, used to retry or discard it.
  public let id: Int64
  /// The record's identifier; empty when it is damaged.
  public let logID: String
  /// The user whose record it is.
  public let userID: String
  /// The user's organisation.
  public let organizationID: String
  /// When it left the queue.
  public let date: Date
  /// The server's reason; nil when the record was damaged on the disk.
  public let failure: RecordFailure?
  /// The record's Inform v2 form, or the form of the deletion, or what is left of it.
  public let bytes: [UInt8]

  /// The deletion, if it is one.
  public var deletion: RecordDeletion? { RecordDeletion(stored: bytes) }

  /// Why it is here, without the record.
  public var description: String { failure?.description ?? "a record damaged on the disk" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// An image that the server refused, or that is damaged.
public struct QuarantinedImage: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The identifier of the record that it belongs to; empty when it is damaged.
  public let logID: String
  /// What is known about the image.
  public let media: RecordMedia
  /// The server's reason.
  public let failure: RecordFailure

  /// Why it is here, without the image.
  public var description: String { failure.description }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
