// SPDX-License-Identifier: Apache-2.0

import Foundation
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
      let octets = try Data(contentsOf: folder.appendingPathComponent("known-peripherals.json"))
      let written = try JSONSerialization.jsonObject(with: octets) as? [[String: Any]]
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
      let file = folder.appendingPathComponent("known-peripherals.json")
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
        .write(to: folder.appendingPathComponent("known-peripherals.json"))
      #expect(KnownPeripherals(folder: folder).all == Array(devices.prefix(32)))
    }
  }

  @Test func `stay in memory when the file cannot be written`() throws {
    let known = KnownPeripherals(folder: URL(fileURLWithPath: "/nowhere/at/all"))
    known.note(first)
    #expect(known.all == [first])
  }
}

extension KnownPeripherals {
  fileprivate func note(_ device: KnownPeripheral) {
    note(device.identifier, as: device.peripheral, .read(needsBond: false))
  }
}

@Suite struct `What is known of a bond` {
  private let known = KnownPeripherals(folder: nil)
  private let device = UUID()

  private func bond(after evidence: BondState.Evidence...) -> BondState {
    for piece in evidence { known.note(device, as: 2, piece) }
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

  @Test func `a file of before there were bonds is read`() throws {
    let text = #"{"identifier":"\#(device.uuidString)","peripheral":2}"#
    let old = try JSONDecoder().decode(KnownPeripheral.self, from: Data(text.utf8))
    #expect(old == KnownPeripheral(identifier: device, peripheral: 2, bond: .none))
  }
}
