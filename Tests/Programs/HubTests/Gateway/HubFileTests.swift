// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
import TestSupport
import Testing

@testable import Hub

@Suite struct `File of a hub` {
  private let folder: TemporaryFolder
  private var file: String { folder.path(".hub.json") }
  private var copy: String { folder.path(".hub.copy.json") }

  init() throws { folder = try TemporaryFolder() }

  private func memory() throws(SessionError) -> HubMemory { try HubMemory(folder: folder.url) }

  /// A hub that keeps one enrolment.
  private func enrolled() throws -> HubFacts {
    let memory = try memory()
    try memory.change {
      $0.enrolments = [HubEnrolment(device: UUID(), model: 2, patient: "bed-1", owner: "a/b")]
    }
    return memory.current
  }

  private func damage(_ path: String, _ change: (inout Data) -> Void) throws {
    var bytes = try #require(FileManager.default.contents(atPath: path))
    change(&bytes)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test func `is read again`() throws {
    let facts = try enrolled()
    #expect(try memory().current == facts)
  }

  @Test func `has no facts at first`() throws { #expect(try memory().current == HubFacts()) }

  @Test func `is read from its copy when it was cut, changed, emptied or removed`() throws {
    let facts = try enrolled()
    try damage(file) { $0.removeLast($0.count / 2) }
    #expect(try memory().current == facts)
    // Still JSON, with another patient.
    _ = try memory().change { $0.starts += 1 }
    try damage(file) { bytes in
      guard let place = bytes.range(of: Data("bed-1".utf8)) else { return }
      bytes.replaceSubrange(place, with: Data("bed-2".utf8))
    }
    #expect(try memory().current.enrolments == facts.enrolments)
    try damage(file) { $0 = Data() }
    #expect(try memory().current.enrolments == facts.enrolments)
    try FileManager.default.removeItem(atPath: file)
    #expect(try memory().current.enrolments == facts.enrolments)
  }

  @Test func `is whole again after the next change`() throws {
    _ = try enrolled()
    try damage(file) { $0.removeLast(9) }
    try memory().change { $0.starts = 7 }
    try FileManager.default.removeItem(atPath: copy)
    #expect(try memory().current.starts == 7)
  }

  @Test func `is read where the copy is damaged`() throws {
    let facts = try enrolled()
    try damage(copy) { $0.removeLast(9) }
    #expect(try memory().current == facts)
  }

  @Test func `is named with its copy where neither can be read`() throws {
    _ = try enrolled()
    for path in [file, copy] { try damage(path) { $0.removeLast(9) } }
    let error = #expect(throws: SessionError.self) { try memory() }
    #expect(error?.description.contains(file) == true)
    #expect(error?.description.contains(copy) == true)
  }

  @Test func `is not kept in a folder that others may write in`() throws {
    let room = try HubRoom()
    let path = room.folder.path("hub")
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for mode in [0o770, 0o702] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let error = #expect(throws: SessionError.self) { try room.gateway() }
      #expect(error?.description.contains("chmod go-w \(path)") == true)
    }
  }

  @Test func `counts the starts, and the ends by nobody's order`() throws {
    let (first, second) = (Date(timeIntervalSince1970: 1000), Date(timeIntervalSince1970: 2000))
    var facts = HubFacts()
    #expect(facts.start(at: first) == nil)
    #expect(facts.start(at: second) == first)
    facts.runningSince = nil
    #expect(facts.start(at: second) == nil)
    #expect(facts.starts == 3 && facts.unexpectedEnds == 1)
  }

  @Test func `knows a hub that was killed from one that was stopped`() async throws {
    let room = try HubRoom()
    let first = try room.gateway()
    await first.start()
    await room.stop(first)
    let second = try room.gateway()
    await second.start()
    #expect(second.memory.current.starts == 2 && second.memory.current.unexpectedEnds == 0)
    let kept = try #require(FileManager.default.contents(atPath: room.folder.path("hub/.hub.json")))
    await room.stop(second)
    // As the second one would have left it.
    try kept.write(to: URL(fileURLWithPath: room.folder.path("hub/.hub.json")))
    let third = try room.gateway()
    await third.start()
    #expect(third.memory.current.starts == 3 && third.memory.current.unexpectedEnds == 1)
    await room.stop(third)
  }
}
