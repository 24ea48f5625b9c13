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
    + sleep + nutrition

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
  ///   - record: The class of the Legacy API.
  ///   - field: The field of that class.
  ///   - others: The fields of further classes.
  ///   - quantity: HealthKit's quantity type without its prefix.
  ///   - category: HealthKit's category type without its prefix.
  /// - Returns: The row.
  static func row(
    _ type: MetricType, _ name: String, _ unit: String, _ ucum: String,
    _ plausible: ClosedRange<Double>, loinc: MetricCode? = nil, mdc: MetricCode? = nil,
    _ record: LegacyRecord, _ field: String? = nil, also others: [LegacyRecord: String] = [:],
    quantity: String? = nil, category: String? = nil
  ) -> MetricDefinition {
    var fields = others
    fields[record] = field
    let identifier =
      quantity.map { "HKQuantityTypeIdentifier" + $0 }
      ?? category.map { "HKCategoryTypeIdentifier" + $0 }
    return MetricDefinition(
      type: type, displayName: name, unit: unit, ucum: ucum, loinc: loinc, mdc: mdc,
      legacyRecord: record, legacyFields: fields, healthKitIdentifier: identifier,
      plausible: plausible)
  }
}
