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
    known.forget(first.identifier)
    #expect(known.all == [second])
  }

  @Test func `are as many as there is room for`() {
    let known = KnownPeripherals(folder: nil)
    let devices = (0..<33).map { KnownPeripheral(identifier: UUID(), peripheral: $0) }
    devices.forEach(known.note)
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
      #expect(written?.first?.count == 2)
      #expect(written?.first?["identifier"] as? String == first.identifier.uuidString)
      #expect(written?.first?["peripheral"] as? Int == 2)
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
