// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import SantorioCore
import SantorioConcurrency
import Testing

@testable import SantorioBluetooth

@Suite struct `Device states` {
  private let device = UUID()
  private let other = UUID()
  private let first = SyncCheckpoint(sequenceNumber: 1, payload: [1], key: CheckpointKey())
  private let later = SyncCheckpoint(sequenceNumber: 7, payload: [7], key: CheckpointKey())

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func file(_ folder: URL) -> PlainFile {
    PlainFile(folder.appendingPathComponent("device-deviceStates.json"))
  }

  private func checkpoints(_ deviceStates: DeviceStates, of device: UUID) -> [SyncCheckpoint] {
    deviceStates.deviceState(of: device, user: nil).checkpoints
  }

  private func secrets(
    _ deviceStates: DeviceStates, of device: UUID
  ) -> [DeviceSecret: [UInt8]] {
    deviceStates.deviceState(of: device, user: nil).secrets
  }

  @Test func `hold the last checkpoint of each memory of each device`() {
    let deviceStates = DeviceStates(store: nil, credentials: nil)
    let second = SyncCheckpoint(
      memory: "second", sequenceNumber: 3, payload: [3], key: CheckpointKey())
    deviceStates.advance(first, of: device, by: .unclaimed)
    deviceStates.advance(second, of: device, by: .unclaimed)
    deviceStates.advance(later, of: device, by: .unclaimed)
    deviceStates.advance(first, of: other, by: .unclaimed)
    #expect(checkpoints(deviceStates, of: device) == [second, later])
    #expect(checkpoints(deviceStates, of: other) == [first])
    #expect(checkpoints(deviceStates, of: UUID()) == [])
  }

  @Test func `survive the process and are visible to others`() throws {
    try inFolder { folder in
      let here = DeviceStates(store: file(folder), credentials: nil)
      let there = DeviceStates(store: file(folder), credentials: nil)
      here.advance(first, of: device, by: .unclaimed)
      #expect(checkpoints(there, of: device) == [first])
      there.advance(later, of: other, by: .unclaimed)
      #expect(checkpoints(here, of: other) == [later])
      #expect(checkpoints(here, of: device) == [first])
    }
  }

  @Test(arguments: ["", "[", "{}", #"[{"device":"x","checkpoints":[]}]"#, "\u{0}"])
  func `start empty when the file is damaged`(content: String) throws {
    try inFolder { folder in
      try Data(content.utf8).write(to: folder.appendingPathComponent("device-deviceStates.json"))
      let deviceStates = DeviceStates(store: file(folder), credentials: nil)
      #expect(checkpoints(deviceStates, of: device) == [])
      deviceStates.advance(first, of: device, by: .unclaimed)
      #expect(
        checkpoints(DeviceStates(store: file(folder), credentials: nil), of: device) == [first])
    }
  }

  @Test func `stay in memory when the file cannot be written`() {
    let deviceStates = DeviceStates(
      store: file(URL(fileURLWithPath: "/nowhere/at/all")), credentials: nil)
    deviceStates.advance(first, of: device, by: .unclaimed)
    deviceStates.advance(later, of: other, by: .unclaimed)
    #expect(checkpoints(deviceStates, of: device) == [first])
    #expect(checkpoints(deviceStates, of: other) == [later])
  }

  @Test func `keep the first identity, whatever the device reports later`() throws {
    try inFolder { folder in
      let strong = DeviceIdentity(text: "serial:Acme/One/77", id: "77")
      let weak = DeviceIdentity(text: "peripheral:x", id: "x")
      let deviceStates = DeviceStates(store: file(folder), credentials: nil)
      #expect(!deviceStates.deviceState(of: device, user: nil).isIdentified)
      let decided = try deviceStates.identity(of: device, proposing: strong)
      #expect(decided == strong)
      deviceStates.advance(first, of: device, by: .unclaimed)
      let later = DeviceStates(store: file(folder), credentials: nil)
      #expect(try later.identity(of: device, proposing: weak) == strong)
      #expect(later.deviceState(of: device, user: nil).isIdentified)
      #expect(try later.identity(of: other, proposing: weak) == weak)
    }
  }

  @Test func `have no identity that could not be stored`() {
    let deviceStates = DeviceStates(
      store: file(URL(fileURLWithPath: "/nowhere/at/all")), credentials: nil)
    #expect(throws: BluetoothError.self) {
      try deviceStates.identity(of: device, proposing: DeviceIdentity(text: "a", id: "a"))
    }
  }

  @Test func `have a permanent private key for their checkpoints`() throws {
    try inFolder { folder in
      let open = { DeviceStates(store: file(folder), credentials: nil) }
      let deviceStates = open()
      deviceStates.advance(first, of: device, by: .unclaimed)
      let checkpointKey = deviceStates.deviceState(of: device, user: nil).checkpointKey
      #expect(open().deviceState(of: other, user: nil).checkpointKey == checkpointKey)
      let elsewhere = DeviceStates(store: nil, credentials: nil)
      #expect(elsewhere.deviceState(of: device, user: nil).checkpointKey != checkpointKey)
    }
  }

