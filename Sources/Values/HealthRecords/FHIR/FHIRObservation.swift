// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

/// One Observation that a record makes.
struct FHIRObservation {
  let record: HealthRecord
  /// What comes after the record's ``HealthRecord/logID`` in the identifier.
  var part: String
  var concept: FHIRConcept
  /// The code of ISO/IEEE 11073-10101, where there is one.
  var mdc: MetricCode?
  var profile: VitalSignProfile?
  var glucoseProfile: GlucoseProfile?
  var category: FHIRCategory?
  var start: Date
  var end: Date
  var value: FHIRValue?
  var components: [FHIRComponent] = []
  var interpretation: [FHIRConcept] = []
  /// Where on the body, if the code does not say it.
  var site: FHIRConcept?
  /// Whether a person entered the value instead of a device.
  var isManual = false
  var device: SourceDevice?
  /// The parts of the record that it was computed from.
  var sources: [String] = []

  /// An Observation over the time of its record.
  init(of record: HealthRecord, part: String, concept: FHIRConcept) {
    self.record = record
    self.part = part
    self.concept = concept
    start = record.time.start
    end = record.time.end
    device = record.source.device
  }

  /// An Observation of one value.
  init(
    of record: HealthRecord, part: String, _ measure: FHIRMeasure, _ value: FHIRValue,
    origin: Metric.Origin
  ) {
    self.init(of: record, part: part, concept: measure.concept)
    (profile, glucoseProfile) = (measure.profile, measure.glucoseProfile)
    mdc = measure.mdc
    site = measure.site
    category = measure.category ?? FHIRCategory(ofKind: record.kind)
    self.value = value
    isManual = origin == .manual
  }

  var identifier: String { "\(record.logID)/\(part)" }

  /// A `log_id` belongs to one user, and a server may have many.
  func identity(of subject: String) -> FHIRIdentity {
    FHIRIdentity(
      type: "Observation", system: FHIREncoder.identifierSystem, value: identifier,
      subject: subject)
  }

  /// A device that measured; none where a person entered the value.
  var reportedDevice: FHIRDevice? {
    isManual ? nil : device.flatMap { FHIRDevice($0, of: record) }
  }
}

/// A part of an Observation (`component`).
struct FHIRComponent {
  let concept: FHIRConcept
  let value: FHIRValue
  /// The code of ISO/IEEE 11073-10101, where there is one.
  var mdc: MetricCode?

  init(_ concept: FHIRConcept, _ value: FHIRValue, mdc: MetricCode? = nil) {
    self.concept = concept
    self.value = value
    self.mdc = mdc
  }
}

/// The value of an Observation or a component.
enum FHIRValue {
  case quantity(FHIRQuantity)
  case samples(FHIRSamples)
  case concept(FHIRConcept)
  case text(String)
  case flag(Bool)
  /// FHIR's integers have 32 bits.
  case integer(Int32)
  /// There is no value; the code of the system `data-absent-reason` says why.
  case absent(String)

  /// Writes the member for the value.
  func write(to json: inout JSONWriter) {
    switch self {
    case .quantity(let quantity):
      json.key("valueQuantity")
      quantity.write(to: &json)
    case .samples(let samples):
      json.key("valueSampledData")
      samples.write(to: &json)
    case .concept(let concept):
      json.key("valueCodeableConcept")
      concept.write(to: &json)
    case .text(let text): json.optional("valueString", text)
    case .flag(let flag):
      json.key("valueBoolean")
      json.bool(flag)
    case .integer(let number):
      json.key("valueInteger")
      json.integer(Int(number))
    case .absent(let reason):
      json.key("dataAbsentReason")
      FHIRConcept([.terminology("data-absent-reason", reason)]).write(to: &json)
    }
  }
}

/// Values at equal distances (`SampledData`).
struct FHIRSamples: Sendable {
  let unit: FHIRQuantity
  let periodMilliseconds: Int
  /// The values in order, nil where there is none.
  let values: [Double?]

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("origin")
      unit.write(to: &json)
      json.optional("period", periodMilliseconds)
      // The guide for personal health devices demands the factor, which is 1 where there is none.
      json.optional("factor", 1)
      json.optional("dimensions", 1)
      json.optional("data", data)
    }
  }

  private var data: String {
    values.map { value in
      guard let value else { return "E" }
      var number = JSONWriter()
      number.number(value)
      return String(decoding: number.bytes, as: UTF8.self)
    }.joined(separator: " ")
  }
}
