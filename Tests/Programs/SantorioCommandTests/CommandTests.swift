// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioCore
import TestSupport
import Testing
import VirtualDevices

@testable import santorio

private let allCommands = [
  "demo", "scan", "pair", "read", "hub", "simulate", "doctor", "serve", "user", "administrator",
  "audit", "queue", "health", "ocr", "convert", "decode", "version",
]

@Suite struct `Command line` {
  @Test func `lists the commands and fails when called without one`() async throws {
    let run = try await CommandProcess([])
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    for command in allCommands {
      #expect(run.error.contains("\n  \(command) "))
    }
  }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func `lists the commands on request`(arguments: [String]) async throws {
    let run = try await CommandProcess(arguments)
    #expect(run.status == 0)
    #expect(run.output.contains("usage: santorio COMMAND"))
  }

  @Test(arguments: allCommands)
  func `prints the help of a command`(command: String) async throws {
    let run = try await CommandProcess([command, "--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("usage: santorio \(command)"))
    #expect(run.output.contains("--help"))
    #expect(try await CommandProcess(["help", command]).output == run.output)
  }

  @Test func `prints the version`() async throws {
    let run = try await CommandProcess(["version"])
    #expect(run.status == 0)
    #expect(run.output == "santorio \(SantorioVersion.current)\n")
    #expect(try await CommandProcess(["--version"]).output == run.output)
  }

  @Test func `has the version that the README names, and devices of no later one`() throws {
    let readme = try String(
      contentsOf: URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../README.md").standardized, encoding: .utf8)
    #expect(readme.contains("This is version \(SantorioVersion.current). "))
    for entry in DeviceCatalogue.standard.supported {
      let version = try #require(entry.version, "\(entry.name)")
      #expect(version.compare(SantorioVersion.current, options: .numeric) != .orderedDescending)
    }
  }

  /// Arguments, and what the answer to them contains.
  static let wrongArguments: [([String], String)] = [
    (
      ["frobnicate"],
      "unknown command 'frobnicate'; the commands are demo, scan, pair, read, hub, simulate,"
    ),
    (["dekode"], "unknown command 'dekode'; did you mean 'decode'?\n"),
    (["admin", "list"], "unknown command 'admin'; did you mean 'administrator'?\n"),
    (["help", "raed"], "unknown command 'raed'; did you mean 'read'?\n"),
    (["decode"], "\"decode\" takes a characteristic and a payload"),
    (["decode", "2A19"], "\"decode\" takes a characteristic and a payload"),
    (
      ["decode", "--jsn", "2A19", "4B"], "unknown option '--jsn'; did you mean '--json'?\n"
    ),
    (["read", "--sever=https://x"], "unknown option '--sever'; did you mean '--server'?\n"),
    (["decode", "--json=yes", "2A19", "4B"], "--json does not take a value."),
    (["decode", "2A19", "4"], "odd number of hexadecimal digits"),
    (["decode", "2A19", "4G"], "characters that are not hexadecimal digits"),
    (["decode", "--jsonl", "2A19"], "--jsonl reads standard input"),
    (["serve", "--port"], "--port needs a value: --port PORT."),
    (["serve", "--port", "http"], "--port takes a whole number from 0 to 65535, not \"http\"."),
    (["serve", "--port", "65536"], "--port takes a whole number from 0 to 65535, not \"65536\"."),
    (
      ["serve", "--data", "/proc/nowhere"],
      "the folder \"/proc/nowhere\" cannot be created: No such file or directory."
    ),
    (
      ["serve", "--data", "/tmp"], "others may write in the folder \"/tmp\"; choose one of your own"
    ),
    (["demo", "--data", "/proc/nowhere"], "Choose another one with --data."),
    (["serve", "here"], "\"serve\" takes options only."),
    (["serve", "--address", "localhost"], "--address: \"localhost\" is not a listen address;"),
    (["serve", "--address", "0.0.0.0"], "on 0.0.0.0 tokens and readings would cross the network"),
    (
      ["serve", "--address", "127.0.0.1,::"], "on [::] tokens and readings would cross the network"
    ),
    (
      ["serve", "--address", "::", "--behind-proxy", "--insecure"], "--behind-proxy: other machines"
    ),
    (["serve", "--tls-key", "x"], "--tls-key requires --tls-certificate."),
    (["serve", "--tls-certificate", "x"], "--tls-certificate requires --tls-key."),
    (["serve", "--socket-mode", "888"], "--socket-mode takes permissions in octal digits"),
    (["serve", "--limit", "memory"], "--limit takes NAME=NUMBER such as connections=2000"),
    (
      ["serve", "--limit", "speed=1"],
      "--limit: unknown limit \"speed\"; the limits are connections,"
    ),
    (["serve", "--limit", "memory=0"], "--limit: the limit memory must be 1...1000000."),
    (
      ["user"],
      "the subcommand is missing; the subcommands are add, list, show, token, rotate, revoke,"
    ),
    (["user", "ad"], "unknown subcommand 'ad'; did you mean 'add'?\n"),
    (["user", "frobnicate"], "unknown subcommand 'frobnicate'; the subcommands are add, list,"),
    (["user", "add", "--data", "x"], "wrong number of arguments for \"add\"."),
    (["user", "list", "--data", "x"], "\"list\" needs --organization NAME."),
    (["user", "list", "--organization", "o"], "with either --data FOLDER or --server URL."),
    (
      ["user", "list", "--organization", "o", "--data", "x", "--server", "https://x"],
      "with either --data FOLDER or --server URL."
    ),
    (
      ["user", "list", "--organization", "o", "--yes", "--data", "x"],
      "--yes can only be used with \"erase\"."
    ),
    (
      ["user", "add", "u", "--organization", "o", "--overlap", "1"],
      "--overlap can only be used with \"rotate\"."
    ),
    (
      ["user", "revoke", "u", "--organization", "o", "--data", "x"],
      "\"revoke\" takes either TOKEN ... or --all."
    ),
    (
      ["user", "list", "--organization", "o", "--server", "http://example.org"],
      "\"http://example.org\" is plain HTTP to another machine"
    ),
    (
      ["user", "list", "--organization", "o", "--server", "example.org", "--token-file", "x"],
      "--server takes an address like https://"
    ),
    (["user", "list", "--organization", "o", "--server", "https://x"], "set SANTORIO_ADMIN_TOKEN"),
    (
      ["user", "list", "--organization", "o", "--data", "x", "--token-file", "x"],
      "--token-file can only be used with --server."
    ),
    (
      ["user", "list", "--organization", "o", "--data", "x", "--insecure"],
      "--insecure can only be used with --server."
    ),
    (["administrator", "token", "--data", "x"], "\"token\" needs --organization NAME."),
    (["audit", "list"], "\"list\" needs --data FOLDER."),
    (["audit", "verify", "--data", "x", "--last", "2"], "--last can only be used with \"list\"."),
    (["audit", "verify", "--data", "x", "--from", "2:ab"], "--from takes a line's number and"),
    (["demo", "-x"], "; the options are --once,"),
    (["version", "now"], "\"version\" takes no arguments."),
    (["scan", "UA-651BLE"], "\"scan\" takes options only"),
    (["scan", "--service", "1810,BP"], "--service takes UUIDs of 4, 8 or 32 hexadecimal digits"),
    (["scan", "--service", "1810", "--all"], "--service and --all cannot be combined."),
    (["scan", "--seconds", "0"], "--seconds takes a whole number from 1 to 86400, not \"0\"."),
    (["scan", "--radio", "hci0"], "--radio takes bluez, bluez:hci1, bluez:00:1A:7D:DA:71:13"),
    (["scan", "--radio", "bluez:usb"], "not \"bluez:usb\"."),
    (["read", "--radio", "simulated:fast"], "or simulated, not \"simulated:fast\"."),
    (["read", "--any", "--clock", "wrong"], "--clock takes corrected or shown, not \"wrong\"."),
    (["pair", "2", "3000"], "\"pair\" pairs one device at a time."),
    (["pair", "--passkey", "12345x"], "--passkey takes one to six digits, not \"12345x\"."),
    (["pair", "--key-file", "x"], "--key-file requires --data: the key is kept there."),
    (
      ["pair", "17"],
      "the catalogue has no device of number 17 that can be read; \"santorio devices\""
    ),
    (["read", "UA-651BLE", "BM54"], "name either catalogue entries or single devices"),
    (["read"], "no device is named: name one, or pass --data FOLDER"),
    (["read", "--any", "UA-651BLE"], "name devices or pass --any, not both."),
    (["read", "--server", "http://localhost"], "--server requires --data."),
    (["read", "--data", "x", "--user", "u"], "--user requires --server."),
    (
      ["read", "--data", "x", "--server", "http://localhost", "--user", "u"],
      "--user requires --organization."
    ),
    (["read", "--data", "x", "--server", "localhost:1"], "--server takes an address like https:"),
    (
      ["read", "--data", "x", "--server", "http://localhost", "--fhir-profile", "ehr"],
      "--fhir-profile requires --to fhir."
    ),
    (
      ["read", "--data", "x", "--server", "http://localhost", "--to", "fhir"]
        + ["--encounter", "Encounter/1"],
      "--encounter requires --fhir-profile ehr."
    ),
    (
      ["read", "--data", "x", "--server", "http://localhost", "--to", "fhir", "--subject", "123"],
      "--subject takes a reference such as Patient/123."
    ),
    (
      ["read", "--data", "x", "--server", "http://localhost", "--to", "csv"],
      "--to takes ingest, inform, legacy or fhir, not \"csv\"."
    ),
    (["simulate"], "\"simulate\" takes one device; the devices are\n\(Simulation.list)\n"),
    (["simulate", "bm53"], "unknown virtual device 'bm53'; did you mean 'bm54'?\n"),
    (
      ["simulate", "frobnicator"],
      "unknown virtual device 'frobnicator'; \"santorio simulate --list\" lists the devices."
    ),
    (
      ["simulate", "bm54", "--name", "a name that no advertisement has room for"],
      "--name takes 1 to 29 bytes of UTF-8, which fit into an advertisement; \"a name that"
    ),
    (["simulate", "bm54", "--json"], "--json goes with a simulated radio"),
    (["doctor", "now"], "\"doctor\" takes options only."),
    (["help", "demo", "read"], "\"help\" takes one command."),
    (["--version", "now"], "\"version\" takes no arguments."),
    (["devices", "2", "3"], "\"devices\" takes one NUMBER, or options."),
    (["devices", "--json", "2"], "\"devices\" takes one NUMBER, or options."),
    (["simulate", "--list", "bm54"], "--list does not take a device."),
    (["read", "--data", ""], "--data needs a value: --data FOLDER."),
    (["serve", "--data="], "--data needs a value: --data FOLDER."),
    (
      [
        "read", "--data", "x", "--server", "http://localhost", "--organization", "default",
        "--user",
        "default",
      ], "the user \"default\" of \"default\" is a placeholder"
    ),
  ]

  @Test(arguments: wrongArguments)
  func `explains wrong arguments`(
    arguments: [String], message: String
  ) async throws {
    let run = try await CommandProcess(arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(run.error.contains("Try \"santorio "))
  }
}

@Suite struct `Decode command` {
  @Test func `lists the fields as text`() async throws {
    let run = try await CommandProcess([
      "decode", "2a35", "16 7C00 5600 6100 E807 06 0F 11 11 1B 3300 0400",
    ])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("Blood Pressure Measurement\n"))
    #expect(run.output.contains("\nsystolic      124\n"), "\(run.output)")
    #expect(run.output.contains("\nstatus_names  [\"irregularPulse\"]\n"), "\(run.output)")
    #expect(run.output.contains("\nuser_id       –\n"), "\(run.output)")
  }

  @Test func `prints one JSON object with --json`() async throws {
    let run = try await CommandProcess(["decode", "--json", "2A19", "4B"])
    #expect(run.output == "{\"percent\":75}\n")
  }

  @Test(arguments: [
    ("2A19", "65", "reservedValue in \"Battery Level\" at byte 0"),
    ("2A35", "1600", "truncated in \"Systolic\" at byte 1"),
    ("2AFF", "00", "unsupportedCharacteristic"),
  ])
  func `names the field and offset of an invalid payload`(
    characteristic: String, hex: String, message: String
  ) async throws {
    let run = try await CommandProcess(["decode", characteristic, hex])
    #expect(run.status == 1)
    #expect(run.error.contains(message), "\(run.error)")
  }

  @Test func `prints a device's text without control characters`() async throws {
    let run = try await CommandProcess(["decode", "2A24", "4D1B5B324AE280AE310A"])
    #expect(run.output.contains("M·[2J·1·"), "\(run.output)")
  }

  @Test func `decrypts a broadcast with key and address`() async throws {
    let run = try await CommandProcess([
      "decode", "--json", "--key", "58305740b64e4b425e518aa1f4e51339",
      "--address", "84:46:93:64:A5:E6", "xiaomi-s400-adv",
      "4859d53b2d3314943c58b133638c7457a4000000c3e670dc",
    ])
    #expect(
      run.output
        == #"{"profile_id":1,"weight_kg":74.2,"heart_rate":52,"impedance_ohm":400.9}"# + "\n")
  }

  @Test func `reports that a broadcast is encrypted`() async throws {
    let run = try await CommandProcess([
      "decode", "xiaomi-s400-adv", "4859d53b2d3314943c58b133638c7457a4000000c3e670dc",
    ])
    #expect(run.status == 1)
    #expect(run.error.contains("keyRequired in \"Key\""), "\(run.error)")
  }

  @Test func `reads a line's key from its params`() async throws {
    let line = #"""
      {"char": "xiaomi-s400-adv", "hex": "4859d53b2d3314943c58b133638c7457a4000000c3e670dc", \#
      "params": {"key": "58305740b64e4b425e518aa1f4e51339", "mac": "84:46:93:64:A5:E6"}}
      """#
    let run = try await CommandProcess(["decode", "--jsonl"], input: line + "\n")
    #expect(run.output.contains(#""weight_kg":74.2"#), "\(run.output)")
  }

  @Test func `answers each line of a stream, valid or not`() async throws {
    let lines = [
      #"{"char": "2A19", "hex": "4b", "id": "ignored"}"#,
      #"{"char": "SFLOAT", "hex": "ff07"}"#,
      #"{"char": "2A35", "hex": "1600"}"#,
      #"{"char": "2A19", "hex": "4"}"#,
      #"{"hex": "4b"}"#,
      "no json",
      "",
    ]
    let run = try await CommandProcess(
      ["decode", "--jsonl"], input: lines.joined(separator: "\n") + "\n")
    #expect(run.status == 0)
    let output = run.output.split(separator: "\n").map(String.init)
    #expect(output.count == lines.count)
    #expect(output[0] == #"{"percent":75}"#)
    #expect(output[1] == #"{"value":"NaN"}"#)
    let codes = try output.dropFirst(2).map { line in
      let error = try JSONReader(parsing: line.utf8).member("error")
      return try error.member("code").string()
    }
    #expect(codes == ["truncated"] + Array(repeating: "malformedInput", count: 4))
  }
}

@Suite(.serialized, .timeLimit(.minutes(15))) struct `Demo command` {
  @Test func `uploads every reading of the devices and reads it back`() async throws {
    let run = try await CommandProcess(["demo", "--once", "--port", "0"])
    #expect(run.status == 0, "\(run.error)")
    let lines = run.output.split(separator: "\n")
    let numbers = (lines.last ?? "").split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 4)
    // A strap gives another reading each time.
    #expect(numbers[0] >= 400)
    #expect(numbers[1] >= numbers[0])
    #expect(numbers[1] == numbers[2])
    #expect(numbers[3] == 1)
    for alias in ["bed-1", "bed-2", "bed-3", "bed-4"] {
      #expect(lines.contains { $0.hasPrefix("\(alias)  ") })
    }
    #expect(lines.contains { $0.contains("device status low_battery") })
    #expect(run.error.contains("live page: http://127.0.0.1:"))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Serve command` {
  @Test(arguments: [(0o644, "secret\n", "others may read"), (0o600, " \n", "is empty")])
  func `does not overwrite a token file that it cannot read`(
    mode: Int, text: String, message: String
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let token = folder.appendingPathComponent("admin-token").path
    #expect(
      FileManager.default.createFile(
        atPath: token, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))

    let run = try await CommandProcess(["serve", "--data", folder.path, "--port", "0"])

    #expect(run.status == 1)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(try String(contentsOfFile: token, encoding: .utf8) == text)
  }

  @Test func `serves until it receives a signal, with a private token file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = try CommandProcess.executable
    process.arguments = ["serve", "--data", folder.path, "--port", "0"]
    let output = Pipe.make()
    process.standardOutput = output
    let errors = folder.appendingPathExtension("errors")
    #expect(FileManager.default.createFile(atPath: errors.path, contents: nil))
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardError = try FileHandle(forWritingTo: errors)
    try await process.runToEnd {
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(line.firstMatch(of: /http:\/\/127\.0\.0\.1:[1-9]\d*\//) != nil, "\(line)")
      let token = folder.appendingPathComponent("admin-token").path
      let attributes = try FileManager.default.attributesOfItem(atPath: token)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      process.interrupt()
    }
    let messages = try String(contentsOf: errors, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(messages)")
    #expect(process.terminationReason == .exit)
  }
}
