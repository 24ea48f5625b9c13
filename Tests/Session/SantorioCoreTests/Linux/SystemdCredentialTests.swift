// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

@Suite struct `Credentials of systemd` {
  let folder: TemporaryFolder
  let supplied: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    supplied = try TemporaryFolder()
  }

  private var files: CredentialFiles { CredentialFiles(folder: folder.url) }

  private func supply(_ text: String, as name: String, mode: Int = 0o400) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: supplied.path(name)))
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: supplied.path(name))
  }

  private func store() throws -> SystemdCredentials {
    try #require(
      SystemdCredentials(
        files: files, environment: ["CREDENTIALS_DIRECTORY": supplied.url.path]))
  }

  private func storedFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  @Test func `exist for a service that has some`() {
    #expect(SystemdCredentials(files: files, environment: [:]) == nil)
    #expect(SystemdCredentials(files: files, environment: ["CREDENTIALS_DIRECTORY": ""]) == nil)
  }

  @Test func `give the token, with or without a line end, and write nothing`() throws {
    try supply("secret\n", as: "santorio.token")

    #expect(try store().suppliedToken() == "secret")
    try store().save("secret", for: "session-3")
    #expect(try store().token(for: "session-3") == "secret")
    #expect(try storedFiles() == [])
  }

  @Test func `yield to a token that was refreshed since, until both are the same again`() throws {
    try supply("old", as: "santorio.token")
    try store().save("new", for: "session-3")
    #expect(try store().token(for: "session-3") == "new")

    try FileManager.default.removeItem(atPath: supplied.path("santorio.token"))
    try supply("new", as: "santorio.token")
    try store().save("new", for: "session-3")

    #expect(try storedFiles() == [])
    #expect(try store().token(for: "session-3") == "new")
  }

  @Test func `supply the key of the records, which is then stored nowhere else`() async throws {
    try supply(Data(0..<32).base64EncodedString(), as: "santorio.outbox-key")

    let outbox = Outbox(
      folder: folder.url, maximumBytes: 1 << 20, credentials: try store(), now: { Date() })

    let sealed = try RowSeal(key: Array(0..<32)).seal([1], as: "x")
    #expect(try await outbox.seal.open(sealed, as: "x") == [1])
    #expect(try !storedFiles().contains { $0.contains("key") })
  }

  @Test func `leave the rest to files`() throws {
    #expect(try store().suppliedToken() == nil)
    #expect { try store().token(for: "session-1") } throws: {
      ($0 as? SessionError)?.code == .credentialsMissing
    }
    try store().save("mine", for: "session-1")
    #expect(try files.token(for: "session-1") == "mine")
    try store().removeToken(for: "session-1")
    #expect(try storedFiles() == [])
  }

  @Test func `are refused when all users may read them`() throws {
    try supply("secret", as: "santorio.token", mode: 0o444)

    #expect { try store().suppliedToken() } throws: {
      ($0 as? SessionError)?.code == .credentialsExposed
    }
  }
}
