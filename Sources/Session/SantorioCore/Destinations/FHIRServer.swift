// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// An HL7 FHIR R4 server that accepts Bundles of type `batch`, or `transaction`, at its base address.
///
/// Each record becomes one or more Observations, see `FHIREncoder`; it is stored when all of them
/// are. They are created on the condition that their identifiers are new for the subject, so
/// sending again is harmless. A record that was changed after it had been sent replaces the
/// earlier one if its kind is updated in place, or if it has `HealthRecord.lastUpdated`; else the
/// server keeps the earlier one. Records refer to their subject, a Patient, who must already be
/// on the server. FHIR has no common request to check credentials; the first batch shows whether
/// they are valid.
///
/// In the form `FHIRProfile.ehr` each Observation is created with a request of its own, see
/// ``parts(of:)``: such servers take no Bundles, and do not recognise what they were sent before.
public struct FHIRServer: RecordDestination {
  /// Who the records are about.
  public enum Subject: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// `Patient/` and the user's identifier.
    case user
    /// This reference, for instance `Patient/123`.
    case reference(String)

    /// Which of the two it is, without the reference.
    public var description: String {
      switch self {
      case .user: "the session's user"
      case .reference: "a fixed reference"
      }
    }

    /// Empty, so that a dump shows no identifier.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
  }

  /// The base address of the FHIR API, for instance `https://example.org/fhir`.
  public let endpoint: URL
  /// The maximum number of records in one Bundle.
  public let maximumBatchRecords: Int
  /// Whether the server is known to accept compressed bodies.
  public let acceptsGzip: Bool
  /// Whether deletions are sent, as Observations entered in error; not in the form `ehr`.
  public var acceptsDeletions: Bool { profile != .ehr }
  private let subject: Subject
  private let sendsToken: Bool
  private let profile: FHIRProfile
  private let gateway: FHIRGateway
  private let chart: FHIRChart

  /// Makes the destination.
  ///
  /// - Parameters:
  ///   - endpoint: The base address of the FHIR API.
  ///   - subject: Who the records are about.
  ///   - sendsToken: Whether the user's token is sent as a Bearer token; false for a server that
  ///     requires none.
  ///   - maximumBatchRecords: The maximum number of records in one Bundle; a record may have
  ///     several entries. In the form `ehr` it is 1.
  ///   - acceptsGzip: Whether the server is known to accept compressed bodies.
  ///   - profile: Which published form is sent.
  ///   - gateway: What has taken the readings, for the form `phd`: a name that is this phone's or
  ///     machine's alone.
  ///   - chart: Where readings are filed, for the form `ehr`.
  public init(
    _ endpoint: URL, subject: Subject = .user, sendsToken: Bool = true,
    maximumBatchRecords: Int = 50, acceptsGzip: Bool = false, profile: FHIRProfile = .standard,
    gateway: FHIRGateway = FHIRGateway(identifier: "gateway"), chart: FHIRChart = FHIRChart()
  ) {
    self.endpoint = endpoint
    self.subject = subject
    self.sendsToken = sendsToken
    self.profile = profile
    self.gateway = gateway
    self.chart = chart
    self.maximumBatchRecords = profile == .ehr ? 1 : max(1, maximumBatchRecords)
    self.acceptsGzip = acceptsGzip
  }

  /// Sends records as a Bundle of conditional creates and updates, or a part of one record as a
  /// resource.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - user: The user.
  /// - Returns: The request.
  /// - Throws: `RecordError` when one of the records cannot be represented as an Observation.
  public func submission(
    of records: [OutgoingRecord], of user: SantorioUser
  ) throws(RecordError) -> TransportRequest {
    if let record = records.first, record.part != nil {
      return try creation(of: filing(of: record, for: user), user)
    }
    var (decoded, deletions) = ([HealthRecord](), [RecordDeletion]())
    for record in records {
      if record.isDeletion {
        deletions.append(try record.deletion())
      } else {
        decoded.append(try record.record())
      }
    }
    return TransportRequest(
      method: "POST", url: endpoint, headers: headers(user, Self.sendingHeaders),
      body: try encoder(for: reference(user)).bundle(of: decoded, deleting: deletions))
  }

  private static let mediaType = "application/fhir+json"
  private static let sendingHeaders: [TransportHeader] = [
    .contentType(mediaType), TransportHeader("Accept", mediaType),
    TransportHeader("Prefer", "return=minimal"),
  ]

  private func headers(_ user: SantorioUser, _ others: [TransportHeader]) -> [TransportHeader] {
    (sendsToken ? [.bearer(user.accessToken)] : []) + others
  }

  private func encoder(for subject: String) -> FHIREncoder {
    FHIREncoder(subject: subject, profile: profile, gateway: gateway, chart: chart)
  }

  private func reference(_ user: SantorioUser) -> String {
    switch subject {
    case .user: "Patient/\(RequestAddress.escaped(user.userID))"
    case .reference(let text): text
    }
  }

  /// Reads the response: one entry for each of the request, in the same order.
  ///
  /// Devices are no records: one that a server does not take keeps none from being stored.
  ///
  /// See FHIR R4, RESTful API, §3.1.0.11.2.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - records: The records of the request.
  /// - Returns: One result per record; none when the answer has another number of entries.
  public func results(
    in response: TransportResponse, on records: [OutgoingRecord]
  ) -> [DeliveryResult?] {
    guard profile != .ehr else { return [FHIRAnswer.creation(response)] }
    // The places of records and deletions among what was sent.
    let (measured, deleted) = (
      records.indices.filter { !records[$0].isDeletion },
      records.indices.filter { records[$0].isDeletion }
    )
    let decoded = measured.compactMap { try? records[$0].record() }
    let deletions = deleted.compactMap { try? records[$0].deletion() }
    let encoder = encoder(for: "")
    let owners =
      encoder.entryOwners(of: decoded).map { $0.map { measured[$0] } }
      + zip(deleted, deletions).flatMap { index, deletion in
        repeatElement(index, count: encoder.entryCount(deleting: deletion))
      }
    guard decoded.count == measured.count, deletions.count == deleted.count,
      let answers = FHIRAnswer.entries(of: response.body), answers.count == owners.count
    else { return records.map { _ in nil } }
    let updated = zip(measured, decoded).filter { $0.1.replacesEarlier }.map(\.0) + deleted
    return records.indices.map { index in
      let own = zip(owners, answers).filter { $0.0 == index }.map(\.1)
      return FHIRAnswer.result(own, isUpdate: updated.contains(index))
    }
  }

  /// Reads the OperationOutcome of a refusal, or the challenge for a token.
  ///
  /// - Parameter response: An answer with a status of 300 or more.
  /// - Returns: The reason; nil when the answer is not from the server.
  public func failure(in response: TransportResponse) -> RecordFailure? {
    guard let outcome = try? JSONReader(parsing: response.body),
      (try? outcome.member("resourceType").string()) == "OperationOutcome"
    else { return RecordFailure(challenge: response) }
    return FHIRAnswer.failure(response.status, outcome: outcome)
  }
}

