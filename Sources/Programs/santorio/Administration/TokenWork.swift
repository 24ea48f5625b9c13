// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

/// Manages the tokens of one holder: a user, or the administrators of an organisation.
struct TokenWork: Sendable {
  static let options = [
    CommandOption(
      "scope", "NAMES",
      help:
        "What the new token may do, comma-separated: write, read, correct; all if not given."),
    CommandOption("label", "TEXT", help: "Your label for the token; not a person's name."),
    CommandOption(
      "days", "NUMBER", help: "How long the token is valid; until revoked if not given."),
    CommandOption(
      "overlap", "MINUTES",
      help: "How long the old token stays valid after a rotation; 60 if not given."),
  ]

  let client: AdministrationClient
  /// The path of the list of tokens.
  let path: String
  let arguments: Arguments

  /// Creates a token, and prints it.
  func issue() async throws {
    try print(new: await client.send("POST", path, Self.terms(arguments)))
  }

  /// Creates the successor of a token, and prints it.
  func rotate(_ token: String) async throws {
    var terms = JSONWriter()
    try terms.object { json in
      try Self.writeLife(arguments, to: &json)
      let minutes = try arguments.integer("overlap", in: 0...43_200) ?? 60
      json.optional("overlap", minutes * 60)
    }
    try print(new: await client.send("POST", "\(path)/\(token.escaped)/rotation", terms.bytes))
  }

  /// Revokes the given tokens, or all.
  func revoke(_ tokens: [String]) async throws {
    guard !tokens.isEmpty else {
      try await client.send("DELETE", path)
      return printError("revoked all tokens")
    }
    for token in tokens {
      try await client.send("DELETE", "\(path)/\(token.escaped)")
      printError("revoked \(token)")
    }
  }

  /// The tokens, including expired and revoked ones.
  func list() async throws -> [JSONReader] {
    try await client.send("GET", path).member("tokens").elements()
  }

  private func print(new token: JSONReader) throws {
    arguments.has("json") ? Lines.print(json: token) : Lines.print(try Self.rows(ofNew: token))
  }

  /// The body of a request for a token.
  static func terms(
    _ arguments: Arguments, _ more: (inout JSONWriter) -> Void = { _ in }
  ) throws(UsageError) -> [UInt8] {
    var terms = JSONWriter()
    try terms.object { json throws(UsageError) in
      more(&json)
      if let scopes = arguments["scope"] {
        json.list("scopes", scopes.split(separator: ",").map(String.init)) { $0.string($1) }
      }
      json.optional("label", arguments["label"])
      try writeLife(arguments, to: &json)
    }
    return terms.bytes
  }

  private static func writeLife(
    _ arguments: Arguments, to json: inout JSONWriter
  ) throws(UsageError) {
    json.optional("expires_in", try arguments.integer("days", in: 1...3_650).map { $0 * 86_400 })
  }

  /// What is shown of a new token, once only.
  static func rows(ofNew token: JSONReader) throws -> [(String, String)] {
    [
      ("token", try token.member("token").string()),
      ("token id", try token.member("id").string()),
      ("scopes", try scopes(of: token)),
      ("expires", try token.optionalString("expires_at") ?? "when it is revoked"),
    ]
  }

  private static func scopes(of token: JSONReader) throws -> String {
    try token.member("scopes").elements().map { try $0.string() }.joined(separator: ",")
  }

  /// The list of tokens for display.
  static func table(of tokens: [JSONReader]) throws -> [[String]] {
    try [["TOKEN ID", "STATE", "SCOPES", "CREATED", "EXPIRES", "LABEL"]]
      + tokens.map { token in
        [
          try token.member("id").string(), try token.member("state").string(),
          try scopes(of: token),
          try token.member("created_at").string(), try token.optionalString("expires_at") ?? "-",
          try token.optionalString("label") ?? "",
        ]
      }
  }
}

/// Output for people and for scripts.
enum Lines {
  /// Prints names with their values, in two columns.
  static func print(_ rows: [(String, String)]) {
    let width = rows.map(\.0.count).max() ?? 0
    for (name, value) in rows { Swift.print("\(name.padded(to: width))  \(value.printable)") }
  }

  /// Prints a table; the last column may be of any width.
  static func print(table rows: [[String]]) {
    let rows = rows.map { $0.map(\.printable) }
    let widths = (0..<(rows.first?.count ?? 0)).map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    for row in rows {
      let cells = zip(row, widths).map { $0.padded(to: $1) }
      Swift.print(cells.joined(separator: "  ").trimmed)
    }
  }

  /// Prints a value as a line of JSON.
  static func print(json value: JSONReader) {
    var json = JSONWriter()
    json.value(value.value)
    Swift.print(String(decoding: json.bytes, as: UTF8.self))
  }
}
