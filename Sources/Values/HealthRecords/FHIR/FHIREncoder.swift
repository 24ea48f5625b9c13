// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// Records as Observations of HL7 FHIR R4 (4.0.1), one by one or in a Bundle for a server.
///
/// What becomes of a record:
/// - **measurement, summary**: systolic, diastolic and mean pressure become one panel (LOINC
///   85354-9), any other metric an Observation of its own. The vital signs that R4 has a profile
///   for claim it.
/// - **workout, sleep, nutrition**: one Observation, whose components are the metrics.
/// - **intraday**: `SampledData` where the record has a granularity, in steps that all points lie
///   on ("E" where there is none), else an Observation a point. Vital signs are an Observation a
///   point, since their profiles ask for a quantity, unless the granularity is below a minute: then
///   they are `SampledData` as well, without the LOINC code and the category of the vital sign, and
///   with the code of ISO/IEEE 11073-10101. An Observation a point, too, is a series with two points
///   at one time, with a point that lasts otherwise than the granularity, or with more than 86,400
///   steps.
/// - **cgm**: an Observation a reading, coded as glucose in interstitial fluid unless a finding says
///   that it was measured in something else. Glucose in interstitial fluid claims the profile of
///   HL7's guide for continuous glucose monitoring, and has the guide's spelling of the unit.
///
/// Codes say no more than is known. Those of glucose follow what it was measured in and the unit,
/// those of temperature the site, which is the `bodySite` where no code says it. ``CodeSource`` says
/// where a code comes from. Only what R4 calls a vital sign is in that category. A measurement of
/// control solution is refused, as a rejected reading is.
///
/// A value that is a code (``MetricDefinition/valueNames``) is a concept of the system
/// `urn:santorio:value`. A value that is a bound of the device's has a comparator; one that is beyond what the device can
/// measure is absent, with the reason `negative-infinity` or `positive-infinity`. An early estimate
/// is `preliminary`. What is doubted, by the device or because no living person has such a value, is
/// interpreted as `questionable`. A rejected reading is no Observation.
///
/// A device with an identity is a resource of its own: an entry of the Bundle, which the server has
/// once, and to which the Observations refer by its identifier (manufacturer and serial number). One
/// without is contained. It has the type that goes with what it measured, where it was read over
/// Bluetooth or is a continuous glucose monitor; the number of its model in the catalogue of
/// supported devices is a property. The charge of its battery and the user's slot are components of
/// the Observation. A body mass index is derived from the weight and the height of its record.
///
/// Comments become notes; findings, other remarks, extras, and a record's category, name and
/// intensity become components that are coded in the systems `urn:santorio:…`; an extra that is a
/// list or an object is the text of its JSON, and one that is null has no value but a reason. Every
/// Observation of a record repeats them. Each metric has a code of `urn:santorio:metric`, and before it
/// the LOINC codes where there are some; then it is written in the unit that the code stands for, or in
/// that which the device showed, with its digits, where a code or the profile of a vital sign has it.
///
/// A measurement that says when it was last changed is `corrected`, one that does not count
/// `entered-in-error`; both take the place of what the server has.
///
/// A time has components for the clock that it came from, for what the device's showed, and for how
/// far that was off. Where the device's time cannot be true, there is no time but the reason
/// `unknown`, beside the time of receipt (`issued`); a point of a series has a component for its
/// distance from the start of the record.
///
/// These have no place in an Observation and are left out: the origin of the UTC offset (the offset
/// itself is in every time); the values of single foods and of parts of a meal (their names are in a note, the totals
/// are components); the time that a glucose monitor displayed and whether its reading was
/// scheduled; media; the mark of validation; the server's identifier.
public struct FHIREncoder: Hashable, Sendable {
  /// The patient, as a reference: `Patient/123`, or an absolute URL.
  public var subject: String
  /// Which published form a Bundle follows.
  public var profile: FHIRProfile
  /// What has taken the readings; named in the form ``FHIRProfile/phd`` only.
  public var gateway: FHIRGateway
  /// Where readings are filed; used in the form ``FHIRProfile/ehr`` only.
  public var chart: FHIRChart

  /// Makes the form.
  ///
  /// - Parameters:
  ///   - subject: The patient, as a reference, for instance `Patient/123`.
  ///   - profile: Which published form a Bundle follows.
  ///   - gateway: What has taken the readings.
  ///   - chart: Where readings are filed in an electronic health record.
  public init(
    subject: String, profile: FHIRProfile = .standard,
    gateway: FHIRGateway = FHIRGateway(identifier: "gateway"), chart: FHIRChart = FHIRChart()
  ) {
    self.subject = subject
    self.profile = profile
    self.gateway = gateway
    self.chart = chart
  }