// Parts of records, as electronic health records take them.
extension FHIRServer {
  /// The Observations of a record in the form `ehr`; nil in the others.
  ///
  /// - Parameter record: The record.
  /// - Returns: Their names, with the reason for each that a health record cannot hold.
  /// - Throws: `RecordError` when the record is none, or no final measurement at a known time.
  public func parts(of record: OutgoingRecord) throws(RecordError) -> [OutgoingPart]? {
    guard profile == .ehr else { return nil }
    return try encoder(for: "Patient/x").filings(of: record.record()).map { filing in
      switch filing.json {
      case .success: OutgoingPart(filing.part)
      case .failure(let error): OutgoingPart(filing.part, failure: RecordFailure(error))
      }
    }
  }

  /// The patient.
  ///
  /// - Parameter user: The user.
  /// - Returns: The patient's reference.
  public func partScope(of user: SantorioUser) -> String { reference(user) }

  private func filing(
    of record: OutgoingRecord, for user: SantorioUser
  ) throws(RecordError) -> FHIRFiling {
    let filings = try encoder(for: reference(user)).filings(of: record.record())
    guard let filing = filings.first(where: { $0.part == record.part }) else {
      throw RecordError(.missing, at: "part", "the record has no such part")
    }
    return filing
  }

  /// The server is asked not to create what it has; one that does not know the header ignores it.
  private func creation(
    of filing: FHIRFiling, _ user: SantorioUser
  ) throws(RecordError) -> TransportRequest {
    var request = TransportRequest(
      method: "POST", url: observations,
      headers: headers(
        user, Self.sendingHeaders + [TransportHeader("If-None-Exist", filing.condition)]),
      body: try filing.text())
    request.isRepeatable = false
    return request
  }

  private var observations: URL { endpoint.appendingPathComponent("Observation") }

  /// Searches for Observations of the same patient, code and time.
  ///
  /// - Parameters:
  ///   - record: The record, and the part.
  ///   - user: The user.
  /// - Returns: The request; nil when the record has no such part.
  public func search(for record: OutgoingRecord, of user: SantorioUser) -> TransportRequest? {
    guard let filing = try? filing(of: record, for: user),
      let url = URL(string: "\(observations.absoluteString)?\(filing.search)")
    else { return nil }
    return TransportRequest(
      method: "GET", url: url, headers: headers(user, [TransportHeader("Accept", Self.mediaType)]))
  }

  /// Looks for the part in a Bundle of type `searchset`: by its identifier, or by its code, time and
  /// numbers.
  ///
  /// - Parameters:
  ///   - record: The record, and the part.
  ///   - response: The answer.
  /// - Returns: Whether it is there; nil when the answer is no such Bundle.
  public func isStored(_ record: OutgoingRecord, in response: TransportResponse) -> Bool? {
    guard let json = try? JSONReader(parsing: response.body),
      (try? json.member("resourceType").string()) == "Bundle",
      (try? json.member("type").string()) == "searchset",
      let found = try? json.optional("entry")?.elements() ?? [],
      let decoded = try? record.record(),
      let filings = try? encoder(for: "Patient/x").filings(of: decoded),
      let filing = filings.first(where: { $0.part == record.part })
    else { return nil }
    return found.contains { entry in
      ((try? entry.optional("resource")) ?? nil).map(filing.isSame) ?? false
    }
  }
}
