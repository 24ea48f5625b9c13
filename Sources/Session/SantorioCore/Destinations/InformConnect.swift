// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
import SantorioJSON

/// Inform Connect, the interface of Validic's Inform API (v2) for data providers.
///
/// A request carries one record. Validic publishes the paths, the header and the structure of a
/// record ("Submitting health data to Inform Connect"). The host, the status codes and the paths
/// for intraday and glucose monitor records are not public: Validic gives them to partners. So
/// the address is required, the routes are configurable, and an answer of 200...299 that is a
/// JSON object, or of 201, 202 or 204 without content, counts as an acknowledgement. An empty 200
/// probably comes from a portal.
public struct InformConnect: RecordDestination {
  /// The server's address.
  public let endpoint: URL
  /// The path for each kind of record, relative to the address; a kind without one cannot be sent.
  public let routes: [RecordKind: String]

  /// The paths published by Validic.
  public static let publishedRoutes: [RecordKind: String] = [
    .summary: "connect/provider/data/summaries", .workout: "connect/provider/data/workouts",
    .nutrition: "connect/provider/data/nutrition",
    .measurement: "connect/provider/data/measurements", .sleep: "connect/provider/data/sleep",
  ]

  /// Makes the destination.
  ///
  /// - Parameters:
  ///   - endpoint: The server's address.
  ///   - routes: The path for each kind of record, relative to the address.
  public init(
    _ endpoint: URL, routes: [RecordKind: String] = InformConnect.publishedRoutes
  ) {
    self.endpoint = endpoint
    self.routes = routes
  }

  /// One record per request.
  public var maximumBatchRecords: Int { 1 }

  /// Sends the record members that the API knows, as JSON.
  ///
  /// - Parameters:
  ///   - records: The record.
  ///   - user: The user; identified by the token alone.
  /// - Returns: The request.
  /// - Throws: `RecordError` when the record's kind has no route, none of its metrics has a value,
  ///   or it was entered in error.
  public func submission(
    of records: [OutgoingRecord], of user: SantorioUser
  ) throws(RecordError) -> TransportRequest {
    let record = try Self.only(records)
    let json = try JSONReader(parsing: record.informJSON)
    let kind = RecordKind(rawValue: try json.member("type").string())
    guard let route = routes[kind] else {
      throw RecordError(
        .invalidValue, at: "type", "Inform Connect has no known route for records of this kind")
    }
    guard json.value["entered_in_error"] ?? .null == .null else { throw RecordError.enteredInError }
    let published = Self.published(json.value)
    guard published["metrics"] != .array([]) else {
      throw RecordError(
        .invalidValue, at: "metrics", "Inform Connect has no form for a metric without a value")
    }
    var body = JSONWriter()
    body.value(published)
    return TransportRequest(
      method: "POST", url: RequestAddress.url(endpoint, route),
      headers: [.bearer(user.accessToken), .contentType("application/json")], body: body.bytes)
  }

  /// Accepts a JSON object, or a status that implies an empty body, as an acknowledgement.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - records: The record of the request.
  /// - Returns: The result; nil when the answer is probably not from the server.
  public func results(
    in response: TransportResponse, on records: [OutgoingRecord]
  ) -> [DeliveryResult?] {
    records.map { _ in
      if response.body.isEmpty {
        return [201, 202, 204].contains(response.status) ? .stored(serverID: nil) : nil
      }
      guard let json = try? JSONReader(parsing: response.body), case .object = json.value,
        json.value["error"] == nil, json.value["errors"] == nil
      else { return nil }
      return .stored(serverID: try? json.optional("id")?.string())
    }
  }

  /// Reads the error formats of Validic's APIs, or the challenge for a token.
  ///
  /// - Parameter response: An answer with a status of 300 or more.
  /// - Returns: The reason; nil when the answer is not from the server.
  public func failure(in response: TransportResponse) -> RecordFailure? {
    RecordFailure(status: response.status, body: response.body)
      ?? RecordFailure(challenge: response)
  }

