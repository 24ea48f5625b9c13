// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore

/// The domain of errors of the session; the codes are HTTP statuses where a server has answered, and
/// else 0.
public let kVLDSessionErrorDomain = "VLDSessionErrorDomain"

extension NSNotification.Name {
  /// A session has ended; `userInfo` has `validicUserID`, `organizationID` and `records`, an array of
  /// the ``VLDRecord``s that were not sent.
  public static let vldSessionEnded = NSNotification.Name("kVLDSessionEndedNotification")
  /// The server has stored a record; the object is the ``VLDRecord``.
  public static let vldRecordSubmitted = NSNotification.Name("kVLDRecordSubmittedNotification")
  /// A record will not be sent; the object is the ``VLDRecord``, and `userInfo` has an `error`.
  ///
  /// One that the server refused stays readable in the quarantine.
  public static let vldRecordSubmissionFailed = NSNotification.Name(
    "kVLDRecordSubmissionFailedNotification")
  /// The server has stored an image; the object is the ``VLDMedia``.
  public static let vldRecordImageSubmitted = NSNotification.Name(
    "kVLDRecordImageSubmittedNotification")
  /// An image will not be sent; the object is the ``VLDMedia``, and `userInfo` has an `error`.
  public static let vldRecordImageSubmissionFailed = NSNotification.Name(
    "kVLDRecordImageSubmissionFailedNotification")
}

/// Posts what happens in the session as notifications, on the main thread.
enum SessionNotifications {
  /// Posts events as they come, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - events: The events; one counts as delivered when its notification was posted.
  ///   - center: Where they are posted.
  /// - Returns: The task.
  static func post(_ events: SessionEvents, in center: NotificationCenter) -> Task<Void, Never> {
    let center = PostingCenter(center)
    return Task { @MainActor in
      for await event in events {
        event.validicNotification.map(center.post)
      }
    }
  }

  /// Posts that records could not be stored.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - error: Why.
  ///   - center: Where it is posted.
  static func postRefused(
    _ records: [HealthRecord], _ error: SessionError, in center: NotificationCenter
  ) {
    let center = PostingCenter(center)
    DispatchQueue.main.async {
      for record in records {
        center.post(
          Notification(
            name: .vldRecordSubmissionFailed, object: VLDRecord.record(of: record),
            userInfo: ["error": NSError(error)]))
      }
    }
  }

  /// Posts that an image could not be stored.
  ///
  /// - Parameters:
  ///   - error: Why.
  ///   - center: Where it is posted.
  static func postRefusedImage(_ error: SessionError, in center: NotificationCenter) {
    let center = PostingCenter(center)
    DispatchQueue.main.async {
      center.post(
        Notification(
          name: .vldRecordImageSubmissionFailed, object: VLDMedia(),
          userInfo: ["error": NSError(error)]))
    }
  }
}

extension SessionEvent {
  /// The notification of Validic's documents; nil where they have none.
  var validicNotification: Notification? {
    switch self {
    case .recordSubmitted(var record, let serverID):
      guard record.kind.isReading else { return nil }
      record.serverID = serverID
      return Notification(name: .vldRecordSubmitted, object: VLDRecord.record(of: record))
    case .recordFailed(let record, let failure):
      guard record.kind.isReading else { return nil }
      return Notification(
        name: .vldRecordSubmissionFailed, object: VLDRecord.record(of: record),
        userInfo: ["error": NSError(failure)])
    case .imageSubmitted(let media, _):
      return Notification(name: .vldRecordImageSubmitted, object: VLDMedia(media))
    case .imageFailed(let media, _, let failure):
      return Notification(
        name: .vldRecordImageSubmissionFailed, object: VLDMedia(media),
        userInfo: ["error": NSError(failure)])
    case .sessionEnded(let ended):
      let readings = ended.unsentRecords.filter(\.kind.isReading)
      return Notification(
        name: .vldSessionEnded, object: nil,
        userInfo: [
          "validicUserID": ended.userID, "organizationID": ended.organizationID,
          "records": readings.map(VLDRecord.record),
        ])
    default: return nil
    }
  }
}

extension NSError {
  /// What the server, or the way to it, found wrong with a record.
  convenience init(_ failure: RecordFailure) {
    var information: [String: Any] = [
      NSLocalizedDescriptionKey: failure.message, "code": failure.code,
    ]
    information["path"] = failure.path
    self.init(
      domain: kVLDSessionErrorDomain, code: failure.status ?? 0, userInfo: information)
  }

  /// Why a record could not be stored.
  convenience init(_ error: SessionError) {
    self.init(
      domain: kVLDSessionErrorDomain, code: error.status ?? 0,
      userInfo: [
        NSLocalizedDescriptionKey: error.message, "code": error.code.description,
        NSUnderlyingErrorKey: error,
      ])
  }
}
