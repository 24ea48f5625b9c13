// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// One subcommand: its name, its help and what it does.
struct Command: Sendable {
  /// The name on the command line.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The forms of the call, without the names of the program and the command.
  let forms: [String]
  /// The options it takes.
  let options: [CommandOption]
  /// More text for the help, after the options; may be empty.
  let details: String
  /// Does the work and returns the exit status.
  let run: @Sendable (Arguments) async throws -> Int32

  /// All commands, in the order of the help.
  static let all: [Command] = [
    .demo, .scan, .pair, .read, .hub, .simulate, .doctor, .serve, .user,
    .administrator, .audit, .queue, .health, .ocr, .convert, .decode, .devices, .version,
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
    santorio captures readings from health devices and delivers each one to a server.

    usage: santorio COMMAND [ARGUMENT ...]

    commands:
    \(table(all.map { ($0.name, $0.summary) }))

    "santorio COMMAND --help" describes a command. The environment variable \(SantorioLogging.variable)
    makes every command log to standard error; its value is a comma-separated list of the names
    \(LogNames.list).
    """
  }
}

/// One long option of a command.
struct CommandOption: Hashable, Sendable {
  /// The name without the dashes.
  let name: String
  /// The placeholder for its value in the help; nil when it takes none.
  let value: String?
  /// One line for the help.
  let help: String
  /// Whether it may be given several times; else the last one counts.
  let repeats: Bool

  init(_ name: String, _ value: String? = nil, help: String, repeats: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.repeats = repeats
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
  /// The text without spaces at either end.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
