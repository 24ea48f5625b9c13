// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

extension RecordFailure {
  /// The code of a record that the destination cannot represent; it was not sent.
  public static let notConvertible = "not_convertible"
  /// The code of a record, or of a part of one, that the server says it has already.
  public static let duplicate = "duplicate"

  /// The reason for a deletion of which the destination cannot be told.
  package static let deletionUnsupported = RecordFailure(
    code: "deletion_unsupported",
    message: "the destination cannot be told of a deletion; delete the record there")

  /// Makes a reason.
  ///
  /// - Parameters:
  ///   - code: The server's name for the error.
  ///   - message: The server's explanation.
  ///   - path: The place in the record.
  ///   - status: The HTTP status, when the whole request was refused because of the record.
  public init(code: String, message: String, path: String? = nil, status: Int? = nil) {
    self.init(status: status, code: code, message: Self.short(message), path: path)
  }

  /// Why the destination cannot represent a record; `place` is its position among others.
  init(_ error: RecordError, at place: String = "") {
    let path = [place, error.path].filter { !$0.isEmpty }.joined(separator: ".")
    self.init(
      code: Self.notConvertible, message: "\(error.code.rawValue): \(error.message)",
      path: path.isEmpty ? nil : path)
  }

  /// Reads the body of a refusal by the ingest API: `{"error":{code,message,path}}`; or nil.
  init?(status: Int, ingest body: [UInt8]) {
    guard let json = try? JSONReader(parsing: body), let error = try? json.optional("error"),
      let code = try? error.member("code").string(), Self.isIngestCode(code)
    else { return nil }
    self.init(status: status, error: error)
  }

  /// Whether a code is written like those of the ingest API.
  ///
  /// Other gateways use the same error format (OData), with codes such as `BadRequest`.
  private static func isIngestCode(_ code: String) -> Bool {
    code.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } == true
      && code.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  /// Reads the body of a refusal by the ingest API or by one of Validic's APIs; or nil.
  ///
  /// Validic's formats: `{code,message,errors}`, `{errors:[…]}`, `{errors:{field:[…]}}`,
  /// `{status,error}` and `{message}`.
  init?(status: Int, body: [UInt8]) {
    if let failure = RecordFailure(status: status, ingest: body) {
      self = failure
      return
    }
    guard let json = try? JSONReader(parsing: body), case .object = json.value else { return nil }
    let errors = json.value["errors"].map(Self.texts) ?? []
    let texts =
      errors.map(\.text)
      + ["message", "error"].compactMap { name in try? json.optional(name)?.string() }
    guard !texts.isEmpty else { return nil }
    self.init(
      code: "refused", message: texts.joined(separator: "; "),
      path: errors.lazy.compactMap(\.path).first, status: status)
  }

  /// Reads a 401 that asks for a Bearer token (RFC 6750 §3); nil for any other answer.
  ///
  /// A guard in front of a server's API asks so on the server's behalf. Proxies ask for other
  /// credentials, and portals for none.
  init?(challenge response: TransportResponse) {
    let challenge = response.header("WWW-Authenticate")?.lowercased() ?? ""
    guard response.status == 401, challenge.hasPrefix("bearer") else { return nil }
    self.init(code: "unauthorized", message: "", status: response.status)
  }

  /// The texts in `errors`, with the field of each where there is one.
  private static func texts(_ json: JSONValue) -> [(path: String?, text: String)] {
    switch json {
    case .string(let text): [(nil, text)]
    case .array(let values): values.flatMap(texts)
    case .object(let members):
      members.flatMap { member in texts(member.value).map { ($0.path ?? member.name, $0.text) } }
    default: []
    }
  }

  /// Limits the length of an explanation, also of one that a server sent.
  static func short(_ text: String) -> String { String(text.prefix(500)) }
}
