// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension SantorioSession {
  /// Posted for ``SessionEvent/recordSubmitted(_:serverID:)``; the object is the session.
  public static let recordSubmittedNotification = Notification.Name(
    "org.santorio.recordSubmitted")
  /// Posted for ``SessionEvent/recordFailed(_:_:)``.
  public static let recordFailedNotification = Notification.Name("org.santorio.recordFailed")
  /// Posted for ``SessionEvent/deletionDelivered(_:)``.
  public static let deletionDeliveredNotification = Notification.Name(
    "org.santorio.deletionDelivered")
  /// Posted for ``SessionEvent/deletionFailed(_:_:)``.
  public static let deletionFailedNotification = Notification.Name("org.santorio.deletionFailed")
  /// Posted for ``SessionEvent/recordDamaged(logID:)``.
  public static let recordDamagedNotification = Notification.Name("org.santorio.recordDamaged")
  /// Posted for ``SessionEvent/declinedRecordRemoved(_:)``.
  public static let declinedRecordRemovedNotification = Notification.Name(
    "org.santorio.declinedRecordRemoved")
  /// Posted for ``SessionEvent/imageSubmitted(_:logID:)``.
  public static let imageSubmittedNotification = Notification.Name("org.santorio.imageSubmitted")
  /// Posted for ``SessionEvent/imageFailed(_:logID:_:)``.
  public static let imageFailedNotification = Notification.Name("org.santorio.imageFailed")
  /// Posted for ``SessionEvent/storageRecovered(_:)``.
  public static let storageRecoveredNotification = Notification.Name(
    "org.santorio.storageRecovered")
  /// Posted for ``SessionEvent/queueSetAside(_:)``.
  public static let queueSetAsideNotification = Notification.Name("org.santorio.queueSetAside")
  /// Posted for ``SessionEvent/sessionEnded(_:)``.
  public static let sessionEndedNotification = Notification.Name("org.santorio.sessionEnded")
}

extension SessionEvent {
  static let userInfoKey = "event"

  var notificationName: Notification.Name {
    switch self {
    case .recordSubmitted: SantorioSession.recordSubmittedNotification
    case .recordFailed: SantorioSession.recordFailedNotification
    case .deletionDelivered: SantorioSession.deletionDeliveredNotification
    case .deletionFailed: SantorioSession.deletionFailedNotification
    case .recordDamaged: SantorioSession.recordDamagedNotification
    case .declinedRecordRemoved: SantorioSession.declinedRecordRemovedNotification
    case .imageSubmitted: SantorioSession.imageSubmittedNotification
    case .imageFailed: SantorioSession.imageFailedNotification
    case .storageRecovered: SantorioSession.storageRecoveredNotification
    case .queueSetAside: SantorioSession.queueSetAsideNotification
    case .sessionEnded: SantorioSession.sessionEndedNotification
    }
  }

  /// The event that a notification of a session carries.
  ///
  /// - Parameter notification: The notification.
  public init?(_ notification: Notification) {
    guard let event = notification.userInfo?[Self.userInfoKey] as? SessionEvent else { return nil }
    self = event
  }
}
