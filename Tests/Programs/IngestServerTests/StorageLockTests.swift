// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `Lock of a storage` {
  @Test func `keeps a second server out and names the holder`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    let image = TestImage(1)
    // Written, and its row not yet: a second server would take it for a leftover.
    try Data(image.bytes).write(to: URL(fileURLWithPath: test.folder.media + "/" + image.digest))
    try test.folder.ageImages()

    let error = #expect(throws: IngestError.self) {
      try StorageLock(storage: test.folder.storage, waiting: .milliseconds(100))
    }

    #expect(error?.code == .storageInUse)
    #expect(error?.message.contains("process \(getpid()) since 20") == true)
    #expect(try test.folder.images() == [image.digest])
    test.server.stop()
    let next = try TestServer(folder: test.folder)
    next.server.stop()
  }

  @Test func `ends with its process, however that ends`() throws {
    let folder = try TemporaryFolder()
    let child = try ServerChild(folder.storage)
    #expect(throws: IngestError.self) {
      try StorageLock(storage: folder.storage, waiting: .milliseconds(50))
    }

    child.kill()

    _ = try StorageLock(storage: folder.storage)
  }

  @Test func `waits for a server that is ending`() throws {
    let folder = try TemporaryFolder()
    let lock = try StorageLock(storage: folder.storage)
    let waiting = DispatchQueue(label: "waiting")
    let taken = DispatchSemaphore(value: 0)
    let path = folder.storage
    waiting.async {
      if (try? StorageLock(storage: path, waiting: .seconds(240))) != nil { taken.signal() }
    }

    lock.release()

    #expect(taken.wait(timeout: .now() + 240) == .success)
  }

  @Test func `is readable by its owner only and follows no link`() throws {
    let folder = try TemporaryFolder()
    let lock = try StorageLock(storage: folder.storage)
    let path = folder.storage + ".lock"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? NSNumber == 0o600)
    lock.release()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path + "/elsewhere")

    let error = #expect(throws: IngestError.self) { try StorageLock(storage: folder.storage) }
    #expect(error?.code == .unavailable)
  }
}
