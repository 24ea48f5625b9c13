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
  private let subject: Subject
  private let sendsToken: Bool
  private let profile: FHIRProfile
  private let gateway: FHIRGateway

  /// Makes the destination.
  ///
  /// - Parameters:
  ///   - endpoint: The base address of the FHIR API.
  ///   - subject: Who the records are about.
  ///   - sendsToken: Whether the user's token is sent as a Bearer token; false for a server that
  ///     requires none.
  ///   - maximumBatchRecords: The maximum number of records in one Bundle; a record may have
  ///     several entries.
  ///   - acceptsGzip: Whether the server is known to accept compressed bodies.
  ///   - profile: Which published form the Bundles follow.
  ///   - gateway: What has taken the readings, for the form `phd`: a name that is this phone's or
  ///     machine's alone.
  public init(
    _ endpoint: URL, subject: Subject = .user, sendsToken: Bool = true,
    maximumBatchRecords: Int = 50, acceptsGzip: Bool = false, profile: FHIRProfile = .standard,
    gateway: FHIRGateway = FHIRGateway(identifier: "gateway")
  ) {
    self.endpoint = endpoint
    self.subject = subject
    self.sendsToken = sendsToken
    self.profile = profile
    self.gateway = gateway
    self.maximumBatchRecords = max(1, maximumBatchRecords)
    self.acceptsGzip = acceptsGzip
  }

  /// Sends records as a Bundle of conditional creates and updates.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - user: The user.
  /// - Returns: The request.
  /// - Throws: `RecordError` when one of the records cannot be represented as an Observation.
  public func submission(
    of records: [OutgoingRecord], of user: SantorioUser
  ) throws(RecordError) -> TransportRequest {
    var decoded: [HealthRecord] = []
    for record in records { decoded.append(try record.record()) }
    let type = "application/fhir+json"
    return TransportRequest(
      method: "POST", url: endpoint,
      headers: (sendsToken ? [.bearer(user.accessToken)] : []) + [
        .contentType(type), TransportHeader("Accept", type),
        TransportHeader("Prefer", "return=minimal"),
      ],
      body: try encoder(for: reference(user)).bundle(of: decoded))
  }

  private func encoder(for subject: String) -> FHIREncoder {
    FHIREncoder(subject: subject, profile: profile, gateway: gateway)
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
    let decoded = records.compactMap { try? $0.record() }
    let owners = encoder(for: "").entryOwners(of: decoded)
    guard decoded.count == records.count,
      let answers = FHIRAnswer.entries(of: response.body), answers.count == owners.count
    else { return records.map { _ in nil } }
    return decoded.indices.map { index in
      let own = zip(owners, answers).filter { $0.0 == index }.map(\.1)
      return FHIRAnswer.result(own, isUpdate: decoded[index].replacesEarlier)
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

/// A FHIR server's answer for one entry of a Bundle.
struct FHIRAnswer {
  private let status: Int
  private let location: String?
  private let outcome: JSONReader?

  /// The entries of a batch-response; nil when the body is not one.
  static func entries(of body: [UInt8]) -> [FHIRAnswer]? {
    guard let json = try? JSONReader(parsing: body),
      (try? json.member("resourceType").string()) == "Bundle",
      let type = try? json.member("type").string(),
      ["batch-response", "transaction-response"].contains(type),
      let elements = try? json.member("entry").elements()
    else { return nil }
    return elements.map(FHIRAnswer.init)
  }

  /// `response.status` begins with the HTTP status: "201 Created"; 0 when it does not.
  private init(_ entry: JSONReader) {
    let response = try? entry.optional("response")
    let text = (try? response?.optional("status")?.string()) ?? ""
    status = text.prefix(while: { $0 != " " }).count == 3 ? Int(text.prefix(3)) ?? 0 : 0
    location = try? response?.optional("location")?.string()
    outcome = (try? response?.optional("outcome")) ?? nil
  }

  private enum Outcome {
    case stored, refused, open
  }

  private func outcome(isUpdate: Bool) -> Outcome {
    switch status {
    case 200...299: .stored
    // A conditional create whose identifier exists: 200, or from some servers 304; 412 when it
    // exists more than once. In each case the Observation is on the server.
    case 304 where !isUpdate, 412 where !isUpdate: .stored
    // A conditional update that matches more than one Observation changes none of them.
    case 400, 412, 422: .refused
    default: .open
    }
  }

  /// The combined result of a record's entries: all must be stored; one refused refuses it.
  static func result(_ entries: [FHIRAnswer], isUpdate: Bool) -> DeliveryResult? {
    let outcomes = entries.map { $0.outcome(isUpdate: isUpdate) }
    if let index = outcomes.firstIndex(of: .refused) {
      return .rejected(failure(entries[index].status, outcome: entries[index].outcome))
    }
    guard !outcomes.isEmpty, outcomes.allSatisfy({ $0 == .stored }) else { return nil }
    return .stored(serverID: entries.lazy.compactMap(\.identifier).first)
  }

  /// The resource without its version: `Observation/123` of `…/Observation/123/_history/1`.
  private var identifier: String? {
    guard let location else { return nil }
    let parts = location.split(separator: "/")
    let end = parts.firstIndex(of: "_history") ?? parts.endIndex
    guard end >= 2 else { return nil }
    return parts[end - 2..<end].joined(separator: "/")
  }

  /// Reads the first issue of an OperationOutcome that is an error, or else the first issue.
  static func failure(_ status: Int, outcome: JSONReader?) -> RecordFailure {
    let issues = (try? outcome?.optional("issue")?.elements()) ?? []
    func text(_ json: JSONReader?, _ name: String) -> String? {
      try? json?.optional(name)?.string()
    }
    let issue =
      issues.first { ["error", "fatal"].contains(text($0, "severity")) } ?? issues.first
    let details = (try? issue?.optional("details")) ?? nil
    let places = ["expression", "location"].lazy.compactMap { name in
      try? issue?.optional(name)?.elements().first?.string()
    }
    return RecordFailure(
      code: text(issue, "code") ?? "refused",
      message: text(issue, "diagnostics") ?? text(details, "text") ?? "", path: places.first,
      status: status)
  }
}
