// SPDX-License-Identifier: Apache-2.0

@unsafe @preconcurrency import Glibc

@main
enum Santorio {
  /// The status of a call that cannot be understood (`EX_USAGE`).
  static let usageStatus: Int32 = 64

  static func main() async {
    unsafe setlinebuf(stdout)
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await run(words))
  }

  static func run(_ words: [String]) async -> Int32 {
    do {
      return try await dispatch(words)
    } catch let error as UsageError {
      printError("\(error)")
      return usageStatus
    } catch {
      printError("santorio: \(error)")
      return 1
    }
  }

  private static func dispatch(_ words: [String]) async throws -> Int32 {
    guard let name = words.first else {
      printError(Command.overview)
      return usageStatus
    }
    if ["help", "--help", "-h"].contains(name) { return try help(words.dropFirst().first) }
    if name == "--version" { return try await dispatch(["version"]) }
    let command = try command(name)
    let arguments = try Arguments(parsing: Array(words.dropFirst()), for: command)
    guard !arguments.has("help") else {
      print(command.help)
      return 0
    }
    return try await command.run(arguments)
  }

  private static func help(_ name: String?) throws(UsageError) -> Int32 {
    print(try name.map { name throws(UsageError) in try command(name).help } ?? Command.overview)
    return 0
  }

  private static func command(_ name: String) throws(UsageError) -> Command {
    guard let command = Command.all.first(where: { $0.name == name }) else {
      let known = Command.all.map(\.name).joined(separator: ", ")
      throw UsageError("«\(name)» is no command; there are \(known), help.")
    }
    return command
  }
}

/// Prints a line to standard error.
func printError(_ line: String) {
  var text = line + "\n"
  text.withUTF8 { utf8 in _ = unsafe fwrite(utf8.baseAddress, 1, utf8.count, stderr) }
}
