// SPDX-License-Identifier: Apache-2.0

extension SyntheticHealthExport {
  /// What an export is like; equal options make equal bytes.
  public struct Options: Hashable, Sendable {
    /// How much is exported.
    public enum Size: Hashable, Sendable {
      /// So many days, 1...20,000.
      case days(Int)
      /// A document of about so many bytes (within 5 %), at least 500,000.
      ///
      /// The number of days follows from it. For less than a month the watch's most frequent
      /// records become rarer, so that the size is met all the same.
      case bytes(Int)
    }

    /// Which offset from UTC the dates of the document have.
    public enum OffsetKind: String, Hashable, Sendable, CaseIterable {
      /// One for all dates: the phone's when it exported.
      case atExport
      /// That of the place and the time of each record.
      case atCapture
    }

    /// The version that the document's own type declaration (DTD) gives.
    public enum DocumentVersion: String, Hashable, Sendable, CaseIterable {
      /// That of iOS 12: no statistics of workouts, no stages of sleep, routes in the document.
      case version8 = "8"
      /// That of iOS 16.0, whose declaration is malformed: one of its lists is never closed.
      case version12 = "12"
      /// That of iOS 17 and later; the document is valid.
      case version14 = "14"
      /// A document without a declaration, otherwise as version 14.
      case undeclared = "none"
    }

    /// The units in which the phone's owner sees values.
    public enum Units: String, Hashable, Sendable, CaseIterable {
      /// km, kg, cm, kcal, degC and mmol/L.
      case metric
      /// mi, lb, in, Cal, degF and mg/dL.
      case american
    }

    /// Days in another time zone.
    public struct StayAbroad: Hashable, Sendable {
      /// The time zone's name, `Europe/Berlin`.
      public var timeZone: String
      /// The first day there.
      public var first: Day
      /// The last day there.
      public var last: Day

      /// Makes a stay.
      ///
      /// - Parameters:
      ///   - timeZone: The time zone's name.
      ///   - first: The first day there.
      ///   - last: The last day there, not before `first`.
      public init(timeZone: String, first: Day, last: Day) {
        self.timeZone = timeZone
        self.first = first
        self.last = last
      }
    }

    /// What is wrong with the document.
    public struct Faults: Hashable, Sendable {
      /// A vertical tab, which XML does not allow, in some attributes.
      public var controlCharacter = false
      /// `startDate` twice in some elements with the statistics of a workout.
      public var duplicateAttribute = false
      /// How many of the records are followed by exact copies of themselves, 0...0.5.
      public var duplicateRecords = 0.0
      /// Where the document ends in the middle of an element, as a part of its length in 0.05...1;
      /// nil for a complete one.
      public var cut: Double?

      /// Makes a document without a fault.
      public init() {}
    }

    /// How much is exported.
    public var size: Size
    /// Which of many lives is made up.
    public var seed: UInt64
    /// The last day of the export, which is made on the morning after it.
    public var lastDay = Day(daysSince1970: 20_407)
    /// The name of the time zone at home.
    public var timeZone = "America/New_York"
    /// Days in another time zone.
    public var abroad: StayAbroad?
    /// Which offset from UTC the dates of the document have.
    public var offsets = OffsetKind.atExport
    /// The version of the document.
    public var version = DocumentVersion.version14
    /// The units of values.
    public var units = Units.metric
    /// What is wrong with the document.
    public var faults = Faults()
    /// The document's file name, which a phone translates (`导出.xml`).
    public var documentName = "export.xml"

    /// Makes options with their defaults: 15 November 2025 is the last day, New York the home.
    ///
    /// - Parameters:
    ///   - size: How much is exported.
    ///   - seed: Which of many lives is made up.
    public init(size: Size = .days(30), seed: UInt64 = 1) {
      self.size = size
      self.seed = seed
    }
  }
}