  /// The system of the Observations' identifiers; the value is the record's ``HealthRecord/logID``.
  ///
  /// After the ``HealthRecord/logID`` follow `/` and the part: `…/blood_pressure`, `…/steps`,
  /// `…/workout`. So it stays the same when a part is added. A point of a series has its time,
  /// `…/pulse/2018-04-17T13:51:00Z`; one of a Bluetooth device, of which the time may be found to be
  /// another when it is read again, has its distance from the record's start in milliseconds,
  /// `…/pulse/900000ms`. A record's identifier is unique for one subject only.
  public static let identifierSystem = "urn:santorio:log_id"

  /// The Observations of a record, each for itself, in the form ``FHIRProfile/ehr`` if that is chosen,
  /// else in ``FHIRProfile/standard``.
  ///
  /// - Parameter record: The record.
  /// - Returns: The JSON text of each, at least one.
  /// - Throws: ``RecordError`` when the record is not valid or no measurement of a person, the
  ///   subject is no reference, or a time lies beyond the years 1600 to 9999; for
  ///   ``FHIRProfile/ehr`` also when a part of it cannot be said so.
  public func observations(of record: HealthRecord) throws(RecordError) -> [[UInt8]] {
    guard profile != .ehr else {
      var texts: [[UInt8]] = []
      for filing in try filings(of: record) { texts.append(try filing.text()) }
      return texts
    }
    return try parts(of: record).map { observation in
      var json = JSONWriter()
      observation.write(to: &json, in: context(isBundle: false))
      return json.bytes
    }
  }

  /// The Observations of a record for an electronic health record, each with its JSON text or why
  /// there is none.
  ///
  /// - Parameter record: The record.
  /// - Returns: The Observations, at least one.
  /// - Throws: ``RecordError`` as ``observations(of:)``, where it is about the whole record.
  package func filings(of record: HealthRecord) throws(RecordError) -> [FHIRFiling] {
    try record.checkCanBeFiled()
    return try parts(of: record).map { FHIRFiling($0, of: subject, in: chart) }
  }

  private func context(isBundle: Bool) -> FHIRContext {
    FHIRContext(
      subject: subject, profile: isBundle ? profile : .standard, gateway: gateway,
      isBundle: isBundle)
  }

  /// The identifiers of the Observations of a record, which no other record of a Bundle may have.
  ///
  /// - Throws: ``RecordError`` as ``observations(of:)``.
  package func identifiers(of record: HealthRecord) throws(RecordError) -> [String] {
    try parts(of: record).map(\.identifier)
  }

  /// A Bundle of type `batch`, or `transaction`, to be posted to the base address of a server.
  ///
  /// Sending it again changes nothing: an entry is a conditional create, on the condition that the
  /// subject has no Observation of the identifier. It is a conditional update where a later record
  /// takes the place of an earlier one: where its kind is updated in place (summary, sleep, intraday),
  /// and where it says when it was last changed (``HealthRecord/lastUpdated``). So a measurement
  /// that was corrected without saying so leaves the server as it is.
  ///
  /// - Parameter records: The records.
  /// - Returns: The JSON text.
  /// - Throws: ``RecordError`` as ``observations(of:)``, when two entries would have the same
  ///   identifier, since a Bundle must not repeat one, and for ``FHIRProfile/ehr``, which has none.
  public func bundle(of records: [HealthRecord]) throws(RecordError) -> [UInt8] {
    try bundle(of: records, deleting: [])
  }

  /// The same, with deletions after the records.
  ///
  /// An Observation of a deleted record is a conditional update, to the status `entered-in-error` and
  /// without the values. It is named by the kind of the record and by its metrics.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - deletions: The deletions; none of them of a record of the Bundle.
  /// - Returns: The JSON text.
  /// - Throws: ``RecordError`` as ``bundle(of:)``, and for a deletion that says too little of its
  ///   record.
  public func bundle(
    of records: [HealthRecord], deleting deletions: [RecordDeletion]
  ) throws(RecordError) -> [UInt8] {
    guard profile != .ehr else {
      throw RecordError(
        .invalidValue, at: "profile",
        "an electronic health record takes no Bundle; write the Observations of each record")
    }
    let entries = try entries(of: records) + self.entries(deleting: deletions)
    var json = JSONWriter()
    json.object { json in
      json.optional("resourceType", "Bundle")
      json.optional("type", profile == .phd ? "transaction" : "batch")
      // An empty array is not allowed.
      guard !entries.isEmpty else { return }
      json.list("entry", entries) { $1.write(to: &$0) }
    }
    return json.bytes
  }

