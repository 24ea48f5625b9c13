// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioJSON

@testable import SantorioCore

/// The FHIR interface of an electronic health record, as Epic's and Oracle Health's descriptions have
/// it: it creates single Observations, keeps no identifiers, and ignores `If-None-Exist`.
@dynamicMemberLookup
final class HealthRecordServer: Sendable {
  /// What goes wrong with a request.
  enum Fault: CaseIterable {
    case none, loseRequest, loseAnswer, portal, busy, throttle
  }

  fileprivate struct Stored {
    let patient: String
    let code: String
    let time: String
    let values: String
    let json: String

    var key: String { [patient, code, time].joined(separator: " ") }
  }

  /// How it behaves.
  struct Behaviour {
    /// What goes wrong with the next requests.
    var faults: [Fault] = []
    /// Codes that it does not take.
    var refused: Set<String> = []
    /// Codes that the token does not allow.
    var forbidden: Set<String> = []
    var allowsSearch = true
    /// The status of the answer to each search; nil when it answers as it should.
    var searchStatus: Int?
    /// How it answers a second Observation of a patient, code and time; nil when it takes it.
    var duplicateStatus: Int?
    /// Whether an answer names what was created.
    var namesCreated = true
  }

  private struct State {
    var stored: [Stored] = []
    var requests: [String] = []
    var behaviour = Behaviour()
  }

  private let state = Locked(State())

  subscript<Value>(dynamicMember member: WritableKeyPath<Behaviour, Value>) -> Value {
    get { state.withLock { $0.behaviour[keyPath: member] } }
    set { state.withLock { $0.behaviour[keyPath: member] = newValue } }
  }

  /// What it has: patient, code and values of each.
  var stored: [String] {
    state.withLock { $0.stored.map { "\($0.patient) \($0.code) \($0.values)" } }
  }
  /// The patient, code and time of each.
  var keys: [String] { state.withLock { $0.stored.map(\.key) } }
  /// The methods of the requests.
  var requests: [String] { state.withLock { $0.requests } }

  func answer(_ request: TransportRequest) -> Result<TransportResponse, TransportError> {
    state.withLock { state in
      state.requests.append(request.method)
      switch state.behaviour.faults.isEmpty ? Fault.none : state.behaviour.faults.removeFirst() {
      case .none: return .success(Self.handle(request, &state))
      case .loseRequest: return .failure(TransportError(.timedOut, "lost"))
      case .loseAnswer:
        _ = Self.handle(request, &state)
        return .failure(TransportError(.timedOut, "lost"))
      case .portal: return .success(TransportResponse(200, "<html>Sign in</html>"))
      case .busy: return .success(TransportResponse(503, "busy"))
      case .throttle: return .success(Self.refusal(429, "throttled", "one too many"))
      }
    }
  }

  private static func handle(
    _ request: TransportRequest, _ state: inout State
  ) -> TransportResponse {
    guard request.url.lastPathComponent == "Observation" else {
      return refusal(404, "not-found", "no such resource")
    }
    return request.method == "GET" ? search(request, state) : create(request, &state)
  }

