// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How HealthKit is read.
public struct HealthKitSettings: Sendable {
  /// The time.
  public var now: @Sendable () -> Date = { Date() }
  /// The zone in which the phone is now.
  public var zone: @Sendable () -> TimeZone = { .current }
  /// How many days before today a subscription reaches back that is new in the session; 0, the day
  /// itself, by default.
  public var daysBack = 0
  /// Whether a subscription to steps also makes records of the steps of each quarter of an hour, of
  /// today and the six days before; not by default.
  ///
  /// When it is true again, the next reading makes up for the days on which it was not.
  public var sendsIntradaySteps: @Sendable () -> Bool = { false }
  /// How many samples and deletions are read at once, and stored in one transaction.
  public var pageSize = 500
  /// How many seconds the system is kept waiting for an answer after a launch in the background.
  ///
  /// What is not read by then is read the next time.
  public var backgroundTime: TimeInterval = 20
  /// Where the notifications are posted.
  public var notificationCenter: @Sendable () -> NotificationCenter = { .default }

  /// Settings with their defaults.
  public init() {}
}
