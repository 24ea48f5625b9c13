// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import TestSupport
import Testing

@Suite struct `Secret file` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, mode: Int) throws -> String {
    let path = folder.path("token")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test func `is read when its mode has no refused bit`() throws {
    #expect(
      try SecretFile.read(write("secret", mode: 0o600), refusing: 0o077) == Array("secret".utf8))
    #expect(
      try SecretFile.read(write("secret", mode: 0o440), refusing: 0o007) == Array("secret".utf8))
  }

  @Test(arguments: [0o640, 0o602, 0o610])
  func `is refused when its mode has a refused bit`(mode: Int) throws {
    let path = try write("secret", mode: mode)

    #expect(throws: SecretFile.Failure.exposed) { try SecretFile.read(path, refusing: 0o077) }
  }

  @Test func `is refused when it is empty, missing or a link`() throws {
    let path = try write("", mode: 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: path)

    #expect(throws: SecretFile.Failure.empty) { try SecretFile.read(path, refusing: 0o077) }
    #expect(throws: SecretFile.Failure.unopened(errno: ENOENT)) {
      try SecretFile.read(folder.path("other"), refusing: 0o077)
    }
    #expect(throws: SecretFile.Failure.unopened(errno: ELOOP)) {
      try SecretFile.read(folder.path("link"), refusing: 0o077)
    }
  }
}