  /// Which record each entry of a Bundle came from.
  ///
  /// - Parameter records: The records of the Bundle.
  /// - Returns: For each entry the index of its record; nil for what belongs to none of them alone,
  ///   such as a device.
  public func entryOwners(of records: [HealthRecord]) -> [Int?] {
    let parts = records.map { FHIRObservation.parts(of: $0) }
    let others = companions(of: parts.flatMap(\.self))
    return others.map { _ in nil }
      + parts.enumerated().flatMap { index, parts in
        parts.map { _ in index }
      }
  }

  private func entries(deleting deletions: [RecordDeletion]) throws(RecordError) -> [FHIREntry] {
    let context = context(isBundle: true)
    var entries: [FHIREntry] = []
    for deletion in deletions {
      entries += try FHIRDeletion.all(of: deletion).map {
        FHIREntry(resource: .deletion($0), context: context)
      }
    }
    return entries
  }

  /// How many entries of a Bundle a deletion makes.
  package func entryCount(deleting deletion: RecordDeletion) -> Int {
    (try? FHIRDeletion.all(of: deletion))?.count ?? 0
  }

  private func entries(of records: [HealthRecord]) throws(RecordError) -> [FHIREntry] {
    var observations: [FHIRObservation] = []
    var identifiers: Set<String> = []
    for (index, record) in records.enumerated() {
      for observation in try parts(of: record) {
        guard identifiers.insert(observation.identifier).inserted else {
          throw RecordError(
            .invalidValue, at: "records[\(index)].log_id", "stands twice in the Bundle")
        }
        observations.append(observation)
      }
    }
    let context = context(isBundle: true)
    return companions(of: observations)
      + observations.map { observation in
        FHIREntry(
          resource: .observation(observation, replaces: observation.record.replacesEarlier),
          context: context)
      }
  }

  /// What the Observations refer to: devices, and in the form of the guide gateway and clocks.
  private func companions(of observations: [FHIRObservation]) -> [FHIREntry] {
    let context = context(isBundle: true)
    var resources: [FHIREntry.Resource] = []
    for observation in observations {
      guard let device = observation.reportedDevice, device.identity != nil else { continue }
      resources.append(.device(device))
      guard profile == .phd else { continue }
      resources.append(.gateway(PHDGateway(gateway)))
      if let clock = PHDClock(of: device, in: observation.record) {
        resources.append(.clock(clock))
      }
    }
    var known: Set<FHIRIdentity> = []
    return resources.map { FHIREntry(resource: $0, context: context) }
      .filter { known.insert($0.identity).inserted }
  }

  private func parts(of record: HealthRecord) throws(RecordError) -> [FHIRObservation] {
    try record.validate()
    guard record.kind.isReading else { throw RecordError.noReading(record.kind) }
    guard !record.isOfUnknownUser else { throw RecordError.undecidedUser }
    guard !record.isOfControlSolution else {
      throw RecordError(
        .invalidValue, at: "tags",
        "a control solution was measured, which is no glucose of a person")
    }
    guard !subject.isEmpty, subject.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw RecordError(.invalidValue, at: "subject", "must be a reference such as Patient/123")
    }
    let observations = FHIRObservation.parts(of: record)
    let dates =
      observations.flatMap { [$0.start, $0.end] } + [record.time.received]
      + (record.lastUpdated.map { [$0] } ?? [])
    guard dates.allSatisfy(FHIRTime.isPossible) else {
      throw RecordError(.invalidValue, at: "start_time", "must lie in the years 1600 to 9999")
    }
    return observations
  }
}

extension RecordKind {
  /// Whether a later record of the same identifier takes the place of an earlier one.
  var isUpdatedInPlace: Bool { [.summary, .sleep, .intraday].contains(self) }
}

extension HealthRecord {
  /// Whether the record takes the place of an earlier one of the same identifier.
  package var replacesEarlier: Bool {
    kind.isUpdatedInPlace || lastUpdated != nil || enteredInError != nil
  }
}
