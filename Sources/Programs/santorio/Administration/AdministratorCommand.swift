// SPDX-License-Identifier: Apache-2.0

import HealthRecords

extension Command {
  static let administrator = Command(
    name: "administrator",
    summary: "Manage the tokens of an organisation's administrators.",
    forms: [
      "list --organization NAME", "token --organization NAME [--label TEXT] [--days NUMBER]",
      "rotate TOKEN --organization NAME [--overlap MINUTES] [--days NUMBER]",
      "revoke TOKEN ... --organization NAME",
    ],
    options: [CommandOption("organization", "NAME", help: "The organisation.")]
      + TokenWork.options.filter { $0.name != "scope" } + [
        CommandOption("json", help: "Print JSON, one object per line.")
      ] + ServerAccess.options,
    details: """
      An organisation's administrator manages its users and sees its readings on the live page, but
      nothing of other organisations. Only the server's own administrator may use this command.

      list     Lists the tokens, including expired and revoked ones.
      token    Creates a token, which is shown only once.
      rotate   Creates the successor of a token; the old one stays valid for a while.
      revoke   Revokes tokens immediately. TOKEN is the id that "list" shows.

      \(ServerAccess.details)
      """
  ) { arguments in
    try await AdministratorCommand.run(arguments)
  }
}

/// Manages the tokens of an organisation's administrators.
enum AdministratorCommand {
  private enum Verb: String, CaseIterable {
    case list, token, rotate, revoke

    var operands: ClosedRange<Int> {
      switch self {
      case .list, .token: 0...0
      case .rotate: 1...1
      case .revoke: 1...1_000
      }
    }
  }

  private static let owners: [String: Set<Verb>] = [
    "label": [.token], "days": [.token, .rotate], "overlap": [.rotate],
    "json": [.list, .token, .rotate],
  ]

  static func run(_ arguments: Arguments) async throws -> Int32 {
    let verb = try arguments.verb(Verb.self, owners: owners, operands: \.operands)
    guard let organization = arguments["organization"] else {
      throw UsageError("\"\(verb.rawValue)\" needs --organization NAME.", command: "administrator")
    }
    try await ServerAccess.withClient(arguments) { client in
      let work = TokenWork(
        client: client, path: "/v1/organizations/\(organization.escaped)/administrators",
        arguments: arguments)
      let operands = Array(arguments.operands.dropFirst())
      switch verb {
      case .list: try await list(work)
      case .token: try await work.issue()
      case .rotate: try await work.rotate(operands[0])
      case .revoke: try await work.revoke(operands)
      }
    }
    return 0
  }

  private static func list(_ work: TokenWork) async throws {
    let tokens = try await work.list()
    guard !work.arguments.has("json") else { return tokens.forEach(Lines.print(json:)) }
    Lines.print(table: try TokenWork.table(of: tokens))
  }
}
