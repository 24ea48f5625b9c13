// SPDX-License-Identifier: Apache-2.0

@unsafe @preconcurrency import Glibc

import IngestServer

@main
enum Santorio {
  /// The status of a call that cannot be understood (`EX_USAGE`).
  static let usageStatus: Int32 = 64
  /// The status of a call whose output could not be written (`EX_IOERR`).
  static let outputStatus: Int32 = 74
  /// The status of a command whose storage another server is using (`EX_TEMPFAIL`).
  static let busyStatus: Int32 = 75

  static func main() async {
    ProcessSettings.openStandardFiles()
    ProcessSettings.protectMemory()
    unsafe setlinebuf(stdout)
    let words = Array(CommandLine.arguments.dropFirst())
    LogNames.warnOfUnknown()
    exit(checkingOutput(await run(words)))
  }

  /// Output is buffered, so a full disk may show only at the end.
  private static func checkingOutput(_ status: Int32) -> Int32 {
    guard unsafe fflush(stdout) != 0 || ferror(stdout) != 0 else { return status }
    printError("santorio: standard output cannot be written; the output is incomplete")
    return outputStatus
  }

  static func run(_ words: [String]) async -> Int32 {
    do {
      return try await dispatch(words)
    } catch let error as UsageError {
      printError("\(error)")
      return usageStatus
    } catch {
      printError("santorio: \(error)")
      return (error as? IngestError)?.code == .storageInUse ? busyStatus : 1
    }
  }

  private static func dispatch(_ words: [String]) async throws -> Int32 {
    guard let name = words.first else {
      printError(Command.overview)
      return usageStatus
    }
    if ["help", "--help", "-h"].contains(name) { return try help(Array(words.dropFirst())) }
    if name == "--version" { return try await dispatch(["version"] + words.dropFirst()) }
    let command = try command(name)
    let arguments = try Arguments(parsing: Array(words.dropFirst()), for: command)
    guard !arguments.has("help") else {
      print(command.help)
      return 0
    }
    return try await command.run(arguments)
  }

  private static func help(_ names: [String]) throws(UsageError) -> Int32 {
    guard names.count <= 1 else { throw UsageError("\"help\" takes one command.") }
    print(
      try names.first.map { name throws(UsageError) in try command(name).help } ?? Command.overview)
    return 0
  }

  private static func command(_ name: String) throws(UsageError) -> Command {
    guard let command = Command.all.first(where: { $0.name == name }) else {
      let known = Command.all.map(\.name) + ["help"]
      throw UsageError(Suggestion.text(unknown: "command", name, among: known))
    }
    return command
  }
}

/// Prints a line to standard error.
func printError(_ line: String) {
  var text = line + "\n"
  text.withUTF8 { utf8 in _ = unsafe fwrite(utf8.baseAddress, 1, utf8.count, stderr) }
}
