// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How HealthKit is read.
public struct HealthKitSettings: Sendable {
  /// The time.
  public var now: @Sendable () -> Date = { Date() }
  /// The zone in which the phone is now.
  public var zone: @Sendable () -> TimeZone = { .current }
  /// How many samples and deletions are read at once, and stored in one transaction.
  public var pageSize = 500
  /// How long the system is kept waiting for an answer when it has launched the app in the background;
  /// what is not read by then is read the next time. In seconds.
  public var backgroundTime: TimeInterval = 20
  /// Where the notifications are posted.
  public var notificationCenter: @Sendable () -> NotificationCenter = { .default }

  /// Settings with their defaults.
  public init() {}
}
