// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthGATT
import SantorioCore
import SantorioConcurrency
import Testing

@testable import SantorioBluetooth

@Suite struct `Device dossiers` {
  private let device = UUID()
  private let other = UUID()
  private let first = TransferMark(sequenceNumber: 1, payload: [1], key: MarkKey())
  private let later = TransferMark(sequenceNumber: 7, payload: [7], key: MarkKey())

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func file(_ folder: URL) -> PlainFile {
    PlainFile(folder.appendingPathComponent("device-dossiers.json"))
  }

  private func marks(_ dossiers: DeviceDossiers, of device: UUID) -> [TransferMark] {
    dossiers.dossier(of: device, user: nil).marks
  }

  private func secrets(
    _ dossiers: DeviceDossiers, of device: UUID
  ) -> [DeviceSecret: [UInt8]] {
    dossiers.dossier(of: device, user: nil).secrets
  }

  @Test func `hold the last mark of each memory of each device`() {
    let dossiers = DeviceDossiers(store: nil, credentials: nil)
    let second = TransferMark(memory: "second", sequenceNumber: 3, payload: [3], key: MarkKey())
    dossiers.advance(first, of: device, by: .unclaimed)
    dossiers.advance(second, of: device, by: .unclaimed)
    dossiers.advance(later, of: device, by: .unclaimed)
    dossiers.advance(first, of: other, by: .unclaimed)
    #expect(marks(dossiers, of: device) == [second, later])
    #expect(marks(dossiers, of: other) == [first])
    #expect(marks(dossiers, of: UUID()) == [])
  }

  @Test func `outlive the process, and are seen by others`() throws {
    try inFolder { folder in
      let here = DeviceDossiers(store: file(folder), credentials: nil)
      let there = DeviceDossiers(store: file(folder), credentials: nil)
      here.advance(first, of: device, by: .unclaimed)
      #expect(marks(there, of: device) == [first])
      there.advance(later, of: other, by: .unclaimed)
      #expect(marks(here, of: other) == [later])
      #expect(marks(here, of: device) == [first])
    }
  }

  @Test(arguments: ["", "[", "{}", #"[{"device":"x","marks":[]}]"#, "\u{0}"])
  func `begin anew when the file is damaged`(content: String) throws {
    try inFolder { folder in
      try Data(content.utf8).write(to: folder.appendingPathComponent("device-dossiers.json"))
      let dossiers = DeviceDossiers(store: file(folder), credentials: nil)
      #expect(marks(dossiers, of: device) == [])
      dossiers.advance(first, of: device, by: .unclaimed)
      #expect(marks(DeviceDossiers(store: file(folder), credentials: nil), of: device) == [first])
    }
  }

  @Test func `stay in memory when the file cannot be written`() {
    let dossiers = DeviceDossiers(
      store: file(URL(fileURLWithPath: "/nowhere/at/all")), credentials: nil)
    dossiers.advance(first, of: device, by: .unclaimed)
    dossiers.advance(later, of: other, by: .unclaimed)
    #expect(marks(dossiers, of: device) == [first])
    #expect(marks(dossiers, of: other) == [later])
  }

  @Test func `keep the identity that was decided first, whatever the device says later`() throws {
    try inFolder { folder in
      let strong = DeviceIdentity(text: "serial:Acme/One/77", id: "77")
      let weak = DeviceIdentity(text: "peripheral:x", id: "x")
      let dossiers = DeviceDossiers(store: file(folder), credentials: nil)
      #expect(!dossiers.dossier(of: device, user: nil).isIdentified)
      let decided = try dossiers.identity(of: device, proposing: strong)
      #expect(decided == strong)
      dossiers.advance(first, of: device, by: .unclaimed)
      let later = DeviceDossiers(store: file(folder), credentials: nil)
      #expect(try later.identity(of: device, proposing: weak) == strong)
      #expect(later.dossier(of: device, user: nil).isIdentified)
      #expect(try later.identity(of: other, proposing: weak) == weak)
    }
  }

  @Test func `have no identity that could not be kept`() {
    let dossiers = DeviceDossiers(
      store: file(URL(fileURLWithPath: "/nowhere/at/all")), credentials: nil)
    #expect(throws: BluetoothError.self) {
      try dossiers.identity(of: device, proposing: DeviceIdentity(text: "a", id: "a"))
    }
  }

  @Test func `have a key for their marks that is theirs alone, and stays`() throws {
    try inFolder { folder in
      let open = { DeviceDossiers(store: file(folder), credentials: nil) }
      let dossiers = open()
      dossiers.advance(first, of: device, by: .unclaimed)
      let markKey = dossiers.dossier(of: device, user: nil).markKey
      #expect(open().dossier(of: other, user: nil).markKey == markKey)
      let elsewhere = DeviceDossiers(store: nil, credentials: nil)
      #expect(elsewhere.dossier(of: device, user: nil).markKey != markKey)
    }
  }

  @Test func `are for the eyes of their owner`() throws {
    try inFolder { folder in
      DeviceDossiers(store: file(folder), credentials: nil).advance(
        first, of: device, by: .unclaimed)
      let path = folder.appendingPathComponent("device-dossiers.json").path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func `hold secrets in the store, each by its name, until they are removed`() throws {
    try inFolder { folder in
      let store = CredentialFiles(folder: folder)
      let dossiers = DeviceDossiers(store: file(folder), credentials: store)
      try dossiers.keep([1, 0xAB], as: .password, of: device)
      try dossiers.keep([0xFF], as: .encryptionKey, of: device)
      try dossiers.keep([2], as: .password, of: other)
      #expect(
        try store.token(for: "device-\(device.uuidString)") == "encryptionKey=ff password=01ab")
      let later = DeviceDossiers(store: file(folder), credentials: store)
      #expect(
        secrets(later, of: device) == [.password: [1, 0xAB], .encryptionKey: [0xFF]])
      try later.keep([3, 4], as: .password, of: device)
      try later.keep(nil, as: .encryptionKey, of: device)
      #expect(secrets(dossiers, of: device) == [.password: [3, 4]])
      try later.keep(nil, as: .password, of: device)
      #expect(secrets(dossiers, of: device) == [:])
      #expect(throws: SessionError.self) { try store.token(for: "device-\(device.uuidString)") }
      #expect(secrets(dossiers, of: other) == [.password: [2]])
      #expect(
        !FileManager.default.fileExists(
          atPath: folder.appendingPathComponent("device-dossiers.json").path))
    }
  }

