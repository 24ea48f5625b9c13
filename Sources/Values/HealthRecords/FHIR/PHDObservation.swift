// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// What HL7's guide for personal health devices adds to an Observation of a device.
struct PHDObservation {
  /// The name of the guide's profile.
  private let name: String
  let interpretation: [FHIRConcept]
  /// The identifier by which the guide finds an Observation that was sent before.
  let identifier: String?
  private let gateway: FHIRReference
  private let clock: FHIRReference?

  /// Nil for what the guide does not cover: values that a person has entered, that no device of an
  /// identity has measured, or that have no code of ISO/IEEE 11073-10101; summaries, nights and meals.
  init?(_ observation: FHIRObservation, in context: FHIRContext) {
    guard context.profile == .phd, context.isBundle,
      let device = observation.reportedDevice, device.identity != nil,
      observation.mdc != nil, Self.kinds.contains(observation.record.kind),
      let name = Self.name(of: observation)
    else { return nil }
    self.name = name
    // The guide wants a code of its own system in each interpretation.
    interpretation = observation.interpretation.filter(\.isMeasurementStatus)
    identifier = Self.identifier(of: observation, from: device, in: context)
    gateway = .address(PHDGateway(context.gateway).identity.fullURL)
    clock = PHDClock(of: device, in: observation.record).map { .address($0.identity.fullURL) }
  }

  private static let kinds: Set<RecordKind> = [.measurement, .intraday, .cgm]

  private static func name(of observation: FHIRObservation) -> String? {
    switch observation.value {
    case nil: "PhdCompoundNumericObservation"
    case .quantity, .absent: "PhdNumericObservation"
    // The guide has no mark for a gap.
    case .samples(let samples): samples.values.contains(nil) ? nil : "PhdRtsaObservation"
    default: nil
    }
  }

  /// Device, patient, type, and the time by the device's own clock in seconds since 2000, with the
  /// duration where there is one (the guide's page on generating the identifier).
  ///
  /// Nil without a System ID or a device's time, which the identifier is made of; where that time
  /// cannot be true, since a clock that begins anew makes it again and again; and for samples, which
  /// the guide gives none.
  private static func identifier(
    of observation: FHIRObservation, from device: FHIRDevice, in context: FHIRContext
  ) -> String? {
    let time = observation.record.time
    guard let systemID = device.systemID?.replacing("-", with: ""), let mdc = observation.mdc,
      !time.isDeviceTimeDisbelieved, let seconds = time.deviceTime?.secondsSince1970
    else { return nil }
    if case .samples = observation.value { return nil }
    let shown = Double(seconds - secondsTo2000) + observation.start.secondsSince(time.start)
    let duration = observation.end.secondsSince(observation.start)
    return [systemID, context.patientID, mdc.code, shown.shortText].joined(separator: "-")
      + (duration > 0 ? "..\(duration.shortText)" : "")
  }

  private static let secondsTo2000 = 946_684_800

  static let identifierSystem = canonical("PhdBaseObservation")

  var canonical: String { Self.canonical(name) }

  static func canonical(_ name: String) -> String {
    "http://hl7.org/fhir/uv/phd/StructureDefinition/\(name)"
  }

  static let category = FHIRConcept([
    FHIRCoding("http://hl7.org/fhir/uv/phd/CodeSystem/PhdObservationCategories", "phd")
  ])

  /// The gateway, and what the device's clock showed when the reading was received.
  func writeExtensions(to json: inout JSONWriter) {
    let gatewayURL = "http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice"
    let extensions = [
      (gatewayURL, gateway), (Self.canonical("CoincidentTimeStampReference"), clock),
    ]
    let given = extensions.compactMap { url, reference in reference.map { (url, $0) } }
    json.list("extension", given) { json, value in
      json.object { json in
        json.optional("url", value.0)
        json.reference("valueReference", value.1)
      }
    }
  }
}

extension PHDObservation? {
  /// A concept, which in the guide's form has the code of ISO/IEEE 11073-10101 first.
  func code(_ concept: FHIRConcept, _ mdc: MetricCode?) -> FHIRConcept {
    guard self != nil, let mdc else { return concept }
    let mdcCoding = FHIRCoding(mdc)
    return FHIRConcept(
      [mdcCoding] + concept.codings.filter { $0 != mdcCoding }, text: concept.text)
  }
}

extension FHIRConcept {
  /// Whether it is one of the guide's codes for how far a device trusts a measurement.
  fileprivate var isMeasurementStatus: Bool {
    codings.contains { $0.system == Self.measurementStatusSystem }
  }
}
