// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import IngestServer
import SantorioJSON

extension Command {
  static let audit = Command(
    name: "audit",
    summary: "Read the audit log of a server, and check that it was not changed.",
    forms: [
      "list --data FOLDER [--last NUMBER] [--user USER]", "verify --data FOLDER [--from N:HASH]",
    ],
    options: [
      CommandOption("data", "FOLDER", help: "The server's folder; the server may be running."),
      CommandOption("last", "NUMBER", help: "With list: how many lines; 100 if not given."),
      CommandOption("user", "USER", help: "With list: lines about this user only, by its id."),
      CommandOption(
        "from", "N:HASH", help: "With verify: a line's number and hash that were noted earlier."),
      CommandOption("json", help: "Print JSON, one object per line."),
    ],
    details: """
      list     Who did what, from where and when; the newest line last.
      verify   Recomputes the hash of each line. The exit status is 0 when no line was changed;
               otherwise it is 1 and the first bad line is printed.

      Each line contains a hash of all lines before it, so none can be changed, removed or inserted
      without a trace. Anyone who may write the file could rewrite the whole log; only a hash noted
      elsewhere reveals that. "verify" prints the last hash, and the server writes it into its own
      log each hour, as "audit log noted=N:HASH".
      """
  ) { arguments in
    try AuditCommand.run(arguments)
  }
}

/// Reads and checks the audit log of a server.
enum AuditCommand {
  private enum Verb: String, CaseIterable {
    case list, verify
  }

  private static let owners: [String: Set<Verb>] = [
    "last": [.list], "user": [.list], "from": [.verify],
  ]

  static func run(_ arguments: Arguments) throws -> Int32 {
    let verb = try arguments.verb(Verb.self, owners: owners) { _ in 0...0 }
    guard let path = arguments["data"] else {
      throw UsageError("\"\(verb.rawValue)\" needs --data FOLDER.", command: "audit")
    }
    let noted = try noted(arguments)
    let count = try arguments.integer("last", in: 1...1_000_000) ?? 100
    let folder = try ServerFolder(path)
    let log = try AuditLog(storage: folder.storage)
    switch verb {
    case .list:
      show(try log.last(count, of: arguments["user"]), isJSON: arguments.has("json"))
    case .verify:
      return show(try log.verify(noted: noted), isJSON: arguments.has("json"))
    }
    return 0
  }

  private static func noted(
    _ arguments: Arguments
  ) throws(UsageError) -> (line: Int64, hash: String)? {
    guard let text = arguments["from"] else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let line = Int64(parts[0]), line > 0, parts[1].count == 64,
      parts[1].allSatisfy(\.isHexDigit)
    else {
      throw UsageError(
        "--from takes a line's number and its hash of 64 hexadecimal digits (17:9f86...), not "
          + "\"\(text)\".", command: "audit")
    }
    return (line, parts[1].lowercased())
  }

  private static func show(_ lines: [AuditLog.Line], isJSON: Bool) {
    guard !isJSON else { return lines.forEach { print(json($0)) } }
    Lines.print(
      table: [["LINE", "AT", "WHO", "FROM", "WHAT", "ORGANISATION", "USER", "DETAIL"]]
        + lines.map { line in
          [
            String(line.number), line.date.formatted(.iso8601), line.actor, line.address,
            line.action, line.organization, line.user, line.detail,
          ]
        })
  }

  private static func json(_ line: AuditLog.Line) -> String {
    var json = JSONWriter()
    json.object { json in
      json.optional("number", Int(line.number))
      json.optional("at", line.date)
      json.optional("actor", line.actor)
      json.optional("address", line.address)
      json.optional("action", line.action)
      json.optional("organization", line.organization)
      json.optional("user", line.user)
      json.key("detail")
      json.value(Array(line.detail.utf8))
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func show(_ verdict: AuditLog.ChainCheck, isJSON: Bool) -> Int32 {
    switch verdict {
    case .sound(let lines, let hash):
      if isJSON {
        print(#"{"sound":true,"lines":\#(lines),"noted":"\#(lines):\#(hash)"}"#)
      } else {
        Lines.print([("sound", "\(lines) lines"), ("noted", "\(lines):\(hash)")])
      }
      return 0
    case .broken(let line, let reason):
      if isJSON {
        print(#"{"sound":false,"line":\#(line),"reason":"\#(reason)"}"#)
      } else {
        Lines.print([("broken", "line \(line)"), ("reason", reason)])
      }
      return 1
    }
  }
}