  @Test func `hold secrets in memory where there is no store`() throws {
    let dossiers = DeviceDossiers(store: nil, credentials: nil)
    try dossiers.keep([1], as: .password, of: device)
    #expect(secrets(dossiers, of: device) == [.password: [1]])
    try dossiers.keep(nil, as: .password, of: device)
    #expect(secrets(dossiers, of: device) == [:])
  }

  @Test(
    arguments: [
      ("", [:]), ("password", [:]), ("password=", [:]), ("password=0", [:]), ("password=zz", [:]),
      ("=00", [:]), ("password=00 x password=01", [.password: [0]]),
    ] as [(String, [DeviceSecret: [UInt8]])])
  func `do without secrets that are damaged`(text: String, found: [DeviceSecret: [UInt8]]) throws {
    try inFolder { folder in
      let store = CredentialFiles(folder: folder)
      try store.save(text, for: "device-\(device.uuidString)")
      #expect(secrets(DeviceDossiers(store: nil, credentials: store), of: device) == found)
    }
  }

  @Test func `tell who is measured`() {
    let user = DeviceUser(sex: .female, heightCentimeters: 170)
    let dossiers = DeviceDossiers(store: nil, credentials: nil)
    #expect(dossiers.dossier(of: device, user: user).user == user)
  }

  @Test func `write octets as digits and read them back`() {
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

  private func mark(_ text: String) -> TransferMark {
    TransferMark(sequenceNumber: text.utf8.count, payload: text.utf8, key: MarkKey())
  }

  private var dossiers: DeviceDossiers { DeviceDossiers(store: state, credentials: nil) }
  private var marks: [TransferMark] { dossiers.dossier(of: device, user: nil).marks }
  private func advance(_ text: String) {
    dossiers.advance(mark(text), of: device, by: state.reader)
  }

  @Test func `is forgotten when the queue is another one`() {
    advance("a")
    #expect(marks == [mark("a")])
    state.lose()
    #expect(marks == [])
    advance("ab")
    #expect(marks == [mark("ab")])
  }

  @Test func `is forgotten for each device, whichever is read first`() {
    advance("a")
    let other = UUID()
    state.lose()
    dossiers.advance(mark("b"), of: other, by: state.reader)
    #expect(marks == [])
    #expect(dossiers.dossier(of: other, user: nil).marks == [mark("b")])
  }

  @Test func `stays known of what another user has read`() {
    advance("a")
    state.user.withLock { $0 = bob }
    state.lose()
    // What was lost was alice's: bob is not to get it.
    #expect(marks == [mark("a")])

    advance("ab")
    state.lose()
    #expect(marks == [mark("a")])
  }
}
