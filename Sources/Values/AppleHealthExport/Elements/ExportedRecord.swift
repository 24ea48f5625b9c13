// SPDX-License-Identifier: Apache-2.0

/// A record: a quantity or a category sample.
package struct ExportedRecord: Hashable, Sendable {
  /// What a record states.
  package enum Value: Hashable, Sendable {
    /// It states no value, as a mindful session does.
    case none
    case number(Double)
    /// The name of a category's value, `HKCategoryValueSleepAnalysisAsleepCore`.
    case name(InternedString)
  }

  /// An instantaneous heart rate of a heart rate variability sample.
  package struct Beat: Hashable, Sendable {
    package var beatsPerMinute: Double
    /// Seconds since local midnight; nil when the time is written in a form that is not known.
    package var timeOfDay: Double?
  }

  package var sample = ExportedSample()
  package var unit: InternedString?
  package var value = Value.none
  package var beats: [Beat] = []
  /// Whether it is a part of a correlation.
  ///
  /// Exports repeat such a record at the top level.
  package var isNested = false
}

/// A correlation: records that belong together, such as the two of a blood pressure.
package struct ExportedCorrelation: Hashable, Sendable {
  package var sample = ExportedSample()
  package var records: [ExportedRecord] = []
  /// How many of its records could not be read.
  package var unreadRecords = 0
}
