// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// How the values of a metric in a unit are written: their code, profile, category and unit.
///
/// What has a LOINC code is written in the unit of the table of metrics, since the code stands for
/// it; blood glucose alone has a code for each of its units. In a unit that cannot be converted a
/// value keeps the unit and has no LOINC code.
struct FHIRMeasure {
  let concept: FHIRConcept
  let category: FHIRCategory?
  /// The profile of vital signs that applies; nil for other metrics.
  let profile: VitalSignProfile?
  /// Whether there is a LOINC code.
  let isCoded: Bool
  private let type: MetricType
  private let given: String
  private let unit: String

  /// - Parameters:
  ///   - type: What is measured.
  ///   - unit: The unit of the values.
  ///   - kind: The kind of the record, since LOINC has different codes for steps and steps of a
  ///     day, for glucose in blood and under the skin, and for values of a pedometer.
  init(_ type: MetricType, unit: String, in kind: RecordKind) {
    let loinc = Self.loinc(of: type, in: unit, kind)
    let definition = type.definition
    self.type = type
    given = unit
    self.unit = loinc == nil || type == .bloodGlucose ? unit : definition?.unit ?? unit
    isCoded = loinc != nil
    profile = loinc.flatMap(VitalSignProfile.init)
    category = profile == nil ? FHIRCategory(of: type) : .vitalSigns
    let codes = profile?.codes ?? [loinc]
    let isTissue = type == .bloodGlucose && kind == .cgm
    concept = FHIRConcept(
      codes.compactMap { $0.map(FHIRCoding.loinc) } + [.own("metric", type.rawValue)],
      text: isTissue ? "Glucose in interstitial fluid" : definition?.displayName ?? type.rawValue)
  }

  func quantity(_ value: Double, _ bound: Metric.Bound? = nil) -> FHIRQuantity {
    let ucum = UCUM.code(of: unit, for: type)
    return FHIRQuantity(
      value: unit == given ? value : converted(value), comparator: bound?.comparator,
      // The Inform API names the energy of a day like energy.
      unit: ucum == "kcal/d" ? "kcal/d" : unit, ucum: ucum)
  }

  /// The value of a metric, or why there is none.
  func value(of metric: Metric) -> FHIRValue {
    metric.value.map { .quantity(quantity($0, metric.bound)) }
      ?? .absent((metric.absence ?? .unknown).fhirReason)
  }

  /// The value in the table's unit, finer than any device and without the noise of the conversion.
  private func converted(_ value: Double) -> Double {
    ((Metric(type, value, unit: given).standardValue ?? value) * 10_000).rounded() / 10_000
  }

  private static func loinc(
    of type: MetricType, in unit: String, _ kind: RecordKind
  ) -> String? {
    // Without a conversion the unit is of another dimension, and so not what a code means.
    guard Metric(type, 1, unit: unit).standardValue != nil else { return nil }
    switch (type, GlucoseUnit(rawValue: unit), kind) {
    case (.bloodGlucose, .milligramsPerDeciliter, .cgm): return "99504-3"
    case (.bloodGlucose, .millimolesPerLiter, .cgm): return "105272-9"
    case (.bloodGlucose, .millimolesPerLiter, _): return "15074-8"
    case (.steps, _, .summary): return "41950-7"
    // The codes of the table are those of pedometers.
    case (.averageHeartRate, _, .measurement): return "8867-4"
    case (.maximumHeartRate, _, .measurement): return nil
    // The code is that of a distance walked.
    case (.distance, _, .workout): return nil
    // The code is that of glucose under the skin.
    case (.averageBloodGlucose, _, let kind) where kind != .cgm: return nil
    default: return type.definition?.loinc
    }
  }
}

/// A number with its unit (`Quantity`).
struct FHIRQuantity: Hashable, Sendable {
  let value: Double
  /// `<` or `>` where the value is a bound.
  var comparator: String?
  let unit: String
  let ucum: String?

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("value")
      json.number(value)
      json.optional("comparator", comparator)
      json.optional("unit", unit.fhirText)
      guard let ucum else { return }
      json.optional("system", "http://unitsofmeasure.org")
      json.optional("code", ucum)
    }
  }
}

extension Metric.Bound {
  fileprivate var comparator: String { self == .below ? "<" : ">" }
}

extension Metric.Absence {
  /// The code of the system `data-absent-reason`.
  var fhirReason: String {
    switch self {
    case .belowRange: "negative-infinity"
    case .aboveRange: "positive-infinity"
    case .unknown: "unknown"
    }
  }
}

/// The kind of an Observation, of the system `observation-category`.
enum FHIRCategory: String, Sendable {
  case activity
  case laboratory
  case socialHistory = "social-history"
  case therapy
  case vitalSigns = "vital-signs"

  var concept: FHIRConcept {
    FHIRConcept([.terminology("observation-category", rawValue)])
  }

  /// The category of what a kind of record holds; nil for kinds that hold anything.
  init?(ofKind kind: RecordKind) {
    switch kind {
    case .workout, .sleep, .summary, .intraday: self = .activity
    case .nutrition: self = .socialHistory
    default: return nil
    }
  }

  /// The category of a metric; nil for one that the table does not know.
  init?(of type: MetricType) {
    switch type.definition?.legacyRecord {
    case .diabetes: self = type == .insulin ? .therapy : .laboratory
    case .fitness, .routine, .sleep: self = .activity
    case .nutrition: self = .socialHistory
    case .weight: self = .vitalSigns
    case .biometrics: self = Self.laboratoryMetrics.contains(type) ? .laboratory : .vitalSigns
    case nil: return nil
    }
  }

  private static let laboratoryMetrics = Set(
    MetricTable.laboratory.map(\.type) + [.inr, .prothrombinTime])
}
