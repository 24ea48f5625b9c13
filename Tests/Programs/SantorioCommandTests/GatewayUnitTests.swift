// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import santorio

/// The unit of the gateway's guide, against the program that it starts.
@Suite struct `Gateway unit` {
  private static func text(_ name: String) throws -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return try String(
      contentsOf: root.appendingPathComponent("Examples/Gateway/\(name)"), encoding: .utf8)
  }

  /// The values of `KEY=VALUE` lines.
  private static func values(_ name: String) throws -> [String: [String]] {
    var values: [String: [String]] = [:]
    for line in try text(name).split(separator: "\n") where !line.hasPrefix("#") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      values[String(line[..<equals]), default: []].append(
        String(line[equals...].dropFirst()))
    }
    return values
  }

  @Test func `starts a valid command with its settings`() throws {
    let unit = try Self.values("santorio.service")
    var command = try #require(unit["ExecStart"]?.first)
    for (key, value) in try Self.values("gateway.conf") {
      #expect(command.contains("${\(key)}"))
      command = command.replacingOccurrences(of: "${\(key)}", with: value.first ?? "")
    }
    let words = command.split(separator: " ").map(String.init)

    #expect(words.prefix(2) == ["/usr/local/bin/santorio", "read"])
    #expect(!command.contains("$"))
    let arguments = try Arguments(parsing: Array(words.dropFirst(2)), for: .read)
    #expect(throws: Never.self) { try Reading(arguments) }
    #expect(arguments["data"] == "%S/santorio/hub")
    #expect(arguments.operands.isEmpty)
    // What is in range and was not paired here belongs to others.
    #expect(!arguments.has("any"))
    let options = try SessionOptions(arguments)
    #expect(options.sends)
  }

  @Test func `has no privileges and gets token and key as credentials`() throws {
    let unit = try Self.values("santorio.service")
    #expect(unit["User"] == ["santorio"])
    #expect(unit["StateDirectory"] == ["santorio"])
    #expect(unit["CapabilityBoundingSet"] == [""])
    #expect(unit["NoNewPrivileges"] == ["yes"])
    #expect(unit["StandardOutput"] == ["null"])
    let names = unit["LoadCredentialEncrypted"]?.map { $0.prefix { $0 != ":" } }
    #expect(names == ["santorio.token", "santorio.outbox-key"])
    // Kernel sockets for channels, D-Bus, the server, and the routes that are watched.
    #expect(
      unit["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6 AF_NETLINK AF_BLUETOOTH"])
  }

  @Test func `starts the hub with the settings of its example`() throws {
    let unit = try Self.values("santorio-hub.service")
    let command = try #require(unit["ExecStart"]?.first)
    let words = command.split(separator: " ").map(String.init)
    #expect(words.prefix(2) == ["/usr/local/bin/santorio", "hub"])
    let arguments = try Arguments(parsing: Array(words.dropFirst(2)), for: .hub)
    let hub = try HubCommand(arguments)
    #expect(hub.verb == .run)
    #expect(hub.file == HubCommand.file)
    // Debian 12's systemd does not know notify-reload.
    #expect(unit["Type"] == ["notify"])
    #expect(unit["ExecReload"] == ["/bin/kill -HUP $MAINPID"])
    #expect(unit["RuntimeDirectory"] == ["santorio"])
    let single = try Self.values("santorio.service")
    for key in [
      "User", "SupplementaryGroups", "StateDirectory", "UMask", "CapabilityBoundingSet",
      "NoNewPrivileges", "RestrictAddressFamilies", "ProtectSystem", "SystemCallFilter",
      "StandardOutput",
    ] {
      #expect(unit[key] == single[key], "\(key)")
    }
  }

  @Test func `has a command for interactive use with the same user, folder, token and key`() throws
  {
    let script = try Self.text("santorio-gateway")
    let unit = try Self.values("santorio.service")
    // A terminal where there is one, and a pipe where the output is piped on.
    #expect(script.contains(" --pty --pipe "))
    for key in [
      "User", "SupplementaryGroups", "StateDirectory", "StateDirectoryMode", "UMask",
      "LoadCredentialEncrypted",
    ] {
      for value in try #require(unit[key]) {
        #expect(script.contains("--property=\(key)=\(value) "), "\(key)")
      }
    }
  }
}
