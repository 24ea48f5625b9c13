// SPDX-License-Identifier: Apache-2.0

extension SyntheticHealthExport {
  /// A workout of the document.
  public struct Workout: Hashable, Sendable {
    /// How a workout's totals are written.
    public enum Form: String, Hashable, Sendable {
      /// As attributes, as before iOS 16.
      case attributes
      /// As elements with statistics.
      case statistics
      /// Not at all: the workout of another app.
      case durationOnly
    }

    /// The activity, `HKWorkoutActivityTypeRunning`.
    public var activity: String
    /// The name of the source.
    public var source: String
    /// How the totals are written.
    public var form: Form
    /// When it began, in seconds since 1970.
    public var start: Int
    /// When it ended, in seconds since 1970.
    public var end: Int
    /// Its duration without pauses, in seconds.
    public var durationSeconds: Int
    /// Whether there was a pause.
    public var hasPause: Bool
    /// Active energy in kcal.
    public var energy: Double?
    /// The distance in meters.
    public var meters: Double?
    /// The type of its distance, `HKQuantityTypeIdentifierDistanceCycling`.
    public var distanceType: String?
    /// The mean heart rate in beats a minute, as printed.
    public var averageHeartRate: Double?
    /// The lowest heart rate in beats a minute.
    public var minimumHeartRate: Int?
    /// The highest heart rate in beats a minute.
    public var maximumHeartRate: Int?
    /// The path of the route's file in the folder, or `inline` for one in the document.
    public var route: String?
    /// The time zone in its metadata.
    public var timeZone: String?
  }

  /// A measurement of blood pressure: a correlation, and two records at top level.
  public struct BloodPressure: Hashable, Sendable {
    /// When it was measured, in seconds since 1970.
    public var time: Int
    /// In mmHg.
    public var systolic: Int
    /// In mmHg.
    public var diastolic: Int
    /// The name of the source.
    public var source: String
    /// Whether a person typed it in.
    public var isUserEntered: Bool
  }
}
