// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
import SantorioJSON

/// Validic's Legacy API (v1): one record per request, with the token in the body.
///
/// Paths and structures follow Validic's public documentation and its public Ruby client
/// (vipinj/validic), whose recorded answers have the form
/// `{"code":201,"message":"Ok","biometrics":{"_id":…,"activity_id":…}}`.
public struct LegacyV1: RecordDestination {
  /// The server's address.
  public let endpoint: URL
  /// What records say about the system they came through.
  public let source: LegacySource

  /// The address of Validic's API.
  public static let published = "https://api.validic.com"

  /// Makes the destination.
  ///
  /// - Parameters:
  ///   - endpoint: The server's address, without `/v1`.
  ///   - source: What records say about the system they came through; the names of Validic's mobile
  ///     SDK unless given, since those are what a customer's filters look for.
  public init(_ endpoint: URL, source: LegacySource = .validicMobile) {
    self.endpoint = endpoint
    self.source = source
  }

  /// One record per request.
  public var maximumBatchRecords: Int { 1 }

  /// Asks whose the token is; unlike `profile.json` this also works for users without a profile.
  ///
  /// - Parameter user: The user.
  /// - Returns: The request.
  public func validation(of user: SantorioUser) -> TransportRequest? {
    TransportRequest(
      url: RequestAddress.url(endpoint, "v1/me.json", query: [("access_token", user.accessToken)]))
  }

  /// Checks that the answer names the token's user.
  ///
  /// - Parameter response: The answer.
  /// - Returns: Whether it names a user.
  public func isKnown(by response: TransportResponse) -> Bool {
    let json = try? JSONReader(parsing: response.body)
    guard case .object? = json?.value["me"] else { return false }
    return true
  }

  /// Sends a record in Legacy form under the name of its class.
  ///
  /// - Parameters:
  ///   - records: The record.
  ///   - user: The user.
  /// - Returns: The request.
  /// - Throws: `RecordError` when the record has no Legacy form.
  public func submission(
    of records: [OutgoingRecord], of user: SantorioUser
  ) throws(RecordError) -> TransportRequest {
    let record = try Self.only(records)
    let form = try record.record().legacyForm(source: source)
    let type = form.recordClass.rawValue
    var body = JSONWriter()
    body.object { json in
      json.key(text: type)
      json.value(Self.named(record.logID, form.json))
      json.optional("access_token", user.accessToken)
    }
    let organization = RequestAddress.escaped(user.organizationID)
    let name = RequestAddress.escaped(user.userID)
    return TransportRequest(
      method: "POST",
      url: RequestAddress.url(
        endpoint, "v1/organizations/\(organization)/users/\(name)/\(type).json"),
      headers: [.contentType("application/json")], body: body.bytes)
  }

  /// The object with `data_id`, the request's name for the `activity_id` of an answer.
  private static func named(_ logID: String, _ object: [UInt8]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in json.optional("data_id", logID) }
    guard object.count > 2 else { return json.bytes }
    return json.bytes.dropLast() + [UInt8(ascii: ",")] + object.dropFirst()
  }

  /// Reads the record as stored by the server, or the status in the body.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - records: The record of the request.
  /// - Returns: The result; nil when the answer is not from the API.
  public func results(
    in response: TransportResponse, on records: [OutgoingRecord]
  ) -> [DeliveryResult?] {
    let result = result(in: response)
    return records.map { _ in result }
  }

  private func result(in response: TransportResponse) -> DeliveryResult? {
    guard let json = try? JSONReader(parsing: response.body), case .object(let members) = json.value
    else { return nil }
    if let code = try? json.optional("code")?.integer() {
      if code == 400 || code == 422 {
        return RecordFailure(status: code, body: response.body).map(DeliveryResult.rejected)
      }
      guard (200...299).contains(code) else { return nil }
    }
    let stored = LegacyRecord.allCases.lazy.map(\.rawValue)
      .compactMap { name in members.first { $0.name == name } }.first
    guard let stored, case .object = stored.value else { return nil }
    guard case .string(let identifier) = stored.value["_id"] else {
      return .stored(serverID: nil)
    }
    return .stored(serverID: identifier)
  }
}
