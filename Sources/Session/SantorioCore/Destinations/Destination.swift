// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
import SantorioJSON

/// A kind of server that takes records: says what to send to it and what its answers mean.
///
/// A destination does no I/O and keeps no state. What an answer's status means for the queue is the
/// same for all of them: a destination reads the body of an answer that took the records, and the
/// reasons in one that refused them.
///
/// A destination also says whose answer it is. Proxies, firewalls and captive portals answer in the
/// server's place, with pages and statuses of their own; only what is in the server's own form
/// decides about a record, an image or a credential.
public protocol Destination: Sendable {
  /// The server's address; `https`, or `http` for a server on the same machine.
  var endpoint: URL { get }

  /// The most records that one request may carry, 1 or more.
  var maximumBatchRecords: Int { get }

  /// Whether the server is known to take bodies with `Content-Encoding: gzip`.
  var acceptsGzip: Bool { get }

  /// Asks whether the server knows a user and the token.
  ///
  /// - Parameter user: The user.
  /// - Returns: A request, answered 401 or 403 when it does not; nil where there is no such
  ///   question.
  func validation(of user: User) -> TransportRequest?

  /// Reads whether an answer with a status of 200...299 to ``validation(of:)`` is the server's.
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
  /// - Throws: `RecordError` when one of the records has no form at this destination.
  func submission(
    of records: [OutgoingRecord], of user: User
  ) throws(RecordError) -> TransportRequest

  /// Reads what an answer with a status of 200...299 says about each record.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - records: The records of the request.
  /// - Returns: One result a record, in their order; nil where the answer does not tell, and the
  ///   record will be sent again.
  func results(in response: TransportResponse, on records: [OutgoingRecord]) -> [DeliveryResult?]

  /// Reads why the server refused a request.
  ///
  /// - Parameter response: An answer with a status of 300 or more.
  /// - Returns: The reason; nil when the answer is not in the server's own form, so that something
  ///   between has given it, which knows nothing of records and credentials.
  func failure(in response: TransportResponse) -> RecordFailure?

  /// Sends an image that belongs to a record.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - user: The user.
  /// - Returns: The request; nil where the destination takes no images.
  func imageSubmission(_ image: OutgoingImage, of user: User) -> TransportRequest?

  /// Reads what an answer with a status of 200...299 says about an image.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - image: The image of the request.
  /// - Returns: The image as the server has it; nil when the answer does not confirm that it has.
  func media(in response: TransportResponse, for image: RecordMedia) -> RecordMedia?
}

extension Destination {
  /// Not known to: bodies are sent as they are.
  public var acceptsGzip: Bool { false }

  /// There is no such question.
  ///
  /// - Parameter user: The user.
  /// - Returns: Nil.
  public func validation(of user: User) -> TransportRequest? { nil }

  /// A JSON object tells that the server has answered.
  ///
  /// - Parameter response: The answer.
  /// - Returns: Whether its body is a JSON object.
  public func isKnown(by response: TransportResponse) -> Bool {
    guard let json = try? JSONReader(parsing: response.body), case .object = json.value else {
      return false
    }
    return true
  }

  /// Reads the shapes of error in which the ingest API and Validic's APIs answer.
  ///
  /// - Parameter response: An answer with a status of 300 or more.
  /// - Returns: The reason; nil when the body has none of these shapes.
  public func failure(in response: TransportResponse) -> RecordFailure? {
    RecordFailure(status: response.status, body: response.body)
  }

  /// The destination takes no images.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - user: The user.
  /// - Returns: Nil.
  public func imageSubmission(_ image: OutgoingImage, of user: User) -> TransportRequest? { nil }

  /// The destination takes no images.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - image: The image.
  /// - Returns: Nil.
  public func media(in response: TransportResponse, for image: RecordMedia) -> RecordMedia? {
    nil
  }
}

extension Destination {
  /// Checks that requests can go to the address, and that nobody on the way can read them.
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
        "the server's address must have no ?query, #fragment or name and password before an @")
    }
    guard allowsPlainHTTP || !endpoint.isExposed else {
      throw SessionError(
        .insecureEndpoint,
        "http to another machine shows the token and all readings to everybody on the way; use https"
      )
    }
  }
}

/// What became of one record on its way to a server.
public enum DeliveryResult: Hashable, Sendable {
  /// The server has the record; `serverID` is its own identifier of it, where it gives one.
  case stored(serverID: String?)
  /// The server will never store the record as it is.
  case rejected(RecordFailure)
  /// The record stays in the queue and is sent again after this time, of which at most five
  /// minutes count.
  case postponed(Duration)
}
