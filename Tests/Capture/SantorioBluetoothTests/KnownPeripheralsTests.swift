// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
import Testing

@testable import SantorioBluetooth

@Suite struct `Known peripherals` {
  private let first = KnownPeripheral(identifier: UUID(), peripheral: 2)
  private let second = KnownPeripheral(identifier: UUID(), peripheral: 3000)

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func `are listed in the order of their last use`() {
    let known = KnownPeripherals(folder: nil)
    known.note(first)
    known.note(second)
    #expect(known.all == [second, first])
    known.note(first)
    #expect(known.all == [first, second])
  }

  @Test func `are limited in number`() {
    let known = KnownPeripherals(folder: nil)
    let devices = (0..<33).map { KnownPeripheral(identifier: UUID(), peripheral: $0) }
    for device in devices { known.note(device) }
    #expect(known.all == devices.dropFirst().reversed())
  }

  @Test func `survive the process and are visible to others`() throws {
    try inFolder { folder in
      let known = KnownPeripherals(folder: folder)
      let other = KnownPeripherals(folder: folder)
      known.note(first)
      #expect(other.all == [first])
      other.note(second)
      #expect(known.all == [second, first])
    }
  }

  @Test func `are stored as identifiers and numbers`() throws {
    try inFolder { folder in
      KnownPeripherals(folder: folder).note(first)
      let bytes = try Data(contentsOf: folder.appendingPathComponent(KnownPeripherals.stateName))
      let written = try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]]
      #expect(written?.count == 1)
      #expect(written?.first?.count == 3)
      #expect(written?.first?["identifier"] as? String == first.identifier.uuidString)
      #expect(written?.first?["peripheral"] as? Int == 2)
      #expect(written?.first?["bond"] as? String == "none")
    }
  }

  @Test(arguments: ["", "[", "{}", #"[{"identifier":"x","peripheral":2}]"#, "\u{0}"])
  func `are forgotten when the file is damaged, and stored again`(content: String) throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent(KnownPeripherals.stateName)
      try Data(content.utf8).write(to: file)
      let known = KnownPeripherals(folder: folder)
      #expect(known.all == [])
      known.note(first)
      #expect(KnownPeripherals(folder: folder).all == [first])
    }
  }

  @Test func `are unique and limited in number, whatever the file contains`()
    throws
  {
    try inFolder { folder in
      let devices = (0..<33).map { KnownPeripheral(identifier: UUID(), peripheral: $0) }
      try JSONEncoder().encode([devices[0]] + devices)
        .write(to: folder.appendingPathComponent(KnownPeripherals.stateName))
      #expect(KnownPeripherals(folder: folder).all == Array(devices.prefix(32)))
    }
  }

  @Test func `are enrolled by pairing only, and stay enrolled`() throws {
    let known = KnownPeripherals(folder: nil)
    known.note(first)
    #expect(known.enrolled(for: alice) == [])
    try known.note(second.identifier, as: second.peripheral, .paired, by: alice)
    known.note(second)
    try known.note(second.identifier, as: second.peripheral, .lost, by: alice)
    #expect(known.enrolled(for: alice).map(\.identifier) == [second.identifier])
  }

  @Test func `are enrolled for the user who paired them last`() throws {
    let known = KnownPeripherals(folder: nil)
    try known.note(first.identifier, as: 2, .paired, by: alice)
    try known.note(first.identifier, as: 2, .read(needsBond: false), by: bob)
    #expect(known.enrolled(for: bob) == [])
    #expect(known.enrolled(for: .unclaimed) == [])
    #expect(known.enrolledForOthers(than: bob).map(\.identifier) == [first.identifier])
    #expect(known.enrolledForOthers(than: alice) == [])

    try known.note(first.identifier, as: 2, .paired, by: bob)

    #expect(known.enrolled(for: bob).map(\.identifier) == [first.identifier])
    #expect(known.enrolled(for: alice) == [])
  }

  @Test func `belong to the first user who reads them if they were paired without a user`() throws {
    let known = KnownPeripherals(folder: nil)
    try known.note(first.identifier, as: 2, .paired, by: .unclaimed)
    #expect(known.enrolled(for: bob).map(\.identifier) == [first.identifier])
    #expect(known.enrolledForOthers(than: bob) == [])

    try known.note(first.identifier, as: 2, .read(needsBond: false), by: alice)

    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
    #expect(known.enrolled(for: bob) == [])
  }

  @Test func `stay with a user when they are paired again without one`() throws {
    let known = KnownPeripherals(folder: nil)
    try known.note(first.identifier, as: 2, .paired, by: alice)
    try known.note(first.identifier, as: 2, .paired, by: .unclaimed)
    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
    #expect(known.enrolled(for: bob) == [])
  }

  @Test func `are not displaced by unknown devices when enrolled`() throws {
    let known = KnownPeripherals(folder: nil)
    try known.note(first.identifier, as: 2, .paired, by: alice)
    for number in 0..<40 { known.note(KnownPeripheral(identifier: UUID(), peripheral: number)) }
    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
    #expect(known.all.count == 33)
  }

  @Test func `report an enrolment that could not be stored`() {
    let known = KnownPeripherals(folder: URL(fileURLWithPath: "/nowhere/at/all"))
    #expect(throws: SessionError.self) {
      try known.note(first.identifier, as: 2, .paired, by: alice)
    }
    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
  }

  @Test func `are not overwritten while their file cannot be read`() throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent(KnownPeripherals.stateName)
      let target = folder.appendingPathComponent("elsewhere")
      try KnownPeripherals(folder: folder).note(first.identifier, as: 2, .paired, by: alice)
      try FileManager.default.moveItem(at: file, to: target)
      // A link is not followed.
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
      KnownPeripherals(folder: folder).note(second)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: target, to: file)
      #expect(
        KnownPeripherals(folder: folder).enrolled(for: alice).map(\.identifier) == [
          first.identifier
        ])
    }
  }

  @Test func `are readable by their owner only`() throws {
    try inFolder { folder in
      KnownPeripherals(folder: folder).note(first)
      let path = folder.appendingPathComponent(KnownPeripherals.stateName).path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func `stay in memory when the file cannot be written`() throws {
    let known = KnownPeripherals(folder: URL(fileURLWithPath: "/nowhere/at/all"))
    known.note(first)
    #expect(known.all == [first])
  }
}

extension KnownPeripherals {
  fileprivate convenience init(folder: URL?) {
    let file = folder?.appendingPathComponent(Self.stateName)
    self.init(store: file.map { PlainFile($0) }, lock: file.map { StateLock(for: $0) })
  }

  fileprivate func note(_ device: KnownPeripheral) {
    try? note(device.identifier, as: device.peripheral, .read(needsBond: false), by: alice)
  }
}

private let alice = KnownPeripheral.Enrolment.user(id: "alice", organization: "acme")
private let bob = KnownPeripheral.Enrolment.user(id: "bob", organization: "acme")

@Suite struct `State of a bond` {
  private let known = KnownPeripherals(folder: nil)
  private let device = UUID()

  private func bond(after evidence: BondState.Evidence...) -> BondState {
    for piece in evidence { try? known.note(device, as: 2, piece, by: alice) }
    return known.bond(with: device)
  }

  @Test func `is unknown for a new device`() {
    #expect(known.bond(with: device) == .none)
  }

  @Test func `is provisional after pairing and verified by the next reading`() {
    #expect(bond(after: .paired) == .provisional)
    #expect(bond(after: .read(needsBond: true)) == .verified)
    #expect(bond(after: .read(needsBond: true)) == .verified)
  }

  @Test func `is provisional for a device that the system has paired`() {
    #expect(bond(after: .read(needsBond: true)) == .provisional)
    #expect(bond(after: .read(needsBond: true)) == .verified)
  }

  @Test func `is absent for a device that needs none`() {
    #expect(bond(after: .read(needsBond: false), .read(needsBond: false)) == .none)
  }

  @Test func `stays lost until the device is paired or read`() {
    #expect(bond(after: .paired, .lost) == .lost)
    #expect(bond(after: .paired) == .provisional)
    #expect(bond(after: .lost, .read(needsBond: true)) == .verified)
  }
}
