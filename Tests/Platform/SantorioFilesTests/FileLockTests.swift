// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import TestSupport
import Testing

/// Two locks of one process exclude each other like those of two processes: each opens the file.
@Suite(.timeLimit(.minutes(15))) struct `File lock` {
  private let folder: TemporaryFolder
  private var path: String { folder.path("lock") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `is held by one holder until it is released or deallocated`() throws {
    let first = try FileLock(path)
    #expect(throws: FileLock.Failure.taken) { try FileLock(path) }
    #expect(throws: FileLock.Failure.taken) { try FileLock(path, .shared) }
    first.release()

    var second: FileLock? = try FileLock(path)
    #expect(throws: FileLock.Failure.taken) { try FileLock(path) }
    withExtendedLifetime(second) {}
    second = nil

    _ = try FileLock(path)
  }

  @Test func `becomes exclusive only when no one shares it`() throws {
    let first = try FileLock(path, .shared)
    let second = try FileLock(path, .shared)

    #expect(!first.makeExclusive(waiting: .zero))
    #expect(throws: FileLock.Failure.taken) { try FileLock(path) }
    second.release()
    #expect(first.makeExclusive(waiting: .zero))
    #expect(throws: FileLock.Failure.taken) { try FileLock(path, .shared) }
    first.share()
    _ = try FileLock(path, .shared)
  }

  @Test func `stops waiting to become exclusive once that is not needed`() throws {
    let first = try FileLock(path, .shared)
    let second = try FileLock(path, .shared)
    var questions = 0

    let isExclusive = first.makeExclusive(waiting: .seconds(86_400)) {
      questions += 1
      return questions == 2
    }

    #expect(!isExclusive)
    withExtendedLifetime(second) {}
  }

  @Test(arguments: [Duration.seconds(240), nil])
  func `waits for another holder`(timeout: Duration?) throws {
    let first = try FileLock(path)
    let taken = DispatchSemaphore(value: 0)
    let path = path
    DispatchQueue(label: "waiting").async {
      if (try? FileLock(path, waiting: timeout)) != nil { taken.signal() }
    }

    first.release()

    #expect(taken.wait(timeout: .now() + 240) == .success)
  }

  @Test func `states its holder`() throws {
    let lock = try FileLock(path)
    lock.write(holder: "a long name of a process")
    lock.write(holder: "process 7")

    #expect(FileLock.holder(at: path) == "process 7")
    #expect(FileLock.holder(at: folder.path("other")) == "")
  }

  @Test func `is a file of mode 0600, and never a link`() throws {
    _ = try FileLock(path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? NSNumber == 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: path)

    #expect(throws: FileLock.Failure.unopened(errno: ELOOP)) {
      try FileLock(folder.path("link"))
    }
    #expect(throws: FileLock.Failure.unopened(errno: ENOENT)) {
      try FileLock(folder.path("no folder/lock"))
    }
  }
}
