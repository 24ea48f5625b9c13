// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// How the values of a metric in a unit are written: their code, profile, category and unit.
///
/// What has a LOINC code is written in the unit of the table of metrics, since the code stands for
/// it; glucose alone has a code for each of its units. In a unit that cannot be converted a value
/// keeps the unit and has no LOINC code.
///
/// What a device showed is written instead, digit by digit, where the code stands for its unit or the
/// profile takes it: glucose in mmol/L, a temperature in °F, a weight in pounds.
struct FHIRMeasure {
  private(set) var concept: FHIRConcept
  private(set) var category: FHIRCategory?
  /// The profile of vital signs that applies; nil for other metrics.
  private(set) var profile: VitalSignProfile?
  /// The profile of a continuous monitor's glucose that applies.
  let glucoseProfile: GlucoseProfile?
  /// Where on the body, if no code says it.
  let site: FHIRConcept?
  /// The code of ISO/IEEE 11073-10101, which the form ``FHIRProfile/phd`` writes, and both forms of
  /// what is ``sampled``.
  let mdc: MetricCode?
  /// Whether there is a LOINC code.
  let isCoded: Bool
  private let type: MetricType
  private let given: String
  private var unit: String
  /// The bound that a finding of the record says, where the metric says none.
  private var bound: Metric.Bound?
  /// What the device showed, where it is written.
  private var shown: ShownValue?

  /// - Parameters:
  ///   - type: What is measured.
  ///   - unit: The unit of the values.
  ///   - record: The record, whose kind, source and findings some codes depend on.
  init(_ type: MetricType, unit: String, in record: HealthRecord) {
    let codes = record.codes(of: type, unit: unit)
    let definition = type.definition
    let keepsUnit = codes.loinc == nil || GlucoseUnit.measures(type)
    self.type = type
    given = unit
    self.unit = keepsUnit ? unit : definition?.unit ?? unit
    isCoded = codes.loinc != nil
    mdc = codes.mdc
    site = codes.site.map { FHIRConcept([FHIRCoding($0.code)], text: $0.name) }
    profile = codes.loinc.flatMap(VitalSignProfile.init)
    glucoseProfile = GlucoseProfile(codes.loinc?.code)
    category = FHIRCategory(of: type, codes.loinc)
    let loincs = profile?.codes ?? [codes.loinc].compactMap(\.self)
    concept = FHIRConcept(
      loincs.map(FHIRCoding.init) + [.own("metric", type.rawValue)],
      text: codes.meaning ?? definition?.displayName ?? type.rawValue)
  }

  /// The measure of a metric of the record.
  init(_ metric: Metric, in record: HealthRecord) {
    let shown = metric.comparableShown
    let isGlucose = shown.flatMap { GlucoseUnit(rawValue: $0.unit) } != nil
    self.init(metric.type, unit: isGlucose ? shown?.unit ?? "" : metric.unit, in: record)
    if metric.type == .bloodGlucose { bound = record.glucoseRange?.bound }
    guard let shown, isGlucose || takes(shown.unit) else { return }
    unit = shown.unit
    self.shown = shown
  }

  /// The measure of the samples of a vital sign.
  ///
  /// A validator holds an Observation against the profile of a vital sign by its LOINC code, and a
  /// server by its category; the profile demands one quantity. So samples have neither, but the code
  /// of ISO/IEEE 11073-10101, and the category of what instruments measure.
  var sampled: FHIRMeasure {
    guard profile != nil else { return self }
    var measure = self
    measure.profile = nil
    measure.category = .exam
    measure.concept = FHIRConcept(
      [mdc.map(FHIRCoding.init), .own("metric", type.rawValue)].compactMap(\.self),
      text: concept.text)
    return measure
  }

  /// Whether a value may be written in the unit: in the usual one, or in one of the profile.
  private func takes(_ shownUnit: String) -> Bool {
    let ucum = UCUM.code(of: shownUnit, for: type)
    return shownUnit == unit || ucum.map { profile?.units.contains($0) ?? false } ?? false
  }

  func quantity(_ value: Double, _ bound: Metric.Bound? = nil) -> FHIRQuantity {
    let ucum = UCUM.code(of: unit, for: type)
    return FHIRQuantity(
      value: unit == given ? value : converted(value), comparator: bound?.comparator,
      unit: glucoseProfile?.unitText ?? ucum.flatMap { Self.names[$0] } ?? unit, ucum: ucum)
  }

  /// The value of a metric with its bound, as the device showed it where that is written.
  private func quantity(_ value: Double, of metric: Metric) -> FHIRQuantity {
    let bound = metric.bound ?? bound
    guard let shown else { return quantity(value, bound) }
    return FHIRQuantity(
      value: shown.number, digits: shown.text, comparator: bound?.comparator,
      unit: glucoseProfile?.unitText ?? shown.unit, ucum: UCUM.code(of: shown.unit, for: type))
  }

  /// Units that the Inform API names otherwise: the energy of a day like energy, days as a count.
  private static let names = ["kcal/d": "kcal/d", "d": "days"]

  /// The value of a metric, or why there is none.
  func value(of metric: Metric) -> FHIRValue {
    guard let value = metric.value else {
      return .absent((metric.absence ?? .unknown).fhirReason)
    }
    if let name = metric.valueName {
      return .concept(
        FHIRConcept([.own("value", name)], text: name.replacing("_", with: " ")))
    }
    return .quantity(quantity(value, of: metric))
  }

  /// The value in the table's unit, finer than any device and without the noise of the conversion.
  private func converted(_ value: Double) -> Double {
    ((Metric(type, value, unit: given).standardValue ?? value) * 10_000).rounded() / 10_000
  }
}

/// A number with its unit (`Quantity`).
struct FHIRQuantity: Hashable, Sendable {
  let value: Double
  /// The decimal text of the value, whose digits a reader takes for its precision; nil where the
  /// shortest is right.
  var digits: String?
  /// `<` or `>` where the value is a bound.
  var comparator: String?
  let unit: String
  let ucum: String?

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.number("value", value, digits: digits)
      json.optional("comparator", comparator)
      json.optional("unit", unit.fhirText)
      guard let ucum else { return }
      json.optional("system", "http://unitsofmeasure.org")
      json.optional("code", ucum)
    }
  }
}

extension GlucoseRange {
  fileprivate var bound: Metric.Bound { self == .low ? .below : .above }
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
  /// What instruments measure of the body and what is no vital sign.
  case exam
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
  ///
  /// A server holds what is in the category of vital signs against their profiles, so that only
  /// what R4 calls a vital sign is in it.
  init?(of type: MetricType, _ loinc: MetricCode?) {
    if let loinc, VitalSignProfile(loinc) != nil || Self.pressures.contains(loinc.code) {
      self = .vitalSigns
      return
    }
    switch type.definition?.legacyRecord {
    case .diabetes: self = type == .insulin ? .therapy : .laboratory
    case .fitness, .routine, .sleep: self = .activity
    case .nutrition: self = .socialHistory
    case .weight: self = .exam
    case .biometrics: self = Self.laboratoryMetrics.contains(type) ? .laboratory : .exam
    case nil:
      guard MetricTable.reproduction.contains(where: { $0.type == type }) else { return nil }
      self = type == .ovulationTestResult ? .laboratory : .exam
    }
  }

  /// The parts of a blood pressure, which are vital signs without a profile of their own.
  private static let pressures: Set = ["8480-6", "8462-4", "8478-0"]

  private static let laboratoryMetrics = Set(
    MetricTable.laboratory.map(\.type) + [.inr, .prothrombinTime])
}