  @Test func `are readable by their owner only`() throws {
    try inFolder { folder in
      DeviceStates(store: file(folder), credentials: nil).advance(
        first, of: device, by: .unclaimed)
      let path = folder.appendingPathComponent("device-deviceStates.json").path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func `keep secrets by name in the store until they are removed`() throws {
    try inFolder { folder in
      let store = CredentialFiles(folder: folder)
      let deviceStates = DeviceStates(store: file(folder), credentials: store)
      try deviceStates.keep([1, 0xAB], as: .password, of: device)
      try deviceStates.keep([0xFF], as: .encryptionKey, of: device)
      try deviceStates.keep([2], as: .password, of: other)
      #expect(
        try store.token(for: "device-\(device.uuidString)") == "encryptionKey=ff password=01ab")
      let later = DeviceStates(store: file(folder), credentials: store)
      #expect(
        secrets(later, of: device) == [.password: [1, 0xAB], .encryptionKey: [0xFF]])
      try later.keep([3, 4], as: .password, of: device)
      try later.keep(nil, as: .encryptionKey, of: device)
      #expect(secrets(deviceStates, of: device) == [.password: [3, 4]])
      try later.keep(nil, as: .password, of: device)
      #expect(secrets(deviceStates, of: device) == [:])
      #expect(throws: SessionError.self) { try store.token(for: "device-\(device.uuidString)") }
      #expect(secrets(deviceStates, of: other) == [.password: [2]])
      #expect(
        !FileManager.default.fileExists(
          atPath: folder.appendingPathComponent("device-deviceStates.json").path))
    }
  }

  @Test func `keep secrets in memory without a store`() throws {
    let deviceStates = DeviceStates(store: nil, credentials: nil)
    try deviceStates.keep([1], as: .password, of: device)
    #expect(secrets(deviceStates, of: device) == [.password: [1]])
    try deviceStates.keep(nil, as: .password, of: device)
    #expect(secrets(deviceStates, of: device) == [:])
  }

  @Test(
    arguments: [
      ("", [:]), ("password", [:]), ("password=", [:]), ("password=0", [:]), ("password=zz", [:]),
      ("=00", [:]), ("password=00 x password=01", [.password: [0]]),
    ] as [(String, [DeviceSecret: [UInt8]])])
  func `ignore damaged secrets`(text: String, found: [DeviceSecret: [UInt8]]) throws {
    try inFolder { folder in
      let store = CredentialFiles(folder: folder)
      try store.save(text, for: "device-\(device.uuidString)")
      #expect(secrets(DeviceStates(store: nil, credentials: store), of: device) == found)
    }
  }

  @Test func `report the measured user`() {
    let user = DeviceUser(sex: .female, heightCentimeters: 170)
    let deviceStates = DeviceStates(store: nil, credentials: nil)
    #expect(deviceStates.deviceState(of: device, user: user).user == user)
  }

  @Test func `encode bytes as hexadecimal digits`() {
    let all = (0...255).map { UInt8($0) }
    #expect([UInt8](hexadecimal: all.hexadecimal) == all)
    #expect([0x0A, 0xF0].hexadecimal == "0af0")
    #expect([UInt8](hexadecimal: "0AF0") == [0x0A, 0xF0])
    for text in ["0", "0g", "٣٣", " 00", "é0"] { #expect([UInt8](hexadecimal: text) == nil) }
  }
}

/// State in memory, beside a queue of which the test says which it is.
private final class MarkedState: DeviceStateStoring {
  let bytes = Locked<[UInt8]?>(nil)
  let current = Locked<[UInt8]>([1])
  let user = Locked(KnownPeripheral.Enrolment.user(id: "alice", organization: "acme"))

  var generation: [UInt8]? { current.withLock { $0 } }
  var reader: KnownPeripheral.Enrolment { user.withLock { $0 } }
  func noteRecords() {}
  func read() throws -> [UInt8]? { bytes.withLock { $0 } }
  func write(_ bytes: [UInt8]) throws { self.bytes.withLock { $0 = bytes } }

  func lose() { current.withLock { $0 = [$0[0] + 1] } }
}

@Suite struct `How far a device was read` {
  private let state = MarkedState()
  private let device = UUID()
  private let bob = KnownPeripheral.Enrolment.user(id: "bob", organization: "acme")

  private func checkpoint(_ text: String) -> SyncCheckpoint {
    SyncCheckpoint(sequenceNumber: text.utf8.count, payload: text.utf8, key: CheckpointKey())
  }

  private var deviceStates: DeviceStates { DeviceStates(store: state, credentials: nil) }
  private var checkpoints: [SyncCheckpoint] {
    deviceStates.deviceState(of: device, user: nil).checkpoints
  }
  private func advance(_ text: String) {
    deviceStates.advance(checkpoint(text), of: device, by: state.reader)
  }

  @Test func `is forgotten when the queue was replaced`() {
    advance("a")
    #expect(checkpoints == [checkpoint("a")])
    state.lose()
    #expect(checkpoints == [])
    advance("ab")
    #expect(checkpoints == [checkpoint("ab")])
  }

  @Test func `is forgotten for each device in any order`() {
    advance("a")
    let other = UUID()
    state.lose()
    deviceStates.advance(checkpoint("b"), of: other, by: state.reader)
    #expect(checkpoints == [])
    #expect(deviceStates.deviceState(of: other, user: nil).checkpoints == [checkpoint("b")])
  }

  @Test func `is kept for readings of another user`() {
    advance("a")
    state.user.withLock { $0 = bob }
    state.lose()
    // What was lost was alice's: bob is not to get it.
    #expect(checkpoints == [checkpoint("a")])

    advance("ab")
    state.lose()
    #expect(checkpoints == [checkpoint("a")])
  }
}
