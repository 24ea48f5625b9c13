// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

extension Command {
  static let user = Command(
    name: "user",
    summary: "Manage the users of a server, and their tokens.",
    forms: [
      "add UID --organization NAME [--scope NAMES] [--label TEXT] [--days NUMBER] [--revoke-others]",
      "list --organization NAME", "show USER --organization NAME",
      "token USER --organization NAME [--scope NAMES] [--label TEXT] [--days NUMBER]",
      "rotate USER TOKEN --organization NAME [--overlap MINUTES] [--days NUMBER]",
      "revoke USER (TOKEN ... | --all) --organization NAME",
      "rejections USER --organization NAME [--wipe]", "export USER FILE --organization NAME",
      "erase USER --organization NAME [--yes]",
    ],
    options: [CommandOption("organization", "NAME", help: "The organisation of the user.")]
      + TokenWork.options + [
        CommandOption("revoke-others", help: "With add: revoke the user's other tokens."),
        CommandOption("all", help: "With revoke: all tokens of the user."),
        CommandOption("wipe", help: "With rejections: delete the refused data from the server."),
        CommandOption("yes", help: "With erase: do not ask."),
        CommandOption("json", help: "Print JSON, one object per line."),
      ] + ServerAccess.options,
    details: """
      add         Creates a user and its first token; an existing UID gets another token.
      list        Lists the users of the organisation.
      show        Shows a user, its number of records, and its tokens.
      token       Creates another token.
      rotate      Creates the successor of a token; the old one stays valid for a while.
      revoke      Revokes tokens immediately.
      rejections  Shows what the server refused from the user, kept for 30 days for diagnosis.
      export      Writes all data of the user to a file of JSON lines, readable by its owner only.
      erase       Permanently removes the user with its records, images, tokens and refused data.

      UID is the organisation's own name for the user. USER is the id that the server assigned, and
      TOKEN the id of a token: "list" and "show" print them. A token itself is shown once, when it
      is created; the server does not store it. A gateway needs --scope write.

      \(ServerAccess.details)

      example: santorio user add bed-12 --organization clinic --scope write --data /var/lib/santorio-server
      """
  ) { arguments in
    try await UserCommand.run(arguments)
  }
}

/// Manages the users of an organisation.
struct UserCommand: Sendable {
  private enum Verb: String, CaseIterable {
    case add, list, show, token, rotate, revoke, rejections, export, erase

    /// How many operands follow it.
    var operands: ClosedRange<Int> {
      switch self {
      case .list: 0...0
      case .add, .show, .token, .rejections, .erase: 1...1
      case .rotate, .export: 2...2
      case .revoke: 1...1_000
      }
    }
  }

  /// The options that only some verbs take.
  private static let owners: [String: Set<Verb>] = [
    "scope": [.add, .token], "label": [.add, .token], "days": [.add, .token, .rotate],
    "overlap": [.rotate], "revoke-others": [.add], "all": [.revoke], "wipe": [.rejections],
    "yes": [.erase], "json": [.add, .list, .show, .token, .rotate, .rejections],
  ]

  private let client: AdministrationClient
  private let arguments: Arguments
  private let users: String
  private let operands: [String]

  static func run(_ arguments: Arguments) async throws -> Int32 {
    let verb = try arguments.verb(Verb.self, owners: owners, operands: \.operands)
    guard let organization = arguments["organization"] else {
      throw UsageError("\"\(verb.rawValue)\" needs --organization NAME.", command: "user")
    }
    let operands = Array(arguments.operands.dropFirst())
    if verb == .revoke, arguments.has("all") == (operands.count > 1) {
      throw UsageError("\"revoke\" takes either TOKEN ... or --all.", command: "user")
    }
    let export = verb == .export ? try ExportFile(path: operands[1]) : nil
    try await ServerAccess.withClient(arguments) { client in
      let command = UserCommand(
        client: client, arguments: arguments,
        users: "/v1/organizations/\(organization.escaped)/users", operands: operands)
      try await command.perform(verb, into: export)
    }
    return 0
  }

  private func perform(_ verb: Verb, into file: ExportFile?) async throws {
    switch verb {
    case .add: try await add()
    case .list: try await list()
    case .show: try await show()
    case .token: try await tokens.issue()
    case .rotate: try await tokens.rotate(operands[1])
    case .revoke: try await tokens.revoke(Array(operands.dropFirst()))
    case .rejections: try await rejections()
    case .export: if let file { try await export(to: file) }
    case .erase: try await erase()
    }
  }

  /// The path of the user that is named.
  private var path: String { "\(users)/\(operands[0].escaped)" }

  private var tokens: TokenWork {
    TokenWork(client: client, path: path + "/tokens", arguments: arguments)
  }

