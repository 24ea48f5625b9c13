// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

// A queue that is taken along to another machine.
extension Queue {
  func pack() async throws -> Int32 {
    let file = try packedFile("pack")
    guard !FileManager.default.fileExists(atPath: file.path) else {
      throw CommandError("\(operands[0]) already exists; choose another file name")
    }
    let given = try passphraseFile.map(passphrase)
    let passphrase = given ?? SantorioSession.randomPassphrase()
    let export = try await advising {
      () async throws(SessionError) in
      try await session.exportQueue(to: file, passphrase: passphrase, replacing: false)
    }
    print(
      "\(operands[0]): \(Self.text(export.waiting, "waiting record")), "
        + "\(Self.text(export.held, "held record")), \(Self.text(export.refused, "refused record")), "
        + Self.text(export.images, "image"))
    if given == nil { print("passphrase: \(passphrase)") }
    try await reportOthers()
    guard export.leftOut > 0 else { return 0 }
    printError("santorio: \(export.leftOut) records or images are damaged and not in the file")
    return 1
  }

  /// Says what stays behind: a folder that is given up then would take it along.
  private func reportOthers() async throws {
    let user = try await session.storedUser()
    let others = try await session.archives().filter {
      user.map { $0 } ?? ("", "") != ($0.userID, $0.organizationID)
    }
    let count = others.reduce(0) {
      $0 + $1.unsentRecords.count + $1.heldRecords.count + $1.unsentDeletions.count
    }
    guard count > 0 else { return }
    print(
      "not in the file: \(Self.text(count, "record")) of other users, see \"queue list archives\"")
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
      let parts =
        taken.unreadable > 0 ? "; \(Self.text(taken.unreadable, "part")) cannot be read" : ""
      printError("santorio: the file is damaged or not complete\(parts)")
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
    let bytes: [UInt8]
    do throws(SessionError) {
      bytes = try CredentialFiles.read(path, refusing: 0o077)
    } catch {
      throw CommandError(
        error.code == .credentialsExposed
          ? "others may read the passphrase; run: chmod 600 \(path)"
          : "the passphrase cannot be read from \(path), or the file is empty; it must be a file, "
            + "not a link or a pipe")
    }
    let text = String(validating: bytes, as: UTF8.self)?
      .trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
    guard let text, text.count <= Self.longestPassphrase, !text.contains(where: \.isNewline) else {
      throw CommandError(
        "\(path) is no file with a passphrase: one line of text, of at most "
          + "\(Self.longestPassphrase) characters")
    }
    return text
  }

  private static let longestPassphrase = 1000

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
