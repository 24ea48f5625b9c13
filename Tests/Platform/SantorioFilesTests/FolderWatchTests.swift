// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioFiles

/// Changes of files, as the system tells of them.
@Suite(.timeLimit(.minutes(15))) struct `A watched folder` {
  enum Change: CaseIterable {
    case make, write, rename, remove
  }

  private let folder: TemporaryFolder
  private var log: URL { folder.url.appendingPathComponent("outbox.sqlite-wal") }

  init() throws { folder = try TemporaryFolder() }

  private func watch(
    _ folder: URL
  ) throws -> (FolderWatch, AsyncStream<Void>.AsyncIterator) {
    let (stream, changes) = AsyncStream<Void>.makeStream()
    let watch = try #require(
      FolderWatch(folder.path, filesNamed: "outbox.sqlite") { changes.yield() })
    return (watch, stream.makeAsyncIterator())
  }

  @Test(arguments: Change.allCases)
  func `tells of a change of a file`(change: Change) async throws {
    if change != .make { try Data("a".utf8).write(to: log) }
    var (watch, changes) = try watch(folder.url)

    switch change {
    case .make: try Data("a".utf8).write(to: log)
    case .write:
      let file = try FileHandle(forWritingTo: log)
      try file.write(contentsOf: Data("b".utf8))
    case .rename: try FileManager.default.moveItem(at: log, to: log.appendingPathExtension("old"))
    case .remove: try FileManager.default.removeItem(at: log)
    }
    await changes.next()

    #expect(watch.isAlive)
  }

  @Test func `is watched twice, and once more when one watch has ended`() async throws {
    var (first, changes) = try watch(folder.url)
    var second: FolderWatch? = try watch(folder.url).0
    #expect(second?.isAlive == true)

    second = nil
    try Data("a".utf8).write(to: log)
    await changes.next()

    #expect(first.isAlive)
  }

  @Test func `is watched no longer once it is removed, but tells of that`() async throws {
    let inner = folder.url.appendingPathComponent("inner", isDirectory: true)
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    var (watch, changes) = try watch(inner)

    try FileManager.default.removeItem(at: inner)
    await changes.next()

    #expect(!watch.isAlive)
    #expect(FolderWatch(inner.path, filesNamed: "outbox.sqlite") {} == nil)
  }

  @Test func `is watched no longer once it has another path`() async throws {
    let inner = folder.url.appendingPathComponent("inner", isDirectory: true)
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    var (watch, changes) = try watch(inner)

    try FileManager.default.moveItem(
      at: inner, to: folder.url.appendingPathComponent("moved", isDirectory: true))
    await changes.next()

    #expect(!watch.isAlive)
  }
}

#if os(Linux)
  @Suite struct `A message about a folder` {
    @Test func `concerns the files whose names begin as asked`() {
      let message = FolderMessage(folder: 3, mask: 2, name: Array("outbox.sqlite-wal".utf8))
      #expect(message.concerns(3, "outbox.sqlite"))
      #expect(!message.concerns(4, "outbox.sqlite"))
      #expect(!message.concerns(3, "uploads"))
      #expect(!message.isLast)
    }

    @Test func `concerns every folder when messages were lost`() {
      let message = FolderMessage(folder: -1, mask: 0x4000, name: [])
      #expect(message.concerns(3, "outbox.sqlite"))
      #expect(!message.isLast)
    }

    @Test func `is read from the kernel's bytes, also when they are cut off`() {
      let bytes: [UInt8] = [
        1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0x61, 0x62, 0, 0,
        2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ]
      let all = [
        FolderMessage(folder: 1, mask: 2, name: Array("ab".utf8)),
        FolderMessage(folder: 2, mask: 0x400, name: []),
      ]
      #expect(FolderMessage.all(in: bytes[...]) == all)
      #expect(FolderMessage.all(in: bytes.dropLast()) == [all[0]])
      #expect(FolderMessage.all(in: bytes.prefix(19)) == [])
    }
  }
#endif
