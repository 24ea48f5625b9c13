// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

extension FHIRObservation {
  /// Writes the resource.
  func write(to json: inout JSONWriter, subject: String) {
    let times = FHIRTime(utcOffsetSeconds: record.time.utcOffsetSeconds)
    json.object { json in
      json.optional("resourceType", "Observation")
      writeHead(to: &json)
      json.optional("status", status)
      if let category { json.concepts("category", [category.concept]) }
      json.key("code")
      concept.write(to: &json)
      json.reference("subject", to: subject)
      writeTime(to: &json, times)
      if isManual { json.references("performer", to: subject) }
      value?.write(to: &json)
      json.concepts("interpretation", interpretation)
      writeRemarks(to: &json)
      if reportedDevice != nil { json.reference("device", to: "#device") }
      writeComponents(to: &json)
    }
  }

  /// A device that measured; none where a person entered the value.
  private var reportedDevice: FHIRDevice? {
    isManual ? nil : device.flatMap { FHIRDevice($0, of: record) }
  }

  private var status: String {
    if record.enteredInError != nil { return "entered-in-error" }
    if isPreliminary || record.isEarlyEstimate { return "preliminary" }
    return record.lastUpdated != nil && !record.kind.isUpdatedInPlace ? "corrected" : "final"
  }

  /// A day that is not over is sent again later, with other values.
  private var isPreliminary: Bool {
    record.kind.isUpdatedInPlace && issued.map { $0 < record.time.end } ?? false
  }

  /// When the values became known; nil when unknown, and for a span of time whose receipt is its
  /// own beginning.
  private var issued: Date? {
    if let changed = record.enteredInError ?? record.lastUpdated { return changed }
    let time = record.time
    guard let receipt = time.knownReceipt else { return nil }
    return receipt > time.start || time.start == time.end ? receipt : nil
  }

  private func writeHead(to json: inout JSONWriter) {
    // The profiles demand a date.
    if let profile, !record.time.isDeviceTimeDisbelieved {
      json.key("meta")
      json.object { $0.list("profile", [profile.canonical]) { $0.string($1) } }
    }
    if let device = reportedDevice { json.list("contained", [device]) { $1.write(to: &$0) } }
    json.list("identifier", [identifier]) {
      $0.pair("system", FHIREncoder.identifierSystem, "value", $1)
    }
  }

  private func writeTime(to json: inout JSONWriter, _ times: FHIRTime) {
    if record.time.isDeviceTimeDisbelieved {
      json.absent("_effectiveDateTime", "unknown")
    } else if start == end {
      json.optional("effectiveDateTime", times.text(start))
    } else {
      json.key("effectivePeriod")
      json.pair("start", times.text(start), "end", times.text(end))
    }
    json.optional("issued", issued.map(times.text))
  }

  private func writeRemarks(to json: inout JSONWriter) {
    let notes = record.fhirNotes
    if !notes.isEmpty {
      json.list("note", notes) { json, note in json.object { $0.optional("text", note) } }
    }
    if let site {
      json.key("bodySite")
      site.write(to: &json)
    }
    guard isManual else { return }
    json.key("method")
    FHIRConcept([.own("origin", "manual")], text: "Entered by a person").write(to: &json)
  }

  private func writeComponents(to json: inout JSONWriter) {
    let all = components + record.time.fhirComponents + record.fhirRemarks
    guard !all.isEmpty else { return }
    json.list("component", all) { json, component in
      json.object { json in
        json.key("code")
        component.concept.write(to: &json)
        component.value.write(to: &json)
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func concepts(_ name: StaticString, _ concepts: [FHIRConcept]) {
    guard !concepts.isEmpty else { return }
    list(name, concepts) { $1.write(to: &$0) }
  }

  fileprivate mutating func reference(_ name: StaticString, to reference: String) {
    key(name)
    object { $0.optional("reference", reference) }
  }

  fileprivate mutating func references(_ name: StaticString, to reference: String) {
    list(name, [reference]) { json, reference in
      json.object { $0.optional("reference", reference) }
    }
  }
}
