// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

// What a record says of itself, for each of its Observations.
extension HealthRecord {
  /// The user's comments, and the names of what was eaten.
  var fhirNotes: [String] {
    let comments = userNotes.filter { $0.type == "message" }.compactMap(\.value.fhirText)
    return comments + segments.compactMap(\.fhirNote)
  }

  /// Findings, other remarks and extras.
  var fhirRemarks: [FHIRComponent] {
    let words = [
      ("category", category), ("name", name), ("intensity", intensity),
    ].compactMap { label, text in
      FHIRComponent(.own("record", label), label, text: text)
    }
    let tags = tags.filter { !namesValue($0) }.compactMap {
      FHIRComponent(.own("tag", $0.name), $0.name, text: $0.value)
    }
    let notes = userNotes.filter { $0.type != "message" }.compactMap(\.fhirComponent)
    let extras = extras.sorted { $0.key < $1.key }.compactMap { name, value in
      value.fhirValue.map { FHIRComponent(FHIRConcept([.own("extra", name)], text: name), $0) }
    }
    return words + tags + notes + extras
  }

  /// Whether a finding is the name of a coded value, which the value itself says.
  private func namesValue(_ tag: RecordTag) -> Bool {
    metrics.contains { $0.type.rawValue == tag.name && $0.valueName == tag.value }
  }

  /// What is to be known of the value of a metric.
  func interpretation(of metric: Metric) -> [FHIRConcept] {
    var concepts: [FHIRConcept] = []
    // A record of another system may say it by its finding only.
    let range = metric.type == .bloodGlucose ? glucoseRange : nil
    if metric.bound == .below || metric.absence == .belowRange || range == .low {
      concepts.append(.interpretation("<"))
    } else if metric.bound == .above || metric.absence == .aboveRange || range == .high {
      concepts.append(.interpretation(">"))
    }
    let findings = findings(about: metric.type)
    let isDoubted = findings.contains(.measurementStatus("questionable"))
    return concepts + findings
      + (isDoubted || metric.isPlausible ? [] : [.measurementStatus("questionable")])
  }

  /// What the findings mean for a metric.
  func findings(about type: MetricType) -> [FHIRConcept] {
    var concepts: [FHIRConcept] = []
    if type == .pulse, tags.contains(RecordTag(name: "irregular_pulse", value: "true")) {
      concepts.append(.interpretation("A", text: "Irregular pulse"))
    }
    if isEarlyEstimate {
      concepts.append(.measurementStatus("early-indication", text: "Early estimate"))
    }
    if doubts(about: type) { concepts.append(.measurementStatus("questionable")) }
    return concepts
  }
}

extension FHIRConcept {
  fileprivate static func interpretation(_ code: String, text: String? = nil) -> FHIRConcept {
    FHIRConcept([.terminology("v3-ObservationInterpretation", code)], text: text)
  }

  /// How far a device trusts a measurement, in the codes of HL7's guides for devices.
  fileprivate static func measurementStatus(_ code: String, text: String? = nil) -> FHIRConcept {
    FHIRConcept([FHIRCoding(measurementStatusSystem, code)], text: text)
  }

  static let measurementStatusSystem =
    "http://hl7.org/fhir/uv/pocd/CodeSystem/measurement-status"
}

extension FHIRComponent {
  /// A remark in words; nil when there are none.
  fileprivate init?(_ coding: FHIRCoding, _ label: String, text: String?) {
    guard let text = text?.fhirText else { return nil }
    let concept = FHIRConcept([coding], text: label.replacing("_", with: " "))
    switch text {
    case "true": self.init(concept, .flag(true))
    case "false": self.init(concept, .flag(false))
    default: self.init(concept, .text(text))
    }
  }
}

extension UserNote {
  fileprivate var fhirComponent: FHIRComponent? {
    guard type == "relationship_to_meal", let text = value.fhirText else {
      return FHIRComponent(.own("note", type), type, text: value)
    }
    let question = MetricTable.mealRelation
    let answer = MetricTable.mealRelations[value]
    return FHIRComponent(
      FHIRConcept(
        question.codes.map(FHIRCoding.init) + [.own("note", type)], text: question.name),
      .concept(FHIRConcept(answer?.codes.map(FHIRCoding.init) ?? [], text: text)))
  }
}

extension ExtraValue {
  fileprivate var fhirValue: FHIRValue? {
    switch self {
    case .text(let text): text.fhirText.map(FHIRValue.text)
    // A vital sign allows no quantity but of its own units here.
    case .number(let number):
      Int32(exactly: number).map(FHIRValue.integer) ?? .text(number.shortText)
    case .flag(let flag): .flag(flag)
    case .null: .absent("unknown")
    // A component has no parts.
    case .list, .object: String(decoding: json, as: UTF8.self).fhirText.map(FHIRValue.text)
    }
  }
}

extension NutritionSegment {
  /// The names of a part of a meal and of its foods: `Breakfast: Porridge (Oatco), 1.5 cup`.
  fileprivate var fhirNote: String? {
    let foods = food.map { food in
      let brand = food.brand.map { " (\($0))" } ?? ""
      let serving = food.serving.map { ", \($0.amount.shortText) \($0.unitName)" } ?? ""
      return food.name + brand + serving
    }
    return ([name] + (foods.isEmpty ? [] : [foods.joined(separator: "; ")]))
      .joined(separator: ": ").fhirText
  }
}

extension Double {
  /// The number without a fraction of zero.
  var shortText: String {
    var json = JSONWriter()
    json.number(self)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
