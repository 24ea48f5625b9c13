// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import SantorioCore
import Testing

@testable import SantorioBluetooth

@Suite struct `Device store` {
  private let device = UUID()
  private let other = UUID()
  private let first = SyncCheckpoint(sequenceNumber: 1, payload: [1], key: CheckpointKey())
  private let later = SyncCheckpoint(sequenceNumber: 7, payload: [7], key: CheckpointKey())

  private func advance(
    _ checkpoint: SyncCheckpoint, of device: UUID, in store: DeviceStore
  ) async throws {
    try await store.store(
      [], advancing: [checkpoint], of: device, .init(session: nil, holdsBack: false))
  }

  private func checkpoints(_ store: DeviceStore, of device: UUID) async throws -> [SyncCheckpoint] {
    try await store.state(of: device).checkpoints
  }

  @Test(arguments: [true, false])
  func `holds the last checkpoint of each memory of each device`(hasSession: Bool) async throws {
    let offline = try await Offline()
    let store = DeviceStore(session: hasSession ? offline.session : nil)
    let second = SyncCheckpoint(
      memory: "second", sequenceNumber: 3, payload: [3], key: CheckpointKey())
    try await advance(first, of: device, in: store)
    try await advance(second, of: device, in: store)
    try await advance(later, of: device, in: store)
    try await advance(first, of: other, in: store)
    #expect(try await Set(checkpoints(store, of: device)) == [second, later])
    #expect(try await checkpoints(store, of: other) == [first])
    #expect(try await checkpoints(store, of: UUID()) == [])
  }

