// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
import Testing

@testable import SantorioBluetooth

@Suite struct `Known peripherals` {
  private let store = DeviceStore(session: nil)
  private let first = UUID()
  private let second = UUID()

  private func read(_ device: UUID, by user: DeviceOwner = alice) async throws {
    try await store.note(device, as: 2, .read(needsBond: false), by: user)
  }

  private func enrolled(for user: DeviceOwner) async throws -> [UUID] {
    try await store.known().enrolled(for: user).map(\.identifier)
  }

  @Test(arguments: [true, false])
  func `are listed in the order of their last use`(hasSession: Bool) async throws {
    let offline = try await Offline()
    let store = DeviceStore(session: hasSession ? offline.session : nil)
    for device in [first, second, first] {
      try await store.note(device, as: 2, .read(needsBond: false), by: alice)
    }
    #expect(try await store.known().map(\.identifier) == [first, second])
  }

  @Test func `are not limited in number`() async throws {
    let offline = try await Offline()
    let store = DeviceStore(session: offline.session)
    for number in 0..<40 {
      try await store.note(UUID(), as: number, .read(needsBond: false), by: alice)
    }
    #expect(try await store.known().map(\.peripheral) == (0..<40).reversed())
  }

  @Test func `show nothing of themselves in the file`() async throws {
    let offline = try await Offline()
    try await DeviceStore(session: offline.session).note(first, as: 2, .paired, by: alice)
    for name in ["outbox.sqlite", "outbox.sqlite-wal"] {
      let data = FileManager.default.contents(
        atPath: offline.folder.appendingPathComponent(name).path)
      #expect(data?.range(of: Data(first.uuidString.utf8)) == nil)
      #expect(data?.range(of: Data("alice".utf8)) == nil)
    }
  }

  @Test func `are enrolled by pairing only, and stay enrolled`() async throws {
    try await read(first)
    #expect(try await enrolled(for: alice) == [])
    try await store.note(second, as: 2, .paired, by: alice)
    try await read(second)
    try await store.note(second, as: 2, .lost, by: alice)
    #expect(try await enrolled(for: alice) == [second])
  }

  @Test func `are enrolled for the user who paired them last`() async throws {
    try await store.note(first, as: 2, .paired, by: alice)
    try await read(first, by: bob)
    #expect(try await enrolled(for: bob) == [])
    #expect(try await enrolled(for: .unclaimed) == [])
    #expect(try await store.known().enrolledForOthers(than: bob).map(\.identifier) == [first])
    #expect(try await store.known().enrolledForOthers(than: alice) == [])

    try await store.note(first, as: 2, .paired, by: bob)

    #expect(try await enrolled(for: bob) == [first])
    #expect(try await enrolled(for: alice) == [])
  }

  @Test func `belong to the first user who reads them if paired without a user`() async throws {
    try await store.note(first, as: 2, .paired, by: .unclaimed)
    #expect(try await enrolled(for: bob) == [first])
    #expect(try await store.known().enrolledForOthers(than: bob) == [])

    try await read(first)

    #expect(try await enrolled(for: alice) == [first])
    #expect(try await enrolled(for: bob) == [])
  }

  @Test func `stay with a user when they are paired again without one`() async throws {
    try await store.note(first, as: 2, .paired, by: alice)
    try await store.note(first, as: 2, .paired, by: .unclaimed)
    #expect(try await enrolled(for: alice) == [first])
    #expect(try await enrolled(for: bob) == [])
  }
}

private let alice = DeviceOwner.user(id: "alice", organization: "acme")
private let bob = DeviceOwner.user(id: "bob", organization: "acme")

@Suite struct `State of a bond` {
  private let receiver = BluetoothReceiver()
  private let device = UUID()

  private func bond(after evidence: BondState.Evidence...) async throws -> BondState {
    for piece in evidence { try await receiver.devices.note(device, as: 2, piece, by: alice) }
    return try await receiver.bond(with: device)
  }

  @Test func `is unknown for a new device`() async throws {
    #expect(try await bond() == .none)
  }

  @Test func `is provisional after pairing and verified by the next reading`() async throws {
    #expect(try await bond(after: .paired) == .provisional)
    #expect(try await bond(after: .read(needsBond: true)) == .verified)
    #expect(try await bond(after: .read(needsBond: true)) == .verified)
  }

  @Test func `is provisional for a device that the system has paired`() async throws {
    #expect(try await bond(after: .read(needsBond: true)) == .provisional)
    #expect(try await bond(after: .read(needsBond: true)) == .verified)
  }

  @Test func `is absent for a device that needs none`() async throws {
    #expect(try await bond(after: .read(needsBond: false), .read(needsBond: false)) == .none)
  }

  @Test func `stays lost until the device is paired or read`() async throws {
    #expect(try await bond(after: .paired, .lost) == .lost)
    #expect(try await bond(after: .paired) == .provisional)
    #expect(try await bond(after: .lost, .read(needsBond: true)) == .verified)
  }
}
