// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import SantorioSystemd
import TestSupport
import Testing

@Suite struct `Folder of systemd's credentials` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func opened() throws -> SystemdCredentialFolder {
    try #require(
      SystemdCredentialFolder(environment: ["CREDENTIALS_DIRECTORY": folder.url.path]))
  }

  private func write(_ text: String, mode: Int) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("token")))
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path("token"))
  }

  @Test func `exists only when the environment names it`() {
    #expect(SystemdCredentialFolder(environment: [:]) == nil)
    #expect(SystemdCredentialFolder(environment: ["CREDENTIALS_DIRECTORY": ""]) == nil)
  }

  @Test func `has the bytes of a credential that the service's group may read`() throws {
    try write("secret\n", mode: 0o440)

    #expect(try opened().read("token") == Array("secret\n".utf8))
    #expect(try opened().read("other") == nil)
  }

  @Test func `refuses a credential that every user may read`() throws {
    try write("secret", mode: 0o444)

    #expect(throws: SecretFile.Failure.exposed) { try opened().read("token") }
  }
}
