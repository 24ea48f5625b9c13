// SPDX-License-Identifier: Apache-2.0

public import CivilCalendar
public import Foundation
import HealthRecords

/// The identifiers of records that are made of HealthKit's samples.
///
/// The same samples make the same identifiers on every device and after a reinstall.
public enum SampleIdentity {
  /// The identifier of the record of a sample, a correlation or a workout.
  ///
  /// The identifier of the object is enough, and that is all that is known of a deleted one. What
  /// makes no record of its own, such as a part of a correlation, has an identifier that no record has.
  ///
  /// - Parameter uuid: The object's identifier in the health store.
  /// - Returns: The `log_id`.
  public static func logID(of uuid: UUID) -> String {
    RecordIdentity(device: "apple_health \(uuid.uuidString)", metrics: []).logID
  }

  /// The identifier of the summary of a day: `apple_health-summary-2026-07-14`.
  ///
  /// - Parameter day: The day.
  /// - Returns: The `log_id`.
  public static func summaryLogID(of day: CalendarDay) -> String { "apple_health-summary-\(day)" }

  /// The identifier of the steps in the course of a day: `apple_health-steps-2026-07-14`.
  ///
  /// - Parameter day: The day.
  /// - Returns: The `log_id`.
  public static func stepsLogID(of day: CalendarDay) -> String { "apple_health-steps-\(day)" }

  /// The identifier of a time asleep: `apple_health-sleep-2026-07-14` and `…-2`.
  ///
  /// It has neither the source nor the start: both change when a watch delivers after the phone.
  ///
  /// - Parameters:
  ///   - day: The day of waking up.
  ///   - number: 1 for the longest sleep of the day, 2 and so on for others in the order of time.
  /// - Returns: The `log_id`.
  public static func sleepLogID(wakingOn day: CalendarDay, number: Int = 1) -> String {
    "apple_health-sleep-\(day)" + (number > 1 ? "-\(number)" : "")
  }

  // MARK: - Samples of our own

  /// The sync identifier of a part of a record that is written to the health store.
  ///
  /// - Parameters:
  ///   - logID: The record's `log_id`.
  ///   - part: What the sample is of: the name of a metric, or `blood_pressure`.
  /// - Returns: The value of `HKMetadataKeySyncIdentifier`.
  static func syncIdentifier(of logID: String, part: String) -> String {
    "\(syncPrefix)\(logID)/\(part)"
  }

  static let syncPrefix = "santorio:"
}
