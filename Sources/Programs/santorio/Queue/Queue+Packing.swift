// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

// A queue that is taken along to another machine.
extension Queue {
  func pack() async throws {
    let file = try packedFile("pack")
    guard !FileManager.default.fileExists(atPath: file.path) else {
      throw CommandError("\(operands[0]) already exists; choose another file name")
    }
    let given = try passphraseFile.map(passphrase)
    let passphrase = given ?? SantorioSession.randomPassphrase()
    let export = try await advising {
      () async throws(SessionError) in
      try await session.exportQueue(to: file, passphrase: passphrase)
    }
    print(
      "\(operands[0]): \(Self.text(export.waiting, "waiting record")), "
        + "\(Self.text(export.held, "held record")), \(Self.text(export.refused, "refused record")), "
        + Self.text(export.images, "image"))
    if given == nil { print("passphrase: \(passphrase)") }
    if export.leftOut > 0 {
      printError("santorio: \(export.leftOut) records or images are damaged and not in the file")
    }
  }

  func unpack() async throws -> Int32 {
    let file = try packedFile("unpack")
    guard let passphraseFile else {
      throw UsageError("\"unpack\" needs --passphrase-file FILE.", command: "queue")
    }
    let passphrase = try passphrase(passphraseFile)
    let taken = try await advising {
      () async throws(SessionError) in
      try await session.importQueue(
        from: file, passphrase: passphrase, allowingIncomplete: isIncompleteAllowed)
    }
    print(
      "waiting for the server: \(taken.waiting); held: \(taken.held); "
        + "in the quarantine: \(taken.refused); images: \(taken.images)")
    if taken.leftOut > 0 {
      print("left as they are, since they were here already: \(taken.leftOut)")
    }
    guard taken.isComplete else {
      printError("santorio: the file is damaged or not complete; the rest of it was not read")
      return 1
    }
    return 0
  }

  private func packedFile(_ verb: String) throws(UsageError) -> URL {
    guard operands.count == 1 else {
      throw UsageError("\"\(verb)\" needs the name of one file.", command: "queue")
    }
    return URL(fileURLWithPath: operands[0])
  }

  private func passphrase(_ path: String) throws(CommandError) -> String {
    do throws(SessionError) {
      return String(decoding: try CredentialFiles.read(path, refusing: 0o077), as: UTF8.self)
    } catch {
      throw CommandError(
        error.code == .credentialsExposed
          ? "others may read the passphrase; run: chmod 600 \(path)"
          : "the passphrase cannot be read from \(path), or the file is empty")
    }
  }

  private static func text(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Runs `body`, and words its errors for the command.
  private func advising(
    _ body: () async throws(SessionError) -> QueueExport
  ) async throws(CommandError) -> QueueExport {
    do throws(SessionError) {
      return try await body()
    } catch {
      guard error.code != .noSession else { throw Self.noSession }
      let message = error.message.replacingOccurrences(
        of: "allowingIncomplete", with: "--incomplete")
      throw CommandError("\(operands[0]): \(message)")
    }
  }
}
