// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// One subcommand: its name, its help and what it does.
struct Command: Sendable {
  /// The name on the command line.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// What follows the name: the forms of the call, without the program's and the command's name.
  let forms: [String]
  /// The options it knows.
  let options: [CommandOption]
  /// More about it, after the options; may be empty.
  let details: String
  /// Does the work and returns the exit status.
  let run: @Sendable (Arguments) async throws -> Int32

  /// All commands, in the order of the help.
  static let all: [Command] = [
    .demo, .scan, .pair, .read, .simulate, .doctor, .serve, .user,
    .administrator, .audit, .queue, .convert, .decode, .devices, .version,
  ]

  /// The help text of the command.
  var help: String {
    let usage = forms.map { "santorio \(name) \($0)".trimmed }.joined(separator: "\n       ")
    let rows = (options + [CommandOption.forHelp]).map { ($0.synopsis, $0.help) }
    let more = details.isEmpty ? "" : "\n\n\(details)"
    return "\(summary)\n\nusage: \(usage)\n\noptions:\n\(table(rows))\(more)"
  }

  /// The help text of the program.
  static var overview: String {
    """
    santorio captures readings of health devices and gets each one to a server.

    usage: santorio COMMAND [ARGUMENT ...]

    commands:
    \(table(all.map { ($0.name, $0.summary) }))

    "santorio COMMAND --help" tells more about a command. The environment variable \(Logging.variable) makes
    all of them tell what they do on standard error: \(LogNames.list), with commas between.
    """
  }
}

/// One long option of a command.
struct CommandOption: Hashable, Sendable {
  /// The name without the dashes.
  let name: String
  /// What stands for its value in the help; nil when it takes none.
  let value: String?
  /// One line for the help.
  let help: String

  init(_ name: String, _ value: String? = nil, help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  var synopsis: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  static let forHelp = CommandOption("help", help: "Show this text.")
}

/// Two columns, the second aligned.
private func table(_ rows: [(String, String)]) -> String {
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { row in
    "  \(row.0)\(String(repeating: " ", count: width - row.0.count + 3))\(row.1)"
  }.joined(separator: "\n")
}

extension String {
  /// The text without blanks at either end.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
