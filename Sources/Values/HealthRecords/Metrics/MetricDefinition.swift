// SPDX-License-Identifier: Apache-2.0

/// One row of the table of metrics: all that encoders, mappings and displays know about a metric.
public struct MetricDefinition: Hashable, Sendable {
  /// What is measured, by its name in the Inform API.
  public let type: MetricType
  /// The name for a reader, in English.
  public let displayName: String
  /// The unit of the Inform API.
  public let unit: String
  /// The same unit in UCUM's case-sensitive notation.
  public let ucum: String
  /// The LOINC code with its source, where one stands for the metric whatever else is known.
  ///
  /// Some metrics have other codes by specimen, site, unit, device or kind of record; those are in a
  /// table of their own, which the FHIR form uses.
  public let loinc: MetricCode?
  /// The code of ISO/IEEE 11073-10101 with its source, where one is sure.
  public let mdc: MetricCode?
  /// The record class of the Legacy API (v1) that a measurement of this metric belongs to; nil where
  /// none is published.
  public let legacyRecord: LegacyRecord?
  /// The metric's field in each class of the Legacy API that has one.
  public let legacyFields: [LegacyRecord: String]
  /// The identifiers of HealthKit's types that the metric is made of, the usual one first; none where
  /// HealthKit does not know it.
  ///
  /// A type may stand in several rows: that of heart rates makes the pulse and the average of a workout.
  public let healthKitIdentifiers: [String]
  /// What the values mean, where they are codes and no amounts: `2` of menstrual flow is `light`.
  public let valueNames: [Int: String]
  /// The values a living person can have, in ``unit``.
  public let plausible: ClosedRange<Double>

  /// The field of ``legacyRecord``, where that class has one.
  public var legacyField: String? { legacyRecord.flatMap { legacyFields[$0] } }
}

/// The record classes of the Legacy API (v1).
public enum LegacyRecord: String, CaseIterable, Hashable, Sendable {
  /// Blood pressure, temperature, oxygen saturation, heart rate, laboratory values.
  case biometrics
  /// Blood glucose and what goes with diabetes.
  case diabetes
  /// Exercise.
  case fitness
  /// Food and water.
  case nutrition
  /// The activity of a day.
  case routine
  /// Sleep.
  case sleep
  /// Weight and body composition.
  case weight
}
