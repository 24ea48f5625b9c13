// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import Testing

@testable import SantorioBluetooth

private let first = UUID()
private let second = UUID()
private let stranger = UUID()
private let name = "A&D_UA-651BLE_400123"

/// Speaks with a search: an input goes in, the actions come out.
private struct Dialogue {
  var search: DeviceSearch

  init(
    _ purpose: PeripheralOperation.Purpose = .read,
    for candidates: [DeviceModel] = [.aAndDUA651BLE], allowed: Set<UUID>? = nil,
    resting: Set<UUID> = [], known: [UUID] = [], as peripheral: DeviceModel = .aAndDUA651BLE
  ) {
    search = DeviceSearch(
      purpose, for: candidates, allowed: allowed, resting: resting,
      known: known.map { KnownPeripheral(identifier: $0, peripheral: peripheral.id) })
  }

  /// The system knows these devices.
  mutating func know(_ ids: UUID..., name: String? = nil) -> [DeviceSearch.Action] {
    search.retrievedKnown(ids.map { .init($0, name: name) }, at: .zero)
  }

  mutating func hear(_ id: UUID, _ name: String = name) -> [DeviceSearch.Action] {
    search.discovered(.init(id, name: name, services: ["1810"]))
  }

  /// Ends the connection of a device that is waited for.
  mutating func lose(_ id: UUID) -> [DeviceSearch.Action]? {
    search.ended(id).flatMap { search.proceed(without: $0, at: .seconds(1)) }
  }
}

private let connected = DeviceSearch.Action.retrieveConnected(services: ["1810"])
private let scan = DeviceSearch.Action.scan(services: ["1810"], allowsDuplicates: false)

