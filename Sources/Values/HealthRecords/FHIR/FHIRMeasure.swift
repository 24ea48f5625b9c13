// SPDX-License-Identifier: Apache-2.0

/// How the values of a metric in a unit are written: their code, profile, category and unit.
struct FHIRMeasure {
  let concept: FHIRConcept
  /// Whether there is a LOINC code for values in the unit.
  let isCoded: Bool
  /// The profile of vital signs that applies; nil for other metrics.
  let profile: VitalSignProfile?
  let category: FHIRCategory?
  /// The unit that is written, and its UCUM code where it is known.
  let unit: String
  let ucum: String?
  private let convert: (Double) -> Double

  /// - Parameters:
  ///   - type: What is measured.
  ///   - unit: The unit of the values.
  ///   - kind: The kind of the record, since LOINC tells steps of a day from steps, and glucose in
  ///     blood from glucose under the skin.
  init(_ type: MetricType, unit: String, in kind: RecordKind) {
    let definition = type.definition
    // Without a conversion the unit is of another dimension, and so not what the LOINC code means.
    let conversion = Self.conversion(of: type, from: unit)
    let loinc = conversion == nil ? nil : definition?.loinc
    profile = loinc.flatMap(VitalSignProfile.init)
    // A profile's unit is fixed; the panel of blood pressure is one too.
    let isFixed = loinc != nil && (profile != nil || definition?.ucum == "mm[Hg]")
    self.unit = isFixed ? definition?.unit ?? unit : unit
    convert = isFixed ? conversion ?? { $0 } : { $0 }
    ucum = UCUM.code(of: self.unit, for: type)
    category = profile == nil ? FHIRCategory(of: type) : .vitalSigns
    let codes = (profile?.codes ?? [Self.loinc(loinc, of: type, ucum: ucum, in: kind)])
      .compactMap { $0.map(FHIRCoding.loinc) }
    isCoded = !codes.isEmpty
    let name = definition?.displayName ?? type.rawValue
    concept = FHIRConcept(
      codes + [.own("metric", type.rawValue)],
      text: type == .bloodGlucose && kind == .cgm ? "Glucose in interstitial fluid" : name)
  }

  func quantity(_ value: Double) -> FHIRQuantity {
    FHIRQuantity(value: convert(value), unit: unit, ucum: ucum)
  }

  private static func loinc(
    _ code: String?, of type: MetricType, ucum: String?, in kind: RecordKind
  ) -> String? {
    switch (type, ucum, kind) {
    case (.bloodGlucose, "mg/dL", .cgm): "99504-3"
    case (.bloodGlucose, "mmol/L", .cgm): "105272-9"
    case (.bloodGlucose, "mmol/L", _): "15074-8"
    // The table's code is that of steps in any time.
    case (.steps, _, .summary): code == nil ? nil : "41950-7"
    default: code
    }
  }

  /// The function from a unit to the table's; nil when they do not measure the same.
  private static func conversion(of type: MetricType, from unit: String) -> ((Double) -> Double)? {
    if unit == type.definition?.unit { return { $0 } }
    guard Metric(type, 1, unit: unit).standardValue != nil else { return nil }
    return { value in
      // Finer than any device, and without the noise of the conversion.
      ((Metric(type, value, unit: unit).standardValue ?? value) * 10_000).rounded() / 10_000
    }
  }
}

/// A number with its unit (`Quantity`).
struct FHIRQuantity: Hashable, Sendable {
  let value: Double
  let unit: String
  let ucum: String?

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("value")
      json.number(value)
      json.optional("unit", unit.fhirText)
      guard let ucum else { return }
      json.optional("system", "http://unitsofmeasure.org")
      json.optional("code", ucum)
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
