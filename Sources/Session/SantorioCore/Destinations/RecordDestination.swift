// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
import SantorioJSON

/// A kind of server that accepts records: builds the requests and interprets the answers.
///
/// A destination does no I/O and keeps no state. The effect of a status on the queue is the same
/// for all destinations: a destination reads the body of an answer that accepted the records, and
/// the reasons in one that refused them.
///
/// A destination also checks that an answer is from the server. Proxies, firewalls and captive
/// portals answer in its place, with their own pages and statuses; only an answer in the server's
/// format decides about a record, an image or a credential.
public protocol RecordDestination: Sendable {
  /// The server's address; `https`, or `http` for a server on the same machine.
  var endpoint: URL { get }

  /// The maximum number of records in one request, 1 or more.
  var maximumBatchRecords: Int { get }

  /// Whether the server is known to accept bodies with `Content-Encoding: gzip`.
  var acceptsGzip: Bool { get }

  /// Whether the server can be told that a record was deleted at its source.
  ///
  /// If it can, ``submission(of:of:)`` gets deletions among the records, see
  /// ``OutgoingRecord/isDeletion``; else each ends with the event ``SessionEvent/deletionFailed(_:_:)``
  /// and stays in the quarantine.
  var acceptsDeletions: Bool { get }

  /// Asks whether the server knows a user and the token.
  ///
  /// - Parameter user: The user.
  /// - Returns: A request, answered 401 or 403 if it does not; nil if there is no such request.
  func validation(of user: SantorioUser) -> TransportRequest?

  /// Checks whether an answer with a status of 200...299 to ``validation(of:)`` is the server's.
  ///
  /// - Parameter response: The answer.
  /// - Returns: Whether the server knows the user; false when something else has answered.
  func isKnown(by response: TransportResponse) -> Bool

  /// Sends records.
  ///
  /// - Parameters:
  ///   - records: The records, at least one and no more than ``maximumBatchRecords``.
  ///   - user: The user.
  /// - Returns: The request.
  /// - Throws: `RecordError` when this destination cannot represent one of the records.
  func submission(
    of records: [OutgoingRecord], of user: SantorioUser
  ) throws(RecordError) -> TransportRequest

  /// Reads the result for each record from an answer with a status of 200...299.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - records: The records of the request.
  /// - Returns: One result per record, in order; nil where the answer has none, and the record
  ///   will be sent again.
  func results(in response: TransportResponse, on records: [OutgoingRecord]) -> [DeliveryResult?]

  /// Tells in which parts a record is sent, each with a request of its own.
  ///
  /// This is for a server that does not recognise what it has been sent before. The session then
  /// remembers which parts are stored, and sends none of them again. ``submission(of:of:)`` gets one
  /// record a request, whose ``OutgoingRecord/part`` is the one to send.
  ///
  /// - Parameter record: The record.
  /// - Returns: The parts, at least one; nil when records are sent whole, and the server recognises
  ///   those that are sent again.
  /// - Throws: `RecordError` when this destination cannot represent the record.
  func parts(of record: OutgoingRecord) throws(RecordError) -> [OutgoingPart]?

  /// What besides the server and the user decides where parts are stored, for instance the patient's
  /// reference.
  ///
  /// What is remembered of parts holds for one scope: under another one they are sent again.
  ///
  /// - Parameter user: The user.
  /// - Returns: The scope; empty if there is nothing else.
  func partScope(of user: SantorioUser) -> String

  /// Asks whether the server has a part that was sent without an answer.
  ///
  /// - Parameters:
  ///   - record: The record, and in ``OutgoingRecord/part`` the part.
  ///   - user: The user.
  /// - Returns: The request; nil when the server cannot be asked. Then the part is sent again.
  func search(for record: OutgoingRecord, of user: SantorioUser) -> TransportRequest?

  /// Reads an answer with a status of 200...299 to ``search(for:of:)``.
  ///
  /// - Parameters:
  ///   - record: The record, and in ``OutgoingRecord/part`` the part.
  ///   - response: The answer.
  /// - Returns: Whether the server has the part; nil when the answer is not the server's.
  func isStored(_ record: OutgoingRecord, in response: TransportResponse) -> Bool?

  /// Reads why the server refused a request.
  ///
  /// - Parameter response: An answer with a status of 300 or more.
  /// - Returns: The reason; nil when the answer is not in the server's format: then something on
  ///   the path sent it, which knows nothing of records and credentials.
  func failure(in response: TransportResponse) -> RecordFailure?