  // The members of a record, a device and a data point in Validic's published description. Other
  // stored members, such as the record's clock and a device's battery, are not sent.
  private static let members: Set<String> = [
    "log_id", "type", "version", "start_time", "end_time", "utc_offset", "offset_origin", "source",
    "metrics", "tags", "user_notes", "segments", "category", "name", "granularity",
  ]
  private static let deviceMembers: Set<String> = ["id", "manufacturer", "model"]
  private static let pointMembers: Set<String> = ["time", "value"]
  // Whether a value is a bound, or why there is none, is told by tags only; what the device showed is
  // not.
  private static let metricMembers: Set<String> = [
    "type", "origin", "unit", "value", "data_points", "reading_log",
  ]
  private static let readingMembers: Set<String> = [
    "time", "value", "display_time", "scheduled", "device_id",
  ]

  private static func published(_ record: JSONValue) -> JSONValue {
    keeping(members, of: isTimeUnknown(record) ? tagged(record) : record) { name, value in
      switch name {
      case "source": keeping(nil, of: value, source)
      case "metrics":
        withValues(each(withValues(value)) { keeping(metricMembers, of: $0, series) })
      case "segments": each(value) { keeping(nil, of: $0, segment) }
      default: value
      }
    }
  }

  /// Whether the record's time is that of receipt, since the device's was not believed.
  private static func isTimeUnknown(_ record: JSONValue) -> Bool {
    let time = record["time"]
    return time?["origin"] == .string("received") && time?["device_time"] ?? .null != .null
  }

  /// The record with a tag that says so: the published form has no other place for it.
  private static func tagged(_ record: JSONValue) -> JSONValue {
    guard case .object(let members) = record else { return record }
    var tags: [JSONValue] = []
    if case .array(let earlier)? = record["tags"] { tags = earlier }
    tags.append(
      .object([
        JSONValue.Member("name", .string("measurement_time_unknown")),
        JSONValue.Member("value", .string("true")),
      ]))
    return .object(members.filter { $0.name != "tags" } + [JSONValue.Member("tags", .array(tags))])
  }

  private static func segment(_ name: String, _ value: JSONValue) -> JSONValue {
    switch name {
    case "metrics": each(withValues(value)) { keeping(metricMembers, of: $0) }
    case "food": each(value) { keeping(nil, of: $0, segment) }
    default: value
    }
  }

  private static func source(_ name: String, _ value: JSONValue) -> JSONValue {
    switch name {
    case "device": keeping(deviceMembers, of: value)
    case "devices": keeping(nil, of: value) { keeping(deviceMembers, of: $1) }
    default: value
    }
  }

  private static func series(_ name: String, _ value: JSONValue) -> JSONValue {
    switch name {
    case "data_points": each(value) { keeping(pointMembers, of: $0) }
    case "reading_log": each(withValues(value)) { keeping(readingMembers, of: $0) }
    default: value
    }
  }

  /// A list without what has neither a value nor a list of such.
  private static func withValues(_ json: JSONValue) -> JSONValue {
    guard case .array(let values) = json else { return json }
    return .array(
      values.filter { value in
        let lists = [value["data_points"], value["reading_log"]].compactMap(\.self)
        return value["value"] != nil || lists.contains { $0 != .array([]) }
      })
  }

  private static func each(_ json: JSONValue, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    guard case .array(let values) = json else { return json }
    return .array(values.map(change))
  }

  private static func keeping(
    _ names: Set<String>?, of json: JSONValue,
    _ change: (String, JSONValue) -> JSONValue = { $1 }
  ) -> JSONValue {
    guard case .object(let members) = json else { return json }
    return .object(
      members.filter { names?.contains($0.name) ?? true }
        .map { JSONValue.Member($0.name, change($0.name, $0.value)) })
  }
}

extension RecordDestination {
  /// The record of a request that carries one.
  static func only(_ records: [OutgoingRecord]) throws(RecordError) -> OutgoingRecord {
    guard records.count == 1, let record = records.first else {
      throw RecordError(.invalidValue, "the destination accepts only one record per request")
    }
    return record
  }
}
