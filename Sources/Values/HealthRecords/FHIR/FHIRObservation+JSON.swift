// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

extension FHIRObservation {
  /// Writes the resource.
  func write(to json: inout JSONWriter, in context: FHIRContext) {
    let times = FHIRTime(utcOffsetSeconds: record.time.utcOffsetSeconds)
    let phd = PHDObservation(self, in: context)
    json.object { json in
      json.optional("resourceType", "Observation")
      writeHead(to: &json, phd, in: context)
      json.optional("status", status)
      json.concepts(
        "category",
        [phd.map { _ in PHDObservation.category }, category?.concept].compactMap(\.self))
      json.key("code")
      phd.code(concept, mdc).write(to: &json)
      json.reference("subject", .address(context.subject))
      writeTime(to: &json, times)
      // The patient has entered it.
      if isManual { json.references("performer", [.address(context.subject)]) }
      value?.write(to: &json)
      json.concepts("interpretation", phd?.interpretation ?? interpretation)
      writeRemarks(to: &json)
      if let device = reportedDevice { json.reference("device", device.reference(in: context)) }
      writeSources(to: &json, in: context)
      writeComponents(to: &json, phd)
    }
  }

  private func writeSources(to json: inout JSONWriter, in context: FHIRContext) {
    guard !sources.isEmpty else { return }
    let references = sources.map { part in
      var source = self
      source.part = part
      return FHIRReference.identity(source.identity(of: context.subject), display: nil)
    }
    json.references("derivedFrom", references)
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

  private func writeHead(
    to json: inout JSONWriter, _ phd: PHDObservation?, in context: FHIRContext
  ) {
    let glucose = glucoseProfile.flatMap { $0.fits(self) ? $0 : nil }
    // The profiles demand a date.
    let profiles =
      record.time.isDeviceTimeDisbelieved
      ? [] : [phd?.canonical, profile?.canonical, glucose?.canonical].compactMap(\.self)
    if !profiles.isEmpty {
      json.key("meta")
      json.object { $0.list("profile", profiles) { $0.string($1) } }
    }
    if let device = reportedDevice, device.identity == nil {
      json.list("contained", [device]) { $1.write(to: &$0, in: context) }
    }
    phd?.writeExtensions(to: &json)
    let identifiers =
      [(FHIREncoder.identifierSystem, identifier)]
      + [phd?.identifier.map { (PHDObservation.identifierSystem, $0) }].compactMap(\.self)
    json.list("identifier", identifiers) { $0.pair("system", $1.0, "value", $1.1) }
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

  private func writeComponents(to json: inout JSONWriter, _ phd: PHDObservation?) {
    let all =
      components + (reportedDevice?.components ?? []) + record.time.fhirComponents
      + record.fhirRemarks
    guard !all.isEmpty else { return }
    json.list("component", all) { json, component in
      json.object { json in
        json.key("code")
        phd.code(component.concept, component.mdc).write(to: &json)
        component.value.write(to: &json)
      }
    }
  }
}

extension JSONWriter {
  mutating func concepts(_ name: StaticString, _ concepts: [FHIRConcept]) {
    guard !concepts.isEmpty else { return }
    list(name, concepts) { $1.write(to: &$0) }
  }

  mutating func reference(_ name: StaticString, _ reference: FHIRReference) {
    key(name)
    reference.write(to: &self)
  }

  fileprivate mutating func references(_ name: StaticString, _ references: [FHIRReference]) {
    list(name, references) { $1.write(to: &$0) }
  }
}
