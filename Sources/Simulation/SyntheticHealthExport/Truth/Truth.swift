// SPDX-License-Identifier: Apache-2.0

extension SyntheticHealthExport {
  /// What a perfect reader finds in an export.
  ///
  /// Sums per day are computed from the events behind the records, each event apart and in closed
  /// form, never by merging finished samples. Counts and sums per type, and the elements, are taken
  /// from what was written. The article <doc:Truth> has the rules.
  public struct Truth: Hashable, Sendable {
    /// What the export is like.
    public var options: Options
    /// How many days it has.
    public var dayCount: Int
    /// When it was made, in seconds since 1970.
    public var exportTime: Int
    /// The document's size in bytes.
    public var documentBytes: Int
    /// How often each element occurs in the document, at any depth, copies included.
    public var elements: [String: Int]
    /// How many of the elements called Record are not in a correlation, copies included.
    public var topLevelRecords: Int
    /// The types of the records at top level, in the order of the document.
    public var types: [TypeCount]
    /// Days by the zone at home; with a stay abroad, days by the zone of the place, too.
    public var grids: [Grid]
    /// The workouts in the order of the document.
    public var workouts: [Workout]
    /// The correlations of blood pressure in the order of the document.
    public var bloodPressures: [BloodPressure]
    /// What is wrong with the document.
    public var faults: [Fault]
  }

  /// How many records a type has at top level.
  public struct TypeCount: Hashable, Sendable {
    /// The type's identifier.
    public var identifier: String
    /// The unit as a reader understands it; nil for a category.
    public var unit: String?
    /// How many records there are.
    public var count = 0
    /// How many there are without exact copies.
    public var distinct = 0
    /// The sum of the values of distinct records, in the unit.
    public var sum = 0.0
    /// How many distinct records have each value of a category.
    public var categories: [String: Int] = [:]
    /// When the first record begins, in seconds since 1970.
    public var firstStart = 0
    /// When the last record begins, in seconds since 1970.
    public var lastStart = 0
  }

  /// Days of calendars on one rule for the zone.
  public struct Grid: Hashable, Sendable {
    /// `home` for the zone at home always, `local` for that of the place.
    public var name: String
    /// The days, ascending, with those beside the export's own ones onto which a record extends.
    public var days: [DayTruth]
  }

  /// Two ways to add up what several sources counted.
  public struct Sums: Hashable, Sendable {
    /// All distinct samples.
    public var naive: Double
    /// Each moment by the best source that covers it: watch, then phone, then another.
    public var merged: Double
  }

  /// A day's figures; nil where nothing was recorded.
  public struct DayTruth: Hashable, Sendable {
    /// The day.
    public var date: Day
    /// When it begins, in seconds since 1970.
    public var start: Int
    /// When it ends, in seconds since 1970: 23, 24 or 25 hours later, or another number on a day of
    /// travel.
    public var end: Int
    /// Steps.
    public var steps: Sums?
    /// Walking and running, in meters.
    public var meters: Sums?
    /// Flights of stairs.
    public var flights: Sums?
    /// Active energy in kcal.
    public var activeEnergy: Sums?
    /// Minutes of exercise.
    public var exerciseMinutes: Double?
    /// Hours in which one stood, by their beginning.
    public var stoodHours: Int?
    /// Hours in which one did not.
    public var idleHours: Int?
    /// Mindful minutes, each moment once.
    public var mindfulMinutes: Double?
    /// Heart rates.
    public var heartRate: HeartRate?
    /// The night that ended on this day; two at times, where the grid's zone is not the place's.
    public var sleep: Sleep?
  }

  /// The heart rates of a day, in beats a minute.
  public struct HeartRate: Hashable, Sendable {
    /// How many distinct samples there are.
    public var count: Int
    /// The lowest.
    public var minimum: Int
    /// The highest.
    public var maximum: Int
    /// The arithmetic mean.
    public var average: Double
  }

  /// The seconds of a night.
  ///
  /// If the watch recorded stages, other sources' sleep is ignored. Else it is the other app's.
  public struct Sleep: Hashable, Sendable {
    /// Awake, by the watch.
    public var awake: Int
    /// Core sleep.
    public var core: Int
    /// Deep sleep.
    public var deep: Int
    /// REM sleep.
    public var rem: Int
    /// Asleep without a stage.
    public var unspecified: Int
    /// What another app takes for sleep outside the watch's time: not part of ``asleep``.
    public var unspecifiedOutsideStages: Int
    /// The union of all sources' times in bed.
    public var inBed: Int

    /// Asleep in any stage.
    public var asleep: Int { core + deep + rem + unspecified }
  }

  /// Something that is wrong with the document.
  public struct Fault: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable {
      /// The declaration of version 12.
      case malformedDeclaration
      /// A vertical tab in an attribute.
      case controlCharacter
      /// An attribute that occurs twice.
      case duplicateAttribute
      /// Exact copies of records.
      case duplicateRecords
      /// The end of the document in the middle of an element.
      case cut
    }

    /// What it is.
    public var kind: Kind
    /// The position in the document, in bytes, of the element that has it.
    public var offset: Int
    /// How many there are.
    public var count: Int
    /// What a reader must do.
    public var expectation: String
  }
}