  private func add() async throws {
    let revokesOthers = arguments.has("revoke-others")
    let terms = try TokenWork.terms(arguments) { json in
      json.optional("uid", operands[0])
      if revokesOthers { json.optional("revoke_others", true) }
    }
    let user = try await client.send("POST", users, terms)
    guard !arguments.has("json") else { return Lines.print(json: user) }
    Lines.print(
      try [("user", user.member("id").string()), ("uid", user.member("uid").string())]
        + TokenWork.rows(ofNew: user.member("mobile")))
  }

  private func list() async throws {
    let all = try await client.list(users, "users")
    guard !arguments.has("json") else { return all.forEach(Lines.print(json:)) }
    Lines.print(
      table: try [["USER", "CREATED", "UID"]]
        + all.map { user in
          try ["id", "created_at", "uid"].map { try user.member($0).string() }
        })
  }

  private func show() async throws {
    let user = try await client.send("GET", path)
    let tokens = try await tokens.list()
    guard !arguments.has("json") else {
      let all = JSONValue.Member("tokens", .array(tokens.map(\.value)))
      guard case .object(let members) = user.value else { throw user.wrongType("an object") }
      return Lines.print(json: JSONReader(.object(members + [all])))
    }
    Lines.print([
      ("user", try user.member("id").string()), ("uid", try user.member("uid").string()),
      ("records", String(try user.member("records").integer())),
    ])
    print("")
    Lines.print(table: try TokenWork.table(of: tokens))
  }

  private func rejections() async throws {
    guard !arguments.has("wipe") else {
      try await client.send("DELETE", path + "/rejections")
      return printError("wiped")
    }
    let all = try await client.list(path + "/rejections", "rejections")
    guard !arguments.has("json") else { return all.forEach(Lines.print(json:)) }
    Lines.print(
      table: try [["ID", "RECEIVED", "BYTES", "WHY"]]
        + all.map { item in
          let error = try item.member("error")
          let place = try error.optionalString("path").map { " at \($0)" } ?? ""
          return [
            try item.member("id").string(), try item.member("received_at").string(),
            String(try item.member("size").integer()),
            try "\(error.member("code").string())\(place): \(error.member("message").string())",
          ]
        })
  }

  private func export(to file: ExportFile) async throws {
    do {
      try await client.download(path + "/export", to: { try file.take($0) })
    } catch {
      file.discard()
      throw file.failure ?? error
    }
    let lines = try file.finish()
    printError("\(lines) lines written to \(file.path)")
  }

  private func erase() async throws {
    let user = try await client.send("GET", path)
    let uid = try user.member("uid").string()
    let count = try user.member("records").integer()
    let tokens = try await tokens.list().count
    if !arguments.has("yes") { try await confirm(uid, records: count) }
    try await client.send("DELETE", path)
    printError(
      "erased user \(operands[0]), \"\(uid)\": \(Self.count(count, "record")) with all images, "
        .printable + "\(Self.count(tokens, "token")), and what was refused")
  }

  private static func count(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }

  private func confirm(_ uid: String, records: Int) async throws {
    guard Terminal.isInput else {
      throw UsageError("\"erase\" cannot be undone; confirm it with --yes.", command: "user")
    }
    printError(
      "This removes \"\(uid)\" with \(Self.count(records, "record")) for good. Type it to continue:"
        .printable)
    guard await Terminal.line() == uid else { throw CommandError("nothing was erased") }
  }
}

extension Arguments {
  /// The first word, which names the subcommand.
  ///
  /// - Parameters:
  ///   - verbs: The known subcommands.
  ///   - owners: Which of them take an option; an option that is not listed is for all.
  ///   - count: How many operands may follow.
  /// - Returns: The verb.
  /// - Throws: ``UsageError``.
  func verb<Verb: RawRepresentable<String> & CaseIterable & Hashable>(
    _ verbs: Verb.Type, owners: [String: Set<Verb>], operands count: (Verb) -> ClosedRange<Int>
  ) throws(UsageError) -> Verb {
    let known = verbs.allCases.map(\.rawValue)
    guard let name = operands.first else {
      throw UsageError(
        "the subcommand is missing; the subcommands are \(known.joined(separator: ", ")).",
        command: command)
    }
    guard let verb = Verb(rawValue: name) else {
      throw UsageError(
        Suggestion.text(unknown: "subcommand", name, among: known), command: command)
    }
    for option in options.keys.sorted() {
      guard let owners = owners[option], !owners.contains(verb) else { continue }
      let right = owners.map { "\"\($0.rawValue)\"" }.sorted().alternatives
      throw UsageError("--\(option) can only be used with \(right).", command: command)
    }
    guard count(verb).contains(operands.count - 1) else {
      throw UsageError("wrong number of arguments for \"\(name)\".", command: command)
    }
    return verb
  }
}
