// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// An Observation of a record that was deleted at its source: entered in error, without its values.
///
/// It takes the place of what the server has under the identifier. Where the server has nothing,
/// it keeps what is sent later under the condition that the identifier is new from being stored.
struct FHIRDeletion {
  let deletion: RecordDeletion
  /// What comes after the `log_id` in the identifier.
  let part: String
  let concept: FHIRConcept

  private init(_ deletion: RecordDeletion, part: String, _ concept: FHIRConcept) {
    self.deletion = deletion
    self.part = part
    self.concept = concept
  }

  /// The Observations of a deleted record, as far as a deletion can name them.
  ///
  /// - Throws: ``RecordError`` when it cannot: the metrics are not known, or the Observations are
  ///   named by the times of their values.
  static func all(of deletion: RecordDeletion) throws(RecordError) -> [FHIRDeletion] {
    try deletion.validate()
    if let kind = deletion.kind {
      guard kind.isReading else { throw RecordError.noReading(kind) }
      guard kind != .intraday, kind != .cgm else {
        throw RecordError(
          .invalidValue, at: "type",
          "its Observations are named by the times of their values, which a deletion has not")
      }
      if [.workout, .sleep, .nutrition].contains(kind) {
        return [FHIRDeletion(deletion, part: kind.rawValue, .deleted("record", kind.rawValue))]
      }
    }
    guard !deletion.metrics.isEmpty else {
      throw RecordError(
        .missing, at: "metric_types", "an Observation is named by its metric, which is not known")
    }
    return parts(of: deletion.metrics).map {
      FHIRDeletion(deletion, part: $0.part, .deleted("metric", $0.name))
    }
  }

  /// The names of the Observations that metrics become: both pressures are one.
  private static func parts(of metrics: [MetricType]) -> [(part: String, name: String)] {
    let panel: Set<MetricType> = [.systolic, .diastolic]
    let hasPanel = metrics.contains(where: panel.contains)
    let rest = metrics.filter { type in
      !panel.contains(type) && !(hasPanel && type == .meanArterialPressure)
    }
    return (hasPanel ? [("blood_pressure", "blood_pressure")] : [])
      + rest.map { ($0.part, $0.rawValue) }
  }

  /// By what the server has the Observation once.
  func identity(of subject: String) -> FHIRIdentity {
    FHIRIdentity(
      type: "Observation", system: FHIREncoder.identifierSystem,
      value: "\(deletion.logID)/\(part)", subject: subject)
  }

  /// Writes the resource.
  func write(to json: inout JSONWriter, in context: FHIRContext) {
    json.object { json in
      json.optional("resourceType", "Observation")
      json.list("identifier", [identity(of: context.subject)]) {
        $0.pair("system", $1.system, "value", $1.value)
      }
      json.optional("status", "entered-in-error")
      json.key("code")
      concept.write(to: &json)
      json.reference("subject", .address(context.subject))
      json.optional("issued", FHIRTime(utcOffsetSeconds: nil).text(deletion.noticed))
      json.list("note", ["Deleted at its source"]) { json, text in
        json.object { $0.optional("text", text) }
      }
    }
  }
}

extension FHIRConcept {
  fileprivate static func deleted(_ kind: String, _ name: String) -> FHIRConcept {
    FHIRConcept([.own(kind, name)], text: name.replacing("_", with: " "))
  }
}
