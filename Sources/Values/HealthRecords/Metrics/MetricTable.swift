// SPDX-License-Identifier: Apache-2.0

/// The table of metrics.
///
/// The names are those of Validic's published explorer for the Inform API; a metric that only the
/// Legacy API knows has the name of its field there. Units stand as in the published examples. For
/// metrics that no example shows, the unit is the one the Legacy API documents, or our choice. Each
/// code has its source beside it, see ``CodeSource``.
public enum MetricTable {
  /// All rows.
  public static let rows: [MetricDefinition] =
    bloodPressure + diabetes + laboratory + heart + body + respiration + activity + workout
    + sleep + nutrition + reproduction

  /// The row of a metric.
  ///
  /// - Parameter type: What is measured.
  /// - Returns: Its row, or nil when the table does not know it.
  public static func row(_ type: MetricType) -> MetricDefinition? { index[type] }

  private static let index = Dictionary(uniqueKeysWithValues: rows.map { ($0.type, $0) })

  /// Makes a row.
  ///
  /// - Parameters:
  ///   - type: What is measured.
  ///   - name: The name for a reader.
  ///   - unit: The unit of the Inform API.
  ///   - ucum: The unit in UCUM's notation.
  ///   - plausible: The values a living person can have.
  ///   - loinc: The LOINC code.
  ///   - mdc: The code of ISO/IEEE 11073-10101.
  ///   - record: The class of the Legacy API; nil where none is published.
  ///   - field: The field of that class.
  ///   - others: The fields of further classes.
  ///   - quantity: HealthKit's quantity types without their prefix.
  ///   - category: HealthKit's category types without their prefix.
  ///   - correlation: HealthKit's correlations that have the quantity, without their prefix.
  ///   - isOfWorkouts: Whether HealthKit's workouts say it, too.
  ///   - names: What the values mean, where they are codes.
  /// - Returns: The row.
  static func row(
    _ type: MetricType, _ name: String, _ unit: String, _ ucum: String,
    _ plausible: ClosedRange<Double>, loinc: MetricCode? = nil, mdc: MetricCode? = nil,
    _ record: LegacyRecord?, _ field: String? = nil, also others: [LegacyRecord: String] = [:],
    quantity: String..., category: String..., correlation: String..., isOfWorkouts: Bool = false,
    names: [Int: String] = [:]
  ) -> MetricDefinition {
    var fields = others
    if let record { fields[record] = field }
    let identifiers =
      quantity.map { "HKQuantityTypeIdentifier" + $0 }
      + category.map { "HKCategoryTypeIdentifier" + $0 }
      + correlation.map { "HKCorrelationTypeIdentifier" + $0 }
      + (isOfWorkouts ? ["HKWorkoutTypeIdentifier"] : [])
    return MetricDefinition(
      type: type, displayName: name, unit: unit, ucum: ucum, loinc: loinc, mdc: mdc,
      legacyRecord: record, legacyFields: fields, healthKitIdentifiers: identifiers,
      valueNames: names, plausible: plausible)
  }
}