@Suite struct `Search for a device` {
  @Test func `connects known devices, then connected ones, then scans`() {
    var dialogue = Dialogue(known: [first, second])
    #expect(dialogue.search.begin() == [.retrieveKnown([second, first])])
    #expect(dialogue.know(first, second) == [.connect(first), .connect(second)])
    #expect(dialogue.search.deadline == .seconds(5))
    #expect(dialogue.search.timeReached(at: .seconds(4.9)) == [])
    #expect(dialogue.search.timeReached(at: .seconds(5)) == [connected])
    #expect(dialogue.search.retrievedConnected([], at: .seconds(5)) == [scan])
    #expect(dialogue.search.deadline == nil)
    #expect(
      dialogue.hear(stranger) == [
        .stopScan, .report(.found(.aAndDUA651BLE, stranger)), .connect(stranger),
      ])
    #expect(dialogue.hear(UUID()) == [])
    #expect(
      dialogue.search.connected(stranger)?.actions == [.disconnect(first), .disconnect(second)])
    #expect(!dialogue.search.isClosed)
  }

  @Test func `skips paused devices, whether known, named or found`() {
    var any = Dialogue(resting: [first], known: [first, second])
    #expect(any.search.begin() == [.retrieveKnown([second])])
    _ = any.know(second)
    _ = any.search.timeReached(at: .seconds(5))
    _ = any.search.retrievedConnected([], at: .seconds(5))
    #expect(any.hear(first) == [])
    #expect(any.hear(stranger).last == .connect(stranger))
    var named = Dialogue(allowed: [first, second], resting: [first], known: [first])
    #expect(named.search.begin() == [.retrieveKnown([second])])
  }

  @Test func `scans at once when there is little time`() {
    let known = KnownPeripheral(identifier: first, peripheral: DeviceModel.aAndDUA651BLE.id)
    var search = DeviceSearch(
      .read, for: [.aAndDUA651BLE], allowed: nil, known: [known], isHurried: true)
    _ = search.begin()
    #expect(search.retrievedKnown([.init(first, name: nil)], at: .zero) == [.connect(first)])
    #expect(search.deadline == .zero)
    #expect(search.timeReached(at: .zero) == [connected])
    #expect(search.retrievedConnected([], at: .zero) == [scan])
  }

  @Test func `connects a known device that wakes during the scan`() {
    var dialogue = Dialogue(known: [first])
    _ = dialogue.search.begin()
    _ = dialogue.know(first)
    _ = dialogue.search.timeReached(at: .seconds(5))
    _ = dialogue.search.retrievedConnected([], at: .seconds(5))
    #expect(dialogue.hear(first) == [])
    let found = dialogue.search.connected(first)
    #expect(found?.actions == [.stopScan, .report(.found(.aAndDUA651BLE, first))])
    #expect(found?.link.peripheral == .aAndDUA651BLE)
  }

  @Test func `continues at once when the system knows none of them`() {
    var dialogue = Dialogue(known: [first])
    _ = dialogue.search.begin()
    #expect(dialogue.know() == [connected])
  }

  @Test func `continues at once when none of them can be connected`() {
    var dialogue = Dialogue(known: [first, second])
    _ = dialogue.search.begin()
    _ = dialogue.know(first, second)
    #expect(dialogue.lose(first) == [])
    #expect(dialogue.lose(second) == [connected])
    #expect(dialogue.lose(second) == nil)
  }

  @Test func `does not scan when all named devices are being connected`() {
    var dialogue = Dialogue(allowed: [first, second], known: [second])
    #expect(dialogue.search.begin() == [.retrieveKnown([first, second])])
    _ = dialogue.know(second, first)
    #expect(dialogue.search.deadline == nil)
    #expect(dialogue.lose(first) == [])
    #expect(dialogue.search.deadline == .seconds(6))
    #expect(dialogue.search.timeReached(at: .seconds(6)) == [connected])
  }

  @Test func `scans for a named device that the system does not know`() {
    var dialogue = Dialogue(allowed: [first, second])
    _ = dialogue.search.begin()
    #expect(dialogue.know(first) == [.connect(first)])
    _ = dialogue.search.timeReached(at: .seconds(5))
    #expect(
      dialogue.search.retrievedConnected(
        [.init(stranger, name: name, services: ["1810"])], at: .seconds(5)) == [scan])
    #expect(dialogue.hear(stranger) == [])
    #expect(dialogue.hear(second).last == .connect(second))
  }

  @Test func `connects a device of another app, and scans if it has disconnected`() {
    var dialogue = Dialogue()
    #expect(dialogue.search.begin() == [connected])
    #expect(
      dialogue.search.retrievedConnected(
        [
          .init(first, name: "BM54", services: ["1810"]),
          .init(second, name: name, services: ["1810"]),
        ], at: .zero) == [.connect(second)])
    #expect(dialogue.search.timeReached(at: .seconds(5)) == [scan])
    var other = Dialogue()
    _ = other.search.begin()
    _ = other.search.retrievedConnected([.init(first, name: name, services: ["1810"])], at: .zero)
    #expect(other.lose(first) == [scan])
  }

  @Test func `does not connect a device of another model`() {
    var dialogue = Dialogue(known: [first], as: .genericBloodPressure)
    #expect(dialogue.search.begin() == [connected])
    var named = Dialogue(allowed: [first])
    _ = named.search.begin()
    #expect(named.know(first, name: "BM54") == [connected])
  }

  @Test func `connects a named device by its stored, advertised or only possible model`() {
    let both = [DeviceModel.genericBloodPressure, .aAndDUA651BLE]
    var used = Dialogue(for: both, allowed: [first], known: [first], as: .genericBloodPressure)
    _ = used.search.begin()
    _ = used.know(first, name: name)
    #expect(used.search.connected(first)?.link.peripheral == .genericBloodPressure)
    var called = Dialogue(for: both, allowed: [first])
    _ = called.search.begin()
    _ = called.know(first, name: name)
    #expect(called.search.connected(first)?.link.peripheral == .aAndDUA651BLE)
    var single = Dialogue(allowed: [first])
    _ = single.search.begin()
    _ = single.know(first)
    #expect(single.search.connected(first)?.link.peripheral == .aAndDUA651BLE)
    var unclear = Dialogue(for: both, allowed: [first])
    _ = unclear.search.begin()
    #expect(unclear.know(first) == [connected])
  }

  @Test func `searches for a device in pairing mode only by a scan`() {
    var dialogue = Dialogue(.pair, known: [first])
    #expect(dialogue.search.begin() == [scan])
  }

  @Test func `is closed when all connections have ended`() {
    var dialogue = Dialogue(known: [first, second])
    _ = dialogue.search.begin()
    _ = dialogue.know(first, second)
    _ = dialogue.search.timeReached(at: .seconds(5))
    _ = dialogue.search.retrievedConnected([], at: .seconds(5))
    #expect(dialogue.search.close() == [.stopScan, .disconnect(first), .disconnect(second)])
    #expect(dialogue.search.connected(first) == nil)
    #expect(dialogue.search.ended(first) == nil)
    #expect(!dialogue.search.isClosed)
    #expect(dialogue.search.ended(second) == nil)
    #expect(dialogue.search.isClosed)
    #expect(dialogue.search.close() == [])
  }
}

