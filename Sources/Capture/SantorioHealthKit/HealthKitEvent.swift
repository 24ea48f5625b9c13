// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// What happens while HealthKit is read.
public enum HealthKitEvent: Hashable, Sendable {
  /// Samples of a type were read, and their records are stored; the server has them later.
  ///
  /// The type is an identifier such as `HKQuantityTypeIdentifierStepCount`.
  case recordsProcessed(type: String, kind: RecordKind, count: Int)
  /// Samples of a type were deleted, and the deletions are stored.
  case deletionsProcessed(type: String, count: Int)
  /// A type could not be read; it is read again with the next change, or when the device is unlocked.
  case failed(type: String, HealthKitError)
  /// The system does not run the app's background tasks.
  case backgroundTasksUnavailable(HealthKitError)
  /// The session has ended, and with it all subscriptions.
  case subscriptionsEnded
}

extension Notification.Name {
  /// Records of a type were stored: `type` is its identifier, `count` their number, `kind` their kind.
  ///
  /// It is posted on the main thread. Its object is the manager.
  public static let healthKitRecordsProcessed = Notification.Name(
    "SantorioHealthKitRecordsProcessed")
}

/// The keys of the notification `healthKitRecordsProcessed`.
public enum HealthKitNotificationKey {
  /// The identifier of the type, a `String`.
  public static let type = "type"
  /// How many records, an `Int`.
  public static let count = "count"
  /// The kind of the records, a `String`.
  public static let kind = "kind"
}
