// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthGATT
import SantorioCore
import Testing

@testable import SantorioBluetooth

@Suite struct `Device dossiers` {
  private let device = UUID()
  private let other = UUID()
  private let first = TransferMark(sequenceNumber: 1, payload: [1])
  private let later = TransferMark(sequenceNumber: 7, payload: [7])

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
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
    let dossiers = DeviceDossiers(folder: nil, credentials: nil)
    let second = TransferMark(memory: "second", sequenceNumber: 3, payload: [3])
    dossiers.advance(first, of: device)
    dossiers.advance(second, of: device)
    dossiers.advance(later, of: device)
    dossiers.advance(first, of: other)
    #expect(marks(dossiers, of: device) == [second, later])
    #expect(marks(dossiers, of: other) == [first])
    #expect(marks(dossiers, of: UUID()) == [])
  }

  @Test func `outlive the process, and are seen by others`() throws {
    try inFolder { folder in
      let here = DeviceDossiers(folder: folder, credentials: nil)
      let there = DeviceDossiers(folder: folder, credentials: nil)
      here.advance(first, of: device)
      #expect(marks(there, of: device) == [first])
      there.advance(later, of: other)
      #expect(marks(here, of: other) == [later])
      #expect(marks(here, of: device) == [first])
    }
  }

  @Test(arguments: ["", "[", "{}", #"[{"device":"x","marks":[]}]"#, "\u{0}"])
  func `begin anew when the file is damaged`(content: String) throws {
    try inFolder { folder in
      try Data(content.utf8).write(to: folder.appendingPathComponent("device-transfers.json"))
      let dossiers = DeviceDossiers(folder: folder, credentials: nil)
      #expect(marks(dossiers, of: device) == [])
      dossiers.advance(first, of: device)
      #expect(marks(DeviceDossiers(folder: folder, credentials: nil), of: device) == [first])
    }
  }

  @Test func `stay in memory when the file cannot be written`() {
    let dossiers = DeviceDossiers(folder: URL(fileURLWithPath: "/nowhere/at/all"), credentials: nil)
    dossiers.advance(first, of: device)
    dossiers.advance(later, of: other)
    #expect(marks(dossiers, of: device) == [first])
    #expect(marks(dossiers, of: other) == [later])
  }

  @Test func `hold secrets in the store, each by its name, until they are removed`() throws {
    try inFolder { folder in
      let store = CredentialFiles(folder: folder)
      let dossiers = DeviceDossiers(folder: folder, credentials: store)
      try dossiers.keep([1, 0xAB], as: .password, of: device)
      try dossiers.keep([0xFF], as: .encryptionKey, of: device)
      try dossiers.keep([2], as: .password, of: other)
      #expect(
        try store.token(for: "device-\(device.uuidString)") == "encryptionKey=ff password=01ab")
      let later = DeviceDossiers(folder: folder, credentials: store)
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
          atPath: folder.appendingPathComponent("device-transfers.json").path))
    }
  }

  @Test func `hold secrets in memory where there is no store`() throws {
    let dossiers = DeviceDossiers(folder: nil, credentials: nil)
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
      #expect(secrets(DeviceDossiers(folder: nil, credentials: store), of: device) == found)
    }
  }

  @Test func `tell who is measured`() {
    let user = DeviceUser(sex: .female, heightCentimeters: 170)
    let dossiers = DeviceDossiers(folder: nil, credentials: nil)
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