@Suite struct `Operation with a known device` {
  private func operation() -> PeripheralOperation {
    var operation = PeripheralOperation(
      .read, .aAndDUA651BLE, known: [.init(identifier: first, peripheral: 2)], at: .zero)
    _ = operation.handle(.radioChanged(.on), at: .after(0))
    _ = operation.handle(.retrievedKnown([.init(first, name: nil)]), at: .after(0))
    return operation
  }

  private let closing = PeripheralOperation.Action.disconnect(first)

  @Test func `cancels the pending connection in time and waits for its end`() {
    var operation = operation()
    #expect(operation.deadline == .seconds(5))
    _ = operation.handle(.timeReached, at: .after(5))
    _ = operation.handle(.retrievedConnected([]), at: .after(5))
    #expect(operation.deadline == .seconds(180))
    #expect(operation.handle(.timeReached, at: .after(180)) == [.stopScan, closing])
    #expect(
      operation.handle(.disconnected(first, nil), at: .after(180))
        == [.report(.ended(.failed(BluetoothError(.connectionTimeout))))])
  }

  @Test func `cancels the pending connection when it is cancelled`() {
    var operation = operation()
    #expect(operation.handle(.cancelRequested, at: .after(1)) == [closing])
    #expect(operation.handle(.connected(first), at: .after(1)) == [])
    #expect(
      operation.handle(.disconnected(first, nil), at: .after(1))
        == [.report(.ended(.cancelled))])
  }

  @Test func `restarts after a reset of the radio`() {
    var operation = operation()
    #expect(operation.handle(.radioChanged(.unknown), at: .after(1)) == [])
    #expect(operation.handle(.radioChanged(.on), at: .after(2)) == [.retrieveKnown([first])])
    #expect(
      operation.handle(.retrievedKnown([.init(first, name: nil)]), at: .after(2))
        == [.connect(first)])
  }

  @Test func `reports which device has lost its bond`() {
    var operation = operation()
    let actions = operation.handle(
      .connectionFailed(first, .init(.bondLost)), at: .after(1))
    #expect(actions.first == .report(.found(.aAndDUA651BLE, first)))
    guard case .report(.ended(.failed(let error)))? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.code == .bondLost)
  }

  @Test func `continues the search when the connection fails`() {
    var operation = operation()
    #expect(
      operation.handle(.connectionFailed(first, .init(.other)), at: .after(1)) == [connected])
  }

  @Test func `is not ended by a connection that it has cancelled`() {
    var operation = operation()
    _ = operation.handle(.timeReached, at: .after(5))
    _ = operation.handle(.retrievedConnected([]), at: .after(5))
    _ = operation.handle(
      .discovered(.init(second, name: name, services: ["1810"])), at: .after(6))
    #expect(
      operation.handle(.connected(second), at: .after(7))
        == [closing, .discoverServices(["1810", "1805", "180A", "180F"], of: second)])
    #expect(operation.handle(.disconnected(first, nil), at: .after(7)) == [])
    #expect(operation.handle(.cancelRequested, at: .after(8)) == [.disconnect(second)])
  }
}
