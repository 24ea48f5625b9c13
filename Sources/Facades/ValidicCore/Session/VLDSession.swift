// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
import SantorioConcurrency
package import SantorioCore

/// The session of the app: its user, and the records that wait for the server.
///
/// A record is on disk when ``submitRecord(_:)`` returns, and is sent until the server has answered
/// for it. Nothing is sent while the app has not said to which server, see ``configure(_:)``. All
/// methods may be called on any thread, also the main one.
#if canImport(ObjectiveC)
  @objc(VLDSession) @objcMembers
#endif
public final class VLDSession: NSObject, Sendable {
  /// The session of Santorio's behind this one.
  package let session: SantorioSession
  /// The server, if one was named.
  let destination: (any RecordDestination)?
  private let events: Task<Void, Never>

  init(_ configuration: SantorioSession.Configuration, isConfigured: Bool) {
    session = SantorioSession(configuration)
    destination = isConfigured ? configuration.destination : nil
    events = SessionNotifications.post(session.events, in: configuration.notificationCenter)
    super.init()
    session.resume()
    #if canImport(UIKit) && !os(watchOS)
      AppLifecycle.follow(session)
    #endif
  }

  deinit { events.cancel() }

  /// The version of the library, for instance `1.2.0`.
  ///
  /// - Returns: The version of Santorio.
  public static func libraryVersion() -> String { SantorioVersion.current }

  // MARK: - User

  /// The user of the session; nil when there is no session, and when its file cannot be read now.
  ///
  /// While only the token cannot be read, as before the first unlock of a phone, it is empty: nobody has
  /// logged out then.
  public var user: VLDUser? {
    do throws(SessionError) {
      return try session.userAndWait().map(VLDUser.init)
    } catch {
      FacadeLog.warn("the session's user cannot be read now")
    }
    guard let (userID, organizationID) = try? session.storedUserAndWait() else { return nil }
    return VLDUser(validicUserID: userID, organizationID: organizationID, accessToken: "")
  }

  /// Starts a user's session; it is current when this returns.
  ///
  /// The session of another user ends, see ``end()``. For the user of the current session the tokens
  /// are replaced, and its records keep waiting. The server is asked whether it knows the user; if it
  /// does not, the session ends by itself, with `NSNotification.Name.vldSessionEnded`.
  ///
  /// A session that cannot be started, for instance with an empty token, is logged. That of another
  /// user ends in this case too: its records must not become those of the user who has come.
  ///
  /// - Parameter user: The user.
  #if canImport(ObjectiveC)
    @objc(startSessionWithUser:)
  #endif
  public func start(with user: VLDUser) {
    do throws(SessionError) {
      try session.startAndWait(user.user)
    } catch {
      FacadeLog.failed("the session was not started", error)
      endSession(ofOtherThan: user)
    }
  }

  private func endSession(ofOtherThan user: VLDUser) {
    do throws(SessionError) {
      guard let current = try session.storedUserAndWait() else { return }
      guard current != (user.validicUserID, user.organizationID) else { return }
      try session.endAndWait()
    } catch {
      FacadeLog.failed("the session of the user before was not ended", error)
    }
  }

  /// Ends the session.
  ///
  /// Records that were not sent are in the notification of the end and in an archive file;
  /// subscriptions and passive reading end.
  #if canImport(ObjectiveC)
    @objc(endSession)
  #endif
  public func end() {
    do throws(SessionError) {
      try session.endAndWait()
    } catch {
      FacadeLog.failed("the session was not ended", error)
    }
  }

  // MARK: - Records

  /// Stores a record in the queue; it is on disk when this returns.
  ///
  /// One that cannot be stored is in the notification
  /// `NSNotification.Name.vldRecordSubmissionFailed`.
  ///
  /// - Parameter record: The record; nil is ignored.
  public func submitRecord(_ record: VLDRecord!) {
    guard let record else { return }
    submitRecords([record])
  }

  /// Stores records of any classes in the queue, all or none; they are on disk when this returns.
  ///
  /// - Parameter records: The records, see ``submitRecord(_:)``.
  public func submitRecords(_ records: [VLDRecord]) {
    submit(records) { () throws(SessionError) in
      try session.submitAndWait(records.map(\.content))
    }
  }

  /// Stores a record and its image in the queue; they are on disk when this returns.
  ///
  /// If only the image cannot be stored, the record is, and the notification
  /// `NSNotification.Name.vldRecordImageSubmissionFailed` says why.
  ///
  /// - Parameters:
  ///   - record: The record; nil is ignored.
  ///   - imageData: JPEG, PNG or HEIC, at most 16 MiB; nil submits the record alone.
  public func submitRecord(_ record: VLDRecord!, imageData: Data?) {
    guard let record else { return }
    guard let imageData else { return submitRecord(record) }
    do throws(SessionError) {
      try session.submitAndWait(record.content, image: imageData)
    } catch {
      FacadeLog.failed("an image was not stored; its record is tried alone", error)
      SessionNotifications.postRefusedImage(error, in: session.notificationCenter)
      submitRecord(record)
    }
  }

  private func submit(_ records: [VLDRecord], _ store: () throws(SessionError) -> Void) {
    do throws(SessionError) {
      try store()
    } catch {
      FacadeLog.failed("records were not stored", error)
      SessionNotifications.postRefused(
        records.map(\.content), error, in: session.notificationCenter)
    }
  }

  /// Tries to send now, whatever the session waits for.
  public func processQueue() { session.processQueue() }
}

extension FacadeLog {
  /// Logs the error of a method that returns nothing.
  ///
  /// - Parameters:
  ///   - what: What was not done.
  ///   - error: Why.
  static func failed(_ what: StaticString, _ error: SessionError) {
    if SantorioLogging.shared.isEnabled {
      SantorioLogging.shared.log(.session, level: .warning, what, [.error(error.code)])
    } else {
      NSLog("%@", "Santorio: \(what): \(error.message)")
    }
  }
}
