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

  @Test func `are told in the order in which they were used`() {
    let known = KnownPeripherals(folder: nil)
    known.note(first)
    known.note(second)
    #expect(known.all == [second, first])
    known.note(first)
    #expect(known.all == [first, second])
  }

  @Test func `are as many as there is room for`() {
    let known = KnownPeripherals(folder: nil)
    let devices = (0..<33).map { KnownPeripheral(identifier: UUID(), peripheral: $0) }
    for device in devices { known.note(device) }
    #expect(known.all == devices.dropFirst().reversed())
  }

  @Test func `outlive the process, and are seen by others`() throws {
    try inFolder { folder in
      let known = KnownPeripherals(folder: folder)
      let other = KnownPeripherals(folder: folder)
      known.note(first)
      #expect(other.all == [first])
      other.note(second)
      #expect(known.all == [second, first])
    }
  }

  @Test func `are written as identifiers and numbers`() throws {
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
  func `are forgotten when the file is damaged, and written anew`(content: String) throws {
    try inFolder { folder in
      let file = folder.appendingPathComponent(KnownPeripherals.stateName)
      try Data(content.utf8).write(to: file)
      let known = KnownPeripherals(folder: folder)
      #expect(known.all == [])
      known.note(first)
      #expect(KnownPeripherals(folder: folder).all == [first])
    }
  }

  @Test func `are each told once, and not more than there is room for, whatever the file says`()
    throws
  {
    try inFolder { folder in
      let devices = (0..<33).map { KnownPeripheral(identifier: UUID(), peripheral: $0) }
      try JSONEncoder().encode([devices[0]] + devices)
        .write(to: folder.appendingPathComponent(KnownPeripherals.stateName))
      #expect(KnownPeripherals(folder: folder).all == Array(devices.prefix(32)))
    }
  }

  @Test func `are enrolled by a pairing alone, and stay so`() throws {
    let known = KnownPeripherals(folder: nil)
    known.note(first)
    #expect(known.enrolled(for: alice) == [])
    try known.note(second.identifier, as: second.peripheral, .paired, by: alice)
    known.note(second)
    try known.note(second.identifier, as: second.peripheral, .lost, by: alice)
    #expect(known.enrolled(for: alice).map(\.identifier) == [second.identifier])
  }

  @Test func `are enrolled for the user who paired them, until another one does`() throws {
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

  @Test func `are the first user's who reads them when there was none at their pairing`() throws {
    let known = KnownPeripherals(folder: nil)
    try known.note(first.identifier, as: 2, .paired, by: .unclaimed)
    #expect(known.enrolled(for: bob).map(\.identifier) == [first.identifier])
    #expect(known.enrolledForOthers(than: bob) == [])

    try known.note(first.identifier, as: 2, .read(needsBond: false), by: alice)

    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
    #expect(known.enrolled(for: bob) == [])
  }

  @Test func `stay a user's when they are paired while there is nobody`() throws {
    let known = KnownPeripherals(folder: nil)
    try known.note(first.identifier, as: 2, .paired, by: alice)
    try known.note(first.identifier, as: 2, .paired, by: .unclaimed)
    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
    #expect(known.enrolled(for: bob) == [])
  }

  @Test func `make no room for strangers when they are enrolled`() throws {
    let known = KnownPeripherals(folder: nil)
    try known.note(first.identifier, as: 2, .paired, by: alice)
    for number in 0..<40 { known.note(KnownPeripheral(identifier: UUID(), peripheral: number)) }
    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
    #expect(known.all.count == 33)
  }

  @Test func `do not pretend that an enrolment is kept which is not`() {
    let known = KnownPeripherals(folder: URL(fileURLWithPath: "/nowhere/at/all"))
    #expect(throws: SessionError.self) {
      try known.note(first.identifier, as: 2, .paired, by: alice)
    }
    #expect(known.enrolled(for: alice).map(\.identifier) == [first.identifier])
  }

  @Test func `are not replaced while their file cannot be read`() throws {
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

  @Test func `are for the eyes of their owner`() throws {
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

@Suite struct `What is known of a bond` {
  private let known = KnownPeripherals(folder: nil)
  private let device = UUID()

  private func bond(after evidence: BondState.Evidence...) -> BondState {
    for piece in evidence { try? known.note(device, as: 2, piece, by: alice) }
    return known.bond(with: device)
  }

  @Test func `nothing, of a device that was never met`() {
    #expect(known.bond(with: device) == .none)
  }

  @Test func `a pairing makes it provisional, the next reading verifies it`() {
    #expect(bond(after: .paired) == .provisional)
    #expect(bond(after: .read(needsBond: true)) == .verified)
    #expect(bond(after: .read(needsBond: true)) == .verified)
  }

  @Test func `a device that the system has paired by itself has a provisional one`() {
    #expect(bond(after: .read(needsBond: true)) == .provisional)
    #expect(bond(after: .read(needsBond: true)) == .verified)
  }

  @Test func `a device that needs none has none`() {
    #expect(bond(after: .read(needsBond: false), .read(needsBond: false)) == .none)
  }

  @Test func `one that is lost stays so until the device is paired or read`() {
    #expect(bond(after: .paired, .lost) == .lost)
    #expect(bond(after: .paired) == .provisional)
    #expect(bond(after: .lost, .read(needsBond: true)) == .verified)
  }
}
