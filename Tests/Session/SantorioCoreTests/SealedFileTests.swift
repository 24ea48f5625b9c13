// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

@Suite struct `Sealed file` {
  private let folder: TemporaryFolder
  private let session: Session

  init() throws {
    folder = try TemporaryFolder()
    session = try Session(Self.configuration(folder))
  }

  private static func configuration(_ folder: TemporaryFolder) throws -> Session.Configuration {
    try Session.Configuration(
      directory: folder.url, endpoint: #require(URL(string: "https://server.example")))
  }

  @Test func `returns the bytes last written, and nil before`() throws {
    let file = try session.sealedFile(named: "devices")
    #expect(try file.read() == nil)

    try file.write([])
    #expect(try file.read() == [])
    try file.write(Array("bond of 00:11".utf8))

    #expect(try session.sealedFile(named: "devices").read() == Array("bond of 00:11".utf8))
    #expect(try session.sealedFile(named: "peers").read() == nil)
  }

  @Test func `is readable by its owner only, and shows nothing of its content`() throws {
    let file = try session.sealedFile(named: "devices")
    let content = Array("systolic 122".utf8)
    try file.write(content)

    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    let stored = try #require(FileManager.default.contents(atPath: file.path))

    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(stored.range(of: Data(content)) == nil)
    #expect(stored.count == content.count + RowSeal.overhead)
    #expect(file.path == folder.path("devices.sealed"))
    #expect(!FileManager.default.fileExists(atPath: file.path + ".tmp"))
  }

  @Test func `that is damaged, empty or sealed for another name is an error`() throws {
    let file = try session.sealedFile(named: "devices")
    try file.write(Array("one".utf8))
    let sealed = try #require(FileManager.default.contents(atPath: file.path))
    let changed = Data(sealed.dropLast()) + [sealed[sealed.count - 1] ^ 1]
    let row = try session.outbox.currentSeal.withLock { try #require($0) }
      .seal(Array("one".utf8), as: "devices")

    for damaged in [changed, Data(), Data(row)] {
      try damaged.write(to: URL(fileURLWithPath: file.path))
      let error = #expect(throws: SessionError.self) { try file.read() }
      #expect(error?.code == .storageDamaged)
    }
    let peers = try session.sealedFile(named: "peers")
    try sealed.write(to: URL(fileURLWithPath: peers.path))
    #expect(throws: SessionError.self) { try peers.read() }
  }

  @Test(arguments: ["../outbox", "..", "a/b", "Geräte"])
  func `stays in the folder whatever its name`(name: String) throws {
    let file = try session.sealedFile(named: name)

    try file.write([1])

    #expect(try file.read() == [1])
    #expect(
      URL(fileURLWithPath: file.path).deletingLastPathComponent().path == folder.url.path)
  }

  @Test func `follows no link`() throws {
    let file = try session.sealedFile(named: "devices")
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: folder.path("elsewhere"))

    let error = #expect(throws: SessionError.self) { try file.read() }
    #expect(error?.code == .storageFailed)
  }
}