  @Test func `keeps no checkpoint whose records are not stored`() async throws {
    let offline = try await Offline()
    let store = DeviceStore(session: offline.session)
    let number = try await offline.session.requiredOwner().number
    await #expect(throws: SessionError.self) {
      try await store.store(
        [], advancing: [first], of: device, .init(session: number + 1, holdsBack: false))
    }
    #expect(try await checkpoints(store, of: device) == [])
  }

  @Test(arguments: [true, false])
  func `keeps the first identity, whatever the device reports later`(
    hasSession: Bool
  ) async throws {
    let strong = DeviceIdentity(text: "serial:Acme/One/77", id: "77")
    let weak = DeviceIdentity(text: "peripheral:x", id: "x")
    let offline = try await Offline()
    let store = DeviceStore(session: hasSession ? offline.session : nil)
    #expect(try await !store.state(of: device).isIdentified)
    #expect(try await store.identity(of: device, proposing: strong) == strong)
    try await advance(first, of: device, in: store)
    #expect(try await store.identity(of: device, proposing: weak) == strong)
    #expect(try await store.state(of: device).isIdentified)
    #expect(try await store.identity(of: other, proposing: weak) == weak)
  }

  @Test func `has one permanent private key for checkpoints`() async throws {
    let offline = try await Offline()
    let key = try await DeviceStore(session: offline.session).state(of: device).checkpointKey
    #expect(
      try await DeviceStore(session: offline.session).state(of: other).checkpointKey == key)
    #expect(try await DeviceStore(session: nil).state(of: device).checkpointKey != key)
  }

  // What a later user reads must not go back to what was this one's.
  @Test func `takes checkpoints of the lost queue back to those of earlier users`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await readForTwoUsers(in: folder)

    let file = try FileHandle(forUpdating: folder.appendingPathComponent("outbox.sqlite"))
    // The number of free pages: a fault, and every row can be read.
    try file.seek(toOffset: 36)
    try file.write(contentsOf: Data([0, 0, 0, 99]))
    try file.close()
    let session = try Self.session(in: folder)
    let after = DeviceStore(session: session)

    #expect(try await checkpoints(after, of: device) == [first])
    #expect(try await checkpoints(after, of: other) == [])

    // What was this one's is not the next one's, whether it was read again or not.
    try await session.start(SantorioUser(userID: "carol", organizationID: "o", accessToken: "c"))
    #expect(try await checkpoints(after, of: device) == [later])
    #expect(try await checkpoints(after, of: other) == [later])
  }

  @Test func `keeps no checkpoint in a file that may lack the records before it`() async throws {
    let offline = try await Offline()
    let store = DeviceStore(session: offline.session)
    let generation = try await offline.session.storageGeneration()
    func advance(_ checkpoint: SyncCheckpoint, in generation: [UInt8]) async throws {
      try await store.store(
        [], advancing: [checkpoint], of: device,
        .init(session: nil, generation: generation, holdsBack: false))
    }
    try await advance(first, in: generation)
    try await advance(later, in: generation.reversed())
    #expect(try await checkpoints(store, of: device) == [first])
  }

  private func readForTwoUsers(in folder: URL) async throws {
    let session = try Self.session(in: folder)
    let store = DeviceStore(session: session)
    try await session.start(SantorioUser(userID: "alice", organizationID: "o", accessToken: "a"))
    try await advance(first, of: device, in: store)
    try await session.start(SantorioUser(userID: "bob", organizationID: "o", accessToken: "b"))
    try await advance(later, of: device, in: store)
    try await advance(later, of: other, in: store)
  }

  private static func session(in folder: URL) throws -> SantorioSession {
    SantorioSession(
      .init(directory: folder, endpoint: try #require(URL(string: "http://127.0.0.1:9"))))
  }
}

@Suite struct `Device secrets` {
  private let device = UUID()
  private let other = UUID()

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func `are kept by name in the store until they are removed`() throws {
    try inFolder { folder in
      let store = CredentialFiles(folder: folder)
      let secrets = DeviceSecrets(credentials: store)
      try secrets.keep([1, 0xAB], as: .password, of: device)
      try secrets.keep([0xFF], as: .encryptionKey, of: device)
      try secrets.keep([2], as: .password, of: other)
      #expect(
        try store.token(for: "device-\(device.uuidString)") == "encryptionKey=ff password=01ab")
      let later = DeviceSecrets(credentials: store)
      #expect(try later.secrets(of: device) == [.password: [1, 0xAB], .encryptionKey: [0xFF]])
      try later.keep([3, 4], as: .password, of: device)
      try later.keep(nil, as: .encryptionKey, of: device)
      #expect(try secrets.secrets(of: device) == [.password: [3, 4]])
      try later.keep(nil, as: .password, of: device)
      #expect(try secrets.secrets(of: device) == [:])
      #expect(throws: SessionError.self) { try store.token(for: "device-\(device.uuidString)") }
      #expect(try secrets.secrets(of: other) == [.password: [2]])
    }
  }

  @Test func `are kept in memory without a store`() throws {
    let secrets = DeviceSecrets(credentials: nil)
    try secrets.keep([1], as: .password, of: device)
    #expect(try secrets.secrets(of: device) == [.password: [1]])
    try secrets.keep(nil, as: .password, of: device)
    #expect(try secrets.secrets(of: device) == [:])
  }

  @Test(
    arguments: [
      ("", [:]), ("password", [:]), ("password=", [:]), ("password=0", [:]), ("password=zz", [:]),
      ("=00", [:]), ("password=00 x password=01", [.password: [0]]),
    ] as [(String, [DeviceSecret: [UInt8]])])
  func `are ignored when damaged`(text: String, found: [DeviceSecret: [UInt8]]) throws {
    try inFolder { folder in
      let store = CredentialFiles(folder: folder)
      try store.save(text, for: "device-\(device.uuidString)")
      #expect(try DeviceSecrets(credentials: store).secrets(of: device) == found)
    }
  }

  @Test func `are encoded as hexadecimal digits`() {
    let all = (0...255).map { UInt8($0) }
    #expect([UInt8](hexadecimal: all.hexadecimal) == all)
    #expect([0x0A, 0xF0].hexadecimal == "0af0")
    #expect([UInt8](hexadecimal: "0AF0") == [0x0A, 0xF0])
    for text in ["0", "0g", "٣٣", " 00", "é0"] { #expect([UInt8](hexadecimal: text) == nil) }
  }
}
