// SPDX-License-Identifier: Apache-2.0

import Foundation
import ValidicCore

#if canImport(UIKit)
  import UIKit
#endif

// The code of Validic's guide "iOS Native SDK" on sessions, once each, in the least surrounding that
// compiles. What differs from the guide is marked by "Changed".

/// "Test Installation".
final class InstallationDelegate {
  // Changed: the statement that prints the version is cut off in the guide.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    print("Validic \(VLDSession.libraryVersion())")
    return true
  }
}

/// "Manage a Session".
enum SessionSnippets {
  /// "Start a session".
  static func start() {
    let user = VLDUser(
      validicUserID: "user_id", organizationID: "organization_id", accessToken: "access_token")
    VLDSession.sharedInstance().start(with: user)
  }

  /// "Default User".
  static func startWithDefaultUser() {
    VLDSession.sharedInstance().start(with: VLDUser.defaultUser())
  }

  /// "Best Practices".
  static func useUser() -> Bool {
    // Changed: the body of `guard` is cut off in the guide.
    guard let _ = VLDSession.sharedInstance().user else {
      return false
    }
    return true
  }

  /// "Retrieve data continuously", the note.
  static func end() {
    VLDSession.sharedInstance().end()
  }
}

/// "Session End Notification" and "Record Submission Notifications".
final class SessionObserver: NSObject {
  #if canImport(ObjectiveC)
    func observe() {
      NotificationCenter.default.addObserver(
        self, selector: #selector(sessionDidEnd(_:)), name: NSNotification.Name.vldSessionEnded,
        object: nil)
      NotificationCenter.default.addObserver(
        self, selector: #selector(recordDidUpload(_:)),
        name: NSNotification.Name.vldRecordSubmitted, object: nil)
      NotificationCenter.default.addObserver(
        self, selector: #selector(imageDidUpload(_:)),
        name: NSNotification.Name.vldRecordImageSubmitted, object: nil)
      NotificationCenter.default.addObserver(
        self, selector: #selector(recordSubmissionDidFail(_:)),
        name: NSNotification.Name.vldRecordSubmissionFailed, object: nil)
      NotificationCenter.default.addObserver(
        self, selector: #selector(imageSubmissionDidFail(_:)),
        name: NSNotification.Name.vldRecordImageSubmissionFailed, object: nil)
    }
  #endif

  // Changed in all five: `@objc` is left out where there is no Objective-C, and closing braces and the
  // `return` of each `guard` are cut off in the guide.

  #if canImport(ObjectiveC)
    @objc
  #endif
  func sessionDidEnd(_ notification: Notification) {
    guard let sessionInfo = notification.userInfo as? [String: Any] else {
      return
    }
    let userID = sessionInfo["validicUserID"] as? String ?? ""
    let organizationID = sessionInfo["organizationID"] as? String ?? ""
    let unsyncedRecords = sessionInfo["records"] as? [VLDRecord] ?? []
    NSLog(
      "Session ended for user %@ of organization %@, with %i unsynced records.", userID,
      organizationID, unsyncedRecords.count)
  }

  #if canImport(ObjectiveC)
    @objc
  #endif
  func recordDidUpload(_ notification: Notification) {
    guard let record = notification.object as? VLDRecord else {
      return
    }
    // Changed: what is done with the record is cut off in the guide.
    print(record)
  }

  #if canImport(ObjectiveC)
    @objc
  #endif
  func imageDidUpload(_ notification: Notification) {
    guard let record = notification.object as? VLDMedia else { return }
    print(record.mediaID ?? "")
    print(record.mediaURL ?? "")
  }

  #if canImport(ObjectiveC)
    @objc
  #endif
  func recordSubmissionDidFail(_ notification: Notification) {
    guard let userInfo = notification.userInfo as? [String: Any],
      let error = userInfo["error"] as? NSError,
      let record = notification.object as? VLDRecord
    else {
      return
    }
    print("Record submission failed with error: \(error)")
    print("Record: \(record)")
  }

  #if canImport(ObjectiveC)
    @objc
  #endif
  func imageSubmissionDidFail(_ notification: Notification) {
    guard let userInfo = notification.userInfo as? [String: Any],
      let error = userInfo["error"] as? NSError,
      let media = notification.object as? VLDMedia
    else {
      return
    }
    print("Record submission failed with error: \(error)")
    print("Media: \(media)")
  }
}
