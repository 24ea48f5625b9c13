// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

// What an electronic health record takes, as Epic and Oracle Health describe their FHIR interfaces
// in public: one Observation a request, of few members, and no modifiers of a value.
extension FHIRObservation {
  /// Writes the resource.
  func writeFiling(to json: inout JSONWriter, of subject: String, in chart: FHIRChart) {
    json.object { json in
      json.optional("resourceType", "Observation")
      json.list("identifier", [identifier]) {
        $0.pair("system", FHIREncoder.identifierSystem, "value", $1)
      }
      json.optional("status", "final")
      if let category {
        json.concepts(
          "category", [FHIRConcept([FHIRCoding(chart.categorySystem, category.rawValue)])])
      }
      json.key("code")
      concept.filed.write(to: &json)
      json.reference("subject", .address(subject))
      if let encounter = chart.encounter { json.reference("encounter", .address(encounter)) }
      json.optional(
        "effectiveDateTime", FHIRTime(utcOffsetSeconds: record.time.utcOffsetSeconds).text(start))
      if let performer = chart.performer {
        json.list("performer", [performer]) { FHIRReference.address($1).write(to: &$0) }
      }
      value?.write(to: &json)
      if let note = filedNote {
        json.list("note", [note]) { json, note in json.object { $0.optional("text", note) } }
      }
      guard !components.isEmpty else { return }
      json.list("component", filedComponents) { json, component in
        json.object { json in
          json.key("code")
          component.concept.filed.write(to: &json)
          component.value.write(to: &json)
        }
      }
    }
  }

  /// Checks that the value can be said with the few members.
  func checkCanBeFiled() throws(RecordError) {
    let place = "metrics(\(part))"
    guard concept.loinc != nil else {
      throw RecordError(
        .invalidValue, at: place, "has no LOINC code, by which a health record knows what it is")
    }
    let values = components.isEmpty ? [value] : filedComponents.map { $0.value }
    guard values.allSatisfy({ $0?.isNumber ?? false }),
      !(components.isEmpty && interpretation.contains(where: \.isOffScale))
    else {
      throw RecordError(
        .invalidValue, at: place,
        "a health record takes numbers only; enter what is missing or beyond the device's range by hand"
      )
    }
    guard values.allSatisfy({ $0?.quantity?.ucum != nil }) else {
      throw RecordError(
        .invalidValue, at: place, "a health record takes values in units of UCUM only")
    }
  }

  /// The mean pressure is left to the note: health records have rows for the two others.
  var filedComponents: [FHIRComponent] {
    components.filter { $0.concept.loinc?.code != Self.meanPressure }
  }

  private static let meanPressure = "8478-0"

  // MARK: - The note

  /// What else is to be known, the most important first; nil when there is nothing.
  private var filedNote: String? {
    let words = [doubt, meanPressureText, manner, clock, period, deviceText].compactMap(\.self)
    let text = (words + record.filedFindings + record.fhirNotes).joined(separator: "; ")
    guard text.utf16.count > Self.longestNote else { return text.fhirText }
    var short = ""
    var room = Self.longestNote - 1
    for character in text {
      room -= character.utf16.count
      guard room >= 0 else { break }
      short.append(character)
    }
    return (short + "…").fhirText
  }

  /// The most characters that Epic takes, here as units of UTF-16.
  private static let longestNote = 254

  private var doubt: String? {
    interpretation.contains { $0.codings.first?.code == "questionable" } ? "questionable" : nil
  }

  private var meanPressureText: String? {
    components.first { $0.concept.loinc?.code == Self.meanPressure }?.value.quantity
      .map { "mean \($0.digits ?? $0.value.shortText) \($0.unit)" }
  }

  private var manner: String? {
    isManual ? "entered by the patient" : nil
  }

  private var clock: String? {
    switch record.time.origin {
    case .received: return "time of receipt"
    case .deviceCorrected: return "time corrected by the drift of the device's clock"
    case .device:
      guard let drift = record.time.clockDriftSeconds, abs(drift) >= 60 else { return nil }
      let minutes = Int((abs(drift) / 60).rounded())
      return "device's clock \(minutes) min \(drift > 0 ? "ahead" : "behind")"
    case .user, .unknown: return nil
    }
  }

  /// The end of what lasted; the time is that of its beginning.
  private var period: String? {
    guard end > start else { return nil }
    return "until \(FHIRTime(utcOffsetSeconds: record.time.utcOffsetSeconds).text(end))"
  }

  private var deviceText: String? {
    guard !isManual, let device else { return nil }
    // Which of its users it was is not said: a device's number for them is not always its label.
    let name = [device.manufacturer, device.model].compactMap { $0?.fhirText }
    return name.isEmpty ? nil : name.joined(separator: " ")
  }
}

extension FHIRValue {
  /// Whether it is a number that is no bound.
  fileprivate var isNumber: Bool {
    quantity.map { $0.comparator == nil } ?? false
  }
}

extension ExtraValue {
  fileprivate var plainText: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

extension FHIRConcept {
  /// Whether it says that the value is beyond what the device can measure.
  fileprivate var isOffScale: Bool { codings.contains { $0.code == "<" || $0.code == ">" } }

  /// The concept with one code, that of LOINC.
  fileprivate var filed: FHIRConcept { FHIRConcept([loinc].compactMap(\.self), text: text) }
}

extension HealthRecord {
  /// Findings and remarks in words.
  fileprivate var filedFindings: [String] {
    let remarks = userNotes.filter { $0.type != "message" }
    let extras = extras.sorted { $0.key < $1.key }.map { name, value in
      (name, value.plainText ?? String(decoding: value.json, as: UTF8.self))
    }
    return (tags.map { ($0.name, $0.value) } + remarks.map { ($0.type, $0.value) } + extras)
      .map { name, value in
        (value == "true" ? name : "\(name): \(value)").replacing("_", with: " ")
      }
  }

  /// Checks that a health record can hold it: one final measurement at one known time.
  func checkCanBeFiled() throws(RecordError) {
    guard kind == .measurement || kind == .cgm else {
      throw RecordError(
        .invalidValue, at: "type", "a health record takes measurements only, no \(kind.rawValue)")
    }
    guard enteredInError == nil, lastUpdated == nil else {
      throw RecordError(
        .invalidValue, at: "last_updated",
        "a health record's interface takes no corrections; correct it in the record itself")
    }
    guard !isEarlyEstimate else {
      throw RecordError(
        .invalidValue, at: "tags", "a health record takes final values, and no early estimate")
    }
    guard !isOfUnknownUser else { throw RecordError.undecidedUser }
    guard !time.isDeviceTimeDisbelieved else {
      throw RecordError(
        .invalidValue, at: "start_time",
        "it is not known when this was measured, and a health record needs a time")
    }
  }
}
