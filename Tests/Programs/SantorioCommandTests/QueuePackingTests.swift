// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Queue command that packs` {
  private let old = QueueFixture()
  private let new = QueueFixture()
  private let files: TemporaryFolder

  init() throws { files = try TemporaryFolder() }

  private func remove() {
    for queue in [old, new] { try? FileManager.default.removeItem(at: queue.folder) }
  }

  private var file: String { files.path("hub.export") }

  private func passphraseFile(_ text: String, mode: Int = 0o600) -> String {
    let path = files.path("passphrase")
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    return path
  }

  /// A folder with a waiting, a held and a refused record and an image.
  private func fill() async throws {
    let session = try old.session()
    try await session.start(old.alice)
    try await session.submit(old.record("bad"))
    await old.upload(session, untilRefused: 1)
    try await session.submit(old.record("a"), image: Data([0xff, 0xd8, 0xff, 1]))
    try await session.hold([old.record("held")])
  }

  @Test func `prints a passphrase with which another folder takes it all`() async throws {
    defer { remove() }
    try await fill()
    let packed = try await old.run(["pack", file])
    #expect(packed.status == 0, "\(packed.error)")
    let lines = packed.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(
      lines.first == "\(file): 1 waiting record, 1 held record, 1 refused record, 1 image")
    let passphrase = try #require(lines.last?.split(separator: " ").last.map(String.init))
    #expect(lines.last == "passphrase: \(passphrase)")

    let session = try new.session()
    try await session.start(new.alice)
    let unpacked = try await new.run([
      "unpack", file, "--passphrase-file", passphraseFile(passphrase + "\r\n"),
    ])
    #expect(unpacked.status == 0, "\(unpacked.error)")
    #expect(
      unpacked.output == """
        waiting for the server: 1; held: 1; in the quarantine: 1; images: 1

        """)
    #expect(try await session.pendingRecords().map(\.logID) == ["a"])
    #expect(try await session.heldRecords().map(\.logID) == ["held"])
    #expect(try await session.quarantinedRecords().map(\.logID) == ["bad"])

    let again = try await new.run([
      "unpack", file, "--passphrase-file", passphraseFile(passphrase),
    ])
    #expect(again.status == 0)
    #expect(
      again.output == """
        waiting for the server: 0; held: 0; in the quarantine: 0; images: 0
        left as they are, since they were here already: 4

        """)
  }

  @Test func `takes what precedes the damage only with --incomplete`() async throws {
    defer { remove() }
    try await fill()
    let secret = passphraseFile("a long enough passphrase")
    let packed = try await old.run(["pack", file, "--passphrase-file", secret])
    #expect(packed.status == 0)
    #expect(!packed.output.contains("passphrase"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    try whole.dropLast(60).write(to: URL(fileURLWithPath: file))
    let session = try new.session()
    try await session.start(new.alice)

    let refused = try await new.run(["unpack", file, "--passphrase-file", secret])
    #expect(refused.status == 1)
    #expect(refused.output.isEmpty)
    #expect(
      refused.error.hasSuffix(
        """
        santorio: \(file): the export is not complete: the file ends too early; copy it again, or \
        import what can be read with --incomplete

        """))
    #expect(try await session.pendingCount() == 0)

    let taken = try await new.run(["unpack", file, "--passphrase-file", secret, "--incomplete"])
    #expect(taken.status == 1)
    #expect(taken.output == "waiting for the server: 1; held: 1; in the quarantine: 1; images: 0\n")
    #expect(
      taken.error.hasSuffix(
        "santorio: the file is damaged or not complete\n"))
    #expect(try await session.pendingCount() == 1)
  }

  @Test func `says what is wrong`() async throws {
    defer { remove() }
    try await fill()
    let secret = passphraseFile("a long enough passphrase")
    func error(_ queue: QueueFixture, _ words: [String]) async throws -> String {
      let run = try await queue.run(words)
      #expect(run.status != 0)
      #expect(run.output.isEmpty)
      return run.error
    }
    #expect(try await error(old, ["pack"]).contains("\"pack\" needs the name of one file."))
    #expect(
      try await error(old, ["unpack", file]).contains("\"unpack\" needs --passphrase-file FILE."))
    #expect(
      try await error(old, ["list", "--passphrase-file", secret])
        .contains("--passphrase-file can only be used with \"pack\" and \"unpack\"."))
    #expect(
      try await error(old, ["pack", file, "--incomplete"])
        .contains("--incomplete can only be used with \"unpack\"."))
    #expect(
      try await error(old, ["pack", file, "--passphrase-file", passphraseFile("short")])
        .contains("the passphrase has fewer than 12 characters; use a longer one"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
    #expect(
      try await error(old, ["pack", file, "--passphrase-file", secret])
        == "santorio: others may read the passphrase; run: chmod 600 \(secret)\n")
    #expect(
      try await error(old, ["pack", file, "--passphrase-file", files.path("none")])
        .contains("the passphrase cannot be read from"))
    #expect(!FileManager.default.fileExists(atPath: file))

    _ = passphraseFile("a long enough passphrase")
    #expect(try await old.run(["pack", file, "--passphrase-file", secret]).status == 0)
    #expect(
      try await error(old, ["pack", file, "--passphrase-file", secret])
        == "santorio: \(file) already exists; choose another file name\n")
    _ = passphraseFile("another long passphrase")
    #expect(
      try await error(old, ["unpack", file, "--passphrase-file", secret])
        .contains("\(file): the passphrase is not that of this export"))

    _ = passphraseFile("a long enough passphrase")
    try await new.session().open()
    #expect(
      try await error(new, ["unpack", file, "--passphrase-file", secret])
        .contains("there is no session; start one with \"santorio read"))
    try await new.session().start(
      SantorioUser(userID: "u2", organizationID: "o1", accessToken: "t2"))
    #expect(
      try await error(new, ["unpack", file, "--passphrase-file", secret])
        .contains("\(file): the export holds another user's records"))
  }

  @Test func `mentions what belongs to others, and fails when something is damaged`() async throws {
    defer { remove() }
    let session = try old.session()
    try await session.start(SantorioUser(userID: "u2", organizationID: "o1", accessToken: "t2"))
    try await session.submit([old.record("x"), old.record("y")])
    try await session.start(old.alice)
    try await session.submit(old.record("a"), image: Data([0xff, 0xd8, 0xff, 1]))
    let images = old.folder.appendingPathComponent("images")
    for name in try FileManager.default.contentsOfDirectory(atPath: images.path) {
      try Data("damaged".utf8).write(to: images.appendingPathComponent(name))
    }

    let packed = try await old.run(["pack", file])

    #expect(packed.status == 1)
    #expect(
      packed.output.contains(
        "not in the file: 2 records of other users, see \"queue list archives\""))
    #expect(
      packed.error.contains("santorio: 1 records or images are damaged and not in the file\n"))
  }

  @Test(arguments: [
    Data([0xFF, 0xFE, 0x41]), Data("two\nlines of text here".utf8),
    Data(String(repeating: "x", count: 1001).utf8),
  ])
  func `refuses a passphrase that nobody can type`(content: Data) async throws {
    defer { remove() }
    try await fill()
    let secret = passphraseFile("")
    try content.write(to: URL(fileURLWithPath: secret))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
    let packed = try await old.run(["pack", file, "--passphrase-file", secret])
    #expect(packed.status == 1)
    #expect(packed.error.contains("is no file with a passphrase: one line of text"))
  }
}
