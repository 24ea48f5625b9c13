// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// Santorio's own server, `IngestServer`, through its API (Documentation/ingest-api.yaml).
///
/// It accepts records as stored, many per request, and answers for each.
public struct IngestAPI: RecordDestination {
  /// The server's address.
  public let endpoint: URL

  /// Makes the destination.
  ///
  /// - Parameter endpoint: The server's address; the API's paths are appended to a path in it.
  public init(_ endpoint: URL) { self.endpoint = endpoint }

  /// The maximum size of one batch of the API.
  public var maximumBatchRecords: Int { 1000 }

  /// True: every body may be compressed.
  public var acceptsGzip: Bool { true }

  /// True: a deletion is a line of a batch.
  public var acceptsDeletions: Bool { true }

  /// Requests the user, who must be the token's.
  ///
  /// - Parameter user: The user.
  /// - Returns: The request.
  public func validation(of user: SantorioUser) -> TransportRequest? {
    TransportRequest(url: url(user), headers: [.bearer(user.accessToken)])
  }

  /// Checks that the answer describes a user.
  ///
  /// - Parameter response: The answer.
  /// - Returns: Whether it names a user.
  public func isKnown(by response: TransportResponse) -> Bool {
    let json = try? JSONReader(parsing: response.body)
    return (try? json?.member("id").string()) != nil
  }

  /// Reads the error of the API.
  ///
  /// - Parameter response: An answer with a status of 300 or more.
  /// - Returns: The reason; nil when the body is not an error of the API.
  public func failure(in response: TransportResponse) -> RecordFailure? {
    RecordFailure(status: response.status, ingest: response.body)
  }

  /// Sends the stored bytes as NDJSON.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - user: The user.
  /// - Returns: The request.
  public func submission(of records: [OutgoingRecord], of user: SantorioUser) -> TransportRequest {
    var body: [UInt8] = []
    body.reserveCapacity(records.reduce(0) { $0 + $1.informJSON.count + 1 })
    for record in records {
      body += record.informJSON
      body.append(UInt8(ascii: "\n"))
    }
    return TransportRequest(
      method: "POST", url: url(user, "/records:batch"),
      headers: [.bearer(user.accessToken), .contentType("application/x-ndjson")], body: body)
  }

  /// Reads the result of each record.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - records: The records of the request.
  /// - Returns: One result per record; nil for one that the answer does not name.
  public func results(
    in response: TransportResponse, on records: [OutgoingRecord]
  ) -> [DeliveryResult?] {
    let answer = BatchAnswer(response.body, lines: records.map(\.logID))
    return answer?.results.map { $0?.result } ?? records.map { _ in nil }
  }

  /// Adds the image to its record, under its digest.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - user: The user.
  /// - Returns: The request.
  public func imageSubmission(_ image: OutgoingImage, of user: SantorioUser) -> TransportRequest? {
    TransportRequest(
      method: "PUT",
      url: url(user, "\(recordPath(image.logID))/media/\(RequestAddress.escaped(image.sha256))"),
      headers: [.bearer(user.accessToken), .contentType(image.contentType)], body: image.bytes)
  }

  /// Reads the server's identifier and address for the image, under the digest that was sent.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - image: The image of the request.
  /// - Returns: The image as stored by the server; nil when the answer is about something else.
  public func media(in response: TransportResponse, for image: RecordMedia) -> RecordMedia? {
    guard let json = try? JSONReader(parsing: response.body),
      (try? json.member("sha256").string()) == image.sha256
    else { return nil }
    var media = image
    media.id = try? json.optional("id")?.string()
    media.url = try? json.optional("url")?.string()
    return media
  }

  /// The address of a user, or of a resource that belongs to the user.
  func url(_ user: SantorioUser, _ rest: String = "") -> URL {
    let organization = RequestAddress.escaped(user.organizationID)
    let name = RequestAddress.escaped(user.userID)
    return RequestAddress.url(endpoint, "v1/organizations/\(organization)/users/\(name)\(rest)")
  }

  func recordPath(_ logID: String) -> String { "/records/\(RequestAddress.escaped(logID))" }
}