  private static func create(
    _ request: TransportRequest, _ state: inout State
  ) -> TransportResponse {
    guard let found = try? Stored(JSONReader(parsing: request.body ?? [])) else {
      return refusal(422, "structure", "no Observation")
    }
    guard !state.behaviour.forbidden.contains(found.code) else {
      return refusal(403, "forbidden", "the scope does not cover \(found.code)")
    }
    guard !state.behaviour.refused.contains(found.code) else {
      return refusal(422, "business-rule", "no row for \(found.code)")
    }
    if let status = state.behaviour.duplicateStatus,
      state.stored.contains(where: { $0.key == found.key })
    {
      return refusal(
        status, "business-rule", "there is a value for this time",
        details: #","details":{"coding":[{"system":"urn:oid:1","code":"59189"}]}"#)
    }
    state.stored.append(found)
    guard state.behaviour.namesCreated else { return TransportResponse(201, "") }
    return TransportResponse(
      201, "", ["Location": "https://ehr.example/r4/Observation/\(state.stored.count)"])
  }

  private static func search(_ request: TransportRequest, _ state: State) -> TransportResponse {
    guard state.behaviour.allowsSearch else { return refusal(403, "forbidden", "create only") }
    if let status = state.behaviour.searchStatus { return refusal(status, "exception", "a fault") }
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func values(_ name: String) -> [String] {
      items.filter { $0.name == name }.compactMap(\.value)
    }
    let found = state.stored.filter { stored in
      values("patient") == [stored.patient]
        && values("code") == ["http://loinc.org|\(stored.code)"]
        && values("date").allSatisfy { isMatch($0, stored.time) }
    }
    let entries = found.map { #"{"resource":\#($0.json)}"# }.joined(separator: ",")
    return TransportResponse(
      200, #"{"resourceType":"Bundle","type":"searchset","entry":[\#(entries)]}"#)
  }

  /// Whether a time meets a condition such as `ge2026-03-04T05:06:07Z`.
  private static func isMatch(_ condition: String, _ time: String) -> Bool {
    func seconds(_ text: String) -> Double {
      (try? JSONReader(.string(text)).instant().timeIntervalSince1970) ?? .nan
    }
    let bound = seconds(String(condition.dropFirst(2)))
    return condition.hasPrefix("ge") ? seconds(time) >= bound : seconds(time) < bound
  }

  private static func refusal(
    _ status: Int, _ code: String, _ text: String, details: String = ""
  ) -> TransportResponse {
    TransportResponse(
      status,
      #"{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"\#(code)","#
        + #""diagnostics":"\#(text)"\#(details)}]}"#)
  }
}

extension HealthRecordServer.Stored {
  fileprivate init(_ json: JSONReader) throws {
    guard try json.member("resourceType").string() == "Observation",
      try json.member("status").string() == "final"
    else { throw RecordError(.invalidValue, "no final Observation") }
    patient = String(try json.member("subject").member("reference").string().dropFirst(8))
    code = try Self.code(json)
    // It keeps whole seconds.
    let instant = try json.member("effectiveDateTime").instant().timeIntervalSince1970
    time = Date(timeIntervalSince1970: instant.rounded(.down)).informText
    let parts = try json.optional("component")?.elements() ?? [json]
    values = try parts.map { part in
      let number = try part.member("valueQuantity").member("value").number()
      return Int(exactly: number).map(String.init) ?? "\(number)"
    }.joined(separator: "/")
    var bytes = JSONWriter()
    bytes.value(
      json.value.removing("identifier").replacing("effectiveDateTime", by: .string(time)))
    self.json = String(decoding: bytes.bytes, as: UTF8.self)
  }

  private static func code(_ json: JSONReader) throws -> String {
    let codings = try json.member("code").member("coding").elements()
    guard codings.count == 1 else { throw RecordError(.invalidValue, "one code only") }
    return try codings[0].member("code").string()
  }
}

extension JSONValue {
  /// The object without a member.
  fileprivate func removing(_ name: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.name != name })
  }

  /// The object with another value of a member.
  fileprivate func replacing(_ name: String, by value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.name == name ? .init(name, value) : $0 })
  }
}

/// Answers so many requests; at the next one the app is ended.
final class EndingTransport: HTTPTransport {
  private let server: HealthRecordServer
  private let left: Locked<Int>
  /// Whether the last request still reaches the server.
  private let reaches: Bool
  private let (ends, end) = AsyncStream<Void>.makeStream()

  init(_ server: HealthRecordServer, after requests: Int, reaches: Bool) {
    self.server = server
    left = Locked(requests)
    self.reaches = reaches
  }

  /// Waits for the request at which the app is ended.
  func untilEnd() async { for await _ in ends { return } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let isLast = left.withLock { left in
      left -= 1
      return left < 0
    }
    guard isLast else { return try server.answer(request).get() }
    if reaches { _ = server.answer(request) }
    end.yield()
    for await _ in AsyncStream<Never>(unfolding: { await Self.never() }) {}
    throw TransportError(.cancelled, "ended")
  }

  private static func never() async -> Never? {
    for await _ in AsyncStream<Void>.makeStream().stream {}
    return nil
  }
}
