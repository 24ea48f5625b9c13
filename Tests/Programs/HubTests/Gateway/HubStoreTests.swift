// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
import TestSupport
import Testing

@testable import Hub

@Suite struct `File of a hub` {
  private let room: HubRoom
  private var file: String { room.folder.path("hub/.hub") }
  private var copy: String { room.folder.path("hub/.hub.copy") }

  init() throws { room = try HubRoom() }

  private func store() throws -> HubStore {
    try HubStore(room.configuration(), room.radio(), environment: [:])
  }

  private func memory() throws -> HubMemory { try HubMemory(store()) }

  /// The facts of a hub that keeps one enrolment, and the owners of two devices.
  private func enrolled() throws -> HubFacts {
    let memory = try memory()
    try memory.change { facts in
      facts.enrolments = [HubEnrolment(device: UUID(), model: 2, patient: "bed-1", owner: "a/b")]
      for _ in 0..<2 {
        var known = DeviceFacts(since: Date(timeIntervalSince1970: 1_790_000_000))
        known.settle("a/b", slot: nil, HandOver(at: known.since))
        facts[UUID()] = known
      }
    }
    memory.close()
    return memory.current
  }

  /// Changes each place in a file's database where some bytes are.
  private func damage(_ folder: String) throws {
    let path = folder + "/outbox.sqlite"
    var bytes = try #require(FileManager.default.contents(atPath: path))
    #expect(bytes.count > 8192)
    bytes.replaceSubrange(4096..<bytes.count, with: repeatElement(0x5A, count: bytes.count - 4096))
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test func `is read again`() throws {
    let facts = try enrolled()
    #expect(try memory().current == facts)
  }

  @Test func `has no facts at first`() throws { #expect(try memory().current == HubFacts()) }

  @Test(arguments: [true, false], [true, false])
  func `is read, and is whole again, where it or its copy is damaged or removed`(
    isCopy: Bool, isRemoved: Bool
  ) throws {
    let facts = try enrolled()
    let (lost, other) = isCopy ? (copy, file) : (file, copy)
    if isRemoved { try FileManager.default.removeItem(atPath: lost) } else { try damage(lost) }
    let memory = try memory()
    #expect(memory.current == facts)
    memory.close()
    try FileManager.default.removeItem(atPath: other)
    #expect(try self.memory().current == facts)
  }

  @Test(arguments: [true, false])
  func `is read as it was last, where an older file or copy was put back`(isCopy: Bool) throws {
    let old = room.folder.path("old")
    let restored = isCopy ? copy : file
    _ = try enrolled()
    try FileManager.default.copyItem(atPath: restored, toPath: old)
    let facts = try enrolled()
    try FileManager.default.removeItem(atPath: restored)
    try FileManager.default.copyItem(atPath: old, toPath: restored)
    let memory = try memory()
    #expect(memory.current == facts)
    memory.close()
    try FileManager.default.removeItem(atPath: isCopy ? file : copy)
    #expect(try self.memory().current == facts)
  }

  @Test func `is named with its copy where neither can be read`() throws {
    _ = try enrolled()
    for path in [file, copy] { try damage(path) }
    let error = #expect(throws: SessionError.self) { try memory() }
    #expect(error?.description.contains(file) == true)
    #expect(error?.description.contains(copy) == true)
  }

  @Test func `gives a device to nobody without a decision where its owners are lost`() throws {
    let facts = try enrolled()
    let device = try #require(facts.devices.keys.first)
    for path in [file, copy] {
      let state = StateFile(
        in: URL(fileURLWithPath: path, isDirectory: true),
        credentials: CredentialFiles(folder: URL(fileURLWithPath: path, isDirectory: true)),
        now: room.now)
      try state.change([
        .fact(StateName(source: "hub", device: device.uuidString, key: "facts"), nil)
      ])
      state.close()
    }
    let known = try #require(try memory().current.devices[device])
    let start = known.owners.since(
      givenTo: "a/b", slot: nil, HandOver(at: Date(), takesMemory: true))
    #expect(start?.isChange == true)
  }

  @Test func `is not kept in a folder that others may write in`() throws {
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
    let first = try room.gateway()
    await first.start()
    await room.stop(first)
    let second = try room.gateway()
    await second.start()
    #expect(second.memory.current.starts == 2 && second.memory.current.unexpectedEnds == 0)
    let running = second.memory.current
    await room.stop(second)
    // As the second one would have left it.
    try second.memory.change { $0 = running }
    second.memory.close()
    let third = try room.gateway()
    await third.start()
    #expect(third.memory.current.starts == 3 && third.memory.current.unexpectedEnds == 1)
    await room.stop(third)
  }
}