  /// Sends an image that belongs to a record.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - user: The user.
  /// - Returns: The request; nil if the destination does not accept images.
  func imageSubmission(_ image: OutgoingImage, of user: SantorioUser) -> TransportRequest?

  /// Reads the result for an image from an answer with a status of 200...299.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - image: The image of the request.
  /// - Returns: The image as stored by the server; nil when the answer does not confirm that.
  func media(in response: TransportResponse, for image: RecordMedia) -> RecordMedia?
}

extension RecordDestination {
  /// False: bodies are sent uncompressed.
  public var acceptsGzip: Bool { false }

  /// False: the server cannot be told of deletions.
  public var acceptsDeletions: Bool { false }

  /// Returns nil: there is no such request.
  ///
  /// - Parameter user: The user.
  /// - Returns: Nil.
  public func validation(of user: SantorioUser) -> TransportRequest? { nil }

  /// Accepts any JSON object as an answer from the server.
  ///
  /// - Parameter response: The answer.
  /// - Returns: Whether its body is a JSON object.
  public func isKnown(by response: TransportResponse) -> Bool {
    guard let json = try? JSONReader(parsing: response.body), case .object = json.value else {
      return false
    }
    return true
  }

  /// Returns nil: records are sent whole.
  ///
  /// - Parameter record: The record.
  /// - Returns: Nil.
  /// - Throws: Nothing.
  public func parts(of record: OutgoingRecord) throws(RecordError) -> [OutgoingPart]? { nil }

  /// Returns an empty text: nothing else decides.
  ///
  /// - Parameter user: The user.
  /// - Returns: An empty text.
  public func partScope(of user: SantorioUser) -> String { "" }

  /// Returns nil: the server cannot be asked.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - user: The user.
  /// - Returns: Nil.
  public func search(for record: OutgoingRecord, of user: SantorioUser) -> TransportRequest? {
    nil
  }

  /// Returns nil: nothing was asked.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - response: The answer.
  /// - Returns: Nil.
  public func isStored(_ record: OutgoingRecord, in response: TransportResponse) -> Bool? { nil }

  /// Reads the error formats of the ingest API and of Validic's APIs.
  ///
  /// - Parameter response: An answer with a status of 300 or more.
  /// - Returns: The reason; nil when the body has none of these formats.
  public func failure(in response: TransportResponse) -> RecordFailure? {
    RecordFailure(status: response.status, body: response.body)
  }

  /// Returns nil: the destination does not accept images.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - user: The user.
  /// - Returns: Nil.
  public func imageSubmission(_ image: OutgoingImage, of user: SantorioUser) -> TransportRequest? {
    nil
  }

  /// Returns nil: the destination does not accept images.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - image: The image.
  /// - Returns: Nil.
  public func media(in response: TransportResponse, for image: RecordMedia) -> RecordMedia? {
    nil
  }
}

extension RecordDestination {
  /// Checks that requests can go to the address and cannot be read on the network.
  ///
  /// - Parameter allowsPlainHTTP: Whether they may go unencrypted to another machine.
  /// - Throws: ``SessionError`` of code `invalidEndpoint` or `insecureEndpoint`.
  func checkEndpoint(allowsPlainHTTP: Bool = false) throws(SessionError) {
    guard ["http", "https"].contains(endpoint.scheme?.lowercased()),
      endpoint.host?.isEmpty == false
    else {
      throw SessionError(.invalidEndpoint, "the server's address must be an http or https URL")
    }
    guard endpoint.query == nil, endpoint.fragment == nil, endpoint.user == nil,
      endpoint.password == nil
    else {
      throw SessionError(
        .invalidEndpoint,
        "the server's address must not have a ?query, #fragment or name and password before an @")
    }
    guard allowsPlainHTTP || !endpoint.isExposed else {
      throw SessionError(
        .insecureEndpoint,
        "http to another machine exposes the token and all readings on the network; use https"
      )
    }
  }
}

/// The result of sending one record to a server.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum DeliveryResult: Hashable, Sendable {
  /// The server has the record; `serverID` is its own identifier for it, if it gives one.
  case stored(serverID: String?)
  /// The server will never store the record as it is.
  case rejected(RecordFailure)
  /// The record stays in the queue and is sent again after this time, limited to five minutes.
  case postponed(Duration)
}

extension DeliveryResult: CustomStringConvertible, CustomReflectable {
  /// What the server did, without its identifier of the record.
  public var description: String {
    switch self {
    case .stored: "stored"
    case .rejected(let failure): "rejected: \(failure)"
    case .postponed(let delay): "postponed by \(delay)"
    }
  }

  /// Empty, so that a dump shows no identifiers.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
