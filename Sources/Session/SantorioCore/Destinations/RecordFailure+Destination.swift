// SPDX-License-Identifier: Apache-2.0

import HealthRecords

extension RecordFailure {
  /// The code of a record that has no form at the destination; it was not sent.
  public static let notConvertible = "not_convertible"

  /// Makes a reason.
  ///
  /// - Parameters:
  ///   - code: The server's name for the fault.
  ///   - message: The server's explanation.
  ///   - path: The place in the record.
  ///   - status: The HTTP status, when the whole request was refused because of the record.
  public init(code: String, message: String, path: String? = nil, status: Int? = nil) {
    self.init(status: status, code: code, message: Self.short(message), path: path)
  }

  /// Why a record has no form at the destination; `place` is where it stands among others.
  init(_ error: RecordError, at place: String = "") {
    let path = [place, error.path].filter { !$0.isEmpty }.joined(separator: ".")
    self.init(
      code: Self.notConvertible, message: "\(error.code.rawValue): \(error.message)",
      path: path.isEmpty ? nil : path)
  }

  /// Reads the body of a refusal in one of these shapes: `{"error":{code,message,path}}` of the
  /// ingest API; `{code,message,errors}`, `{errors:[…]}`, `{errors:{field:[…]}}`, `{status,error}`
  /// and `{message}` of Validic's APIs.
  init(status: Int, body: [UInt8]) {
    let json = try? JSONReader(parsing: body)
    let fault = try? json?.optional("error")
    if case .object? = fault?.value {
      self.init(status: status, error: fault)
      return
    }
    let errors = json?.value["errors"].map(Self.texts) ?? []
    let texts =
      errors.map(\.text)
      + ["message", "error"].compactMap { name in try? json?.optional(name)?.string() }
    self.init(
      code: "refused", message: texts.joined(separator: "; "),
      path: errors.lazy.compactMap(\.path).first, status: status)
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

  /// An explanation has an end, also one that a server sent.
  static func short(_ text: String) -> String { String(text.prefix(500)) }
}
