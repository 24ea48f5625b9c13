// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import IngestServer
@testable import santorio

/// The guide for operators, against the program.
@Suite struct `Server guide` {
  private let text: String

  init() throws {
    text = try String(
      contentsOf: URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../Documentation/server.md").standardized,
      encoding: .utf8)
  }

  @Test func `has every limit with its default`() {
    let limits = IngestServer.Limits(descriptors: 8_192)
    for setting in IngestServer.Limits.settings {
      let value = "\(limits.value(of: setting)) \(setting.unit)".trimmed
      #expect(text.contains("\n| `\(setting.name)` | \(value) | \(setting.help) |\n"))
    }
    #expect(text.components(separatedBy: "\n| `").count > IngestServer.Limits.settings.count)
  }

  @Test func `has every option of the server`() {
    for name in ServeOptions.options.map(\.name) {
      #expect(text.contains("`--\(name) ") || text.contains("`--\(name)`"), "\(name)")
    }
  }

  @Test(arguments: [Command.user, .administrator, .audit])
  func `has every form of the administration commands`(command: Command) {
    for form in command.forms {
      let verb = form.prefix { $0 != " " }
      let isNamed =
        text.contains("`santorio \(command.name) \(verb)")
        || text.contains(", `\(verb)`") && command.name == "administrator"
      #expect(isNamed, "\(form)")
    }
  }

  @Test func `has every exit status`() {
    for status in [0, 1, Santorio.usageStatus, Santorio.outputStatus, Santorio.busyStatus] {
      #expect(text.contains("\n| \(status) | "))
    }
  }

  @Test func `has every scope, and where the administrator's token comes from`() {
    for scope in Scopes.knownNames { #expect(text.contains("\n| `\(scope)` | ")) }
    #expect(text.contains("`\(AdminToken.variable)`"))
    #expect(text.contains("`\(AdminToken.credential)`"))
  }
}
