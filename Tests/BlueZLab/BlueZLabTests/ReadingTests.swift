// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothBlueZ
import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore
import Testing

/// What a person would answer, and what was asked.
private final class Person: @unchecked Sendable {
  private let lock = NSLock()
  private var asked: [PairingQuestion.Kind] = []
  private let answers: @Sendable (PairingQuestion.Kind) -> PairingAnswer

  init(_ answers: @escaping @Sendable (PairingQuestion.Kind) -> PairingAnswer) {
    self.answers = answers
  }

  var questions: [PairingQuestion.Kind] {
    lock.lock()
    defer { lock.unlock() }
    return asked
  }

  func answer(_ question: PairingQuestion) -> PairingAnswer {
    lock.lock()
    asked.append(question.kind)
    lock.unlock()
    return answers(question.kind)
  }

  /// An adapter whose pairings this person answers.
  var adapter: BlueZAdapter { BlueZAdapter { [self] in answer($0) } }
}

extension [BluetoothEvent] {
  fileprivate var systolic: [Double] { records.compactMap { $0.value(.systolic) } }
}

/// What the monitor has stored when it is switched on.
private let stored = [124.0, 131, 147]

extension LabPeer {
  /// Takes a measurement of 125/87 mmHg, at a minute of an hour.
  fileprivate func measure(minute: UInt8) async throws {
    let digits = String(minute, radix: 16)
    let time = "e807060f11" + (minute < 16 ? "0" : "") + digits + "00"
    try await ask("measure", "167d0057006200" + time + "34000000")
  }
}

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(2)))
struct `Reading through bluetoothd` {
  private func read(
    _ controller: BluetoothPeripheralController, only identifier: UUID
  ) async -> [BluetoothEvent] {
    #expect(controller.startReading(from: .genericBloodPressure, only: [identifier]))
    return await controller.eventsUntilEnd()
  }

  /// Pairs the monitor, which sends what it has stored as soon as it is paired.
  private func pair(_ controller: BluetoothPeripheralController) async throws -> UUID {
    #expect(controller.startPairing(.genericBloodPressure))
    let events = await controller.eventsUntilEnd()
    #expect(events.systolic == stored)
    return try events.paired
  }

  @Test func `pairs, reads and reads again`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let identifier = try await pair(.lab())
    #expect(try await cuff.count("confirmed") == 3)
    for minute: UInt8 in 1...3 {
      // Each controller is a new one, as in another process, and meets the same device and bond.
      try await cuff.ask("wait", "disconnected", "\(minute)")
      try await cuff.measure(minute: minute)
      let events = await read(.lab(), only: identifier)
      #expect(events.systolic == [125] && events.failure == nil)
    }
    #expect(try await cuff.count("pairing-started") == 1)
    try await cuff.stop()
  }

  @Test func `pairs with the passkey that the device shows`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure", "--passkey", "123456")
    let person = Person { $0 == .passkeyEntry ? .passkey(123_456) : .reject }
    _ = try await pair(.lab(person.adapter))
    #expect(person.questions == [.passkeyEntry])
    try await cuff.stop()
  }

  @Test func `fails to pair with a wrong passkey, and then pairs with the right one`() async throws
  {
    let cuff = try await LabPeer("cuff", "blood-pressure", "--passkey", "123456")
    let wrong = BluetoothPeripheralController.lab(Person { _ in .passkey(111_111) }.adapter)
    #expect(wrong.startPairing(.genericBloodPressure))
    #expect(await wrong.eventsUntilEnd().failure?.code == .pairingFailure)
    #expect(try await cuff.count("paired") == 0)

    _ = try await pair(.lab(Person { _ in .passkey(123_456) }.adapter))
    try await cuff.stop()
  }

  @Test func `knows a device with a private address by its identity`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure", "--rpa")
    let identifier = try await pair(.lab())
    try await cuff.ask("wait", "disconnected")
    try await cuff.ask("rotate")
    try await cuff.measure(minute: 1)
    #expect(await read(.lab(), only: identifier).systolic == [125])
    #expect(try await cuff.count("pairing-started") == 1)
    try await cuff.stop()
  }

  @Test func `reports a lost bond, and replaces it on request`()
    async throws
  {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let reluctant = Person { $0 == .bondReplacement ? .reject : .accept }
    let identifier = try await pair(.lab(reluctant.adapter))
    try await cuff.ask("wait", "disconnected")
    try await cuff.ask("forget")
    try await cuff.measure(minute: 1)

    let lost = await read(.lab(reluctant.adapter), only: identifier)
    #expect(lost.failure?.code == .bondLost)
    #expect(reluctant.questions.contains(.bondReplacement))

    let repaired = await read(.lab(Person { _ in .accept }.adapter), only: identifier)
    #expect(repaired.systolic == [125] && repaired.failure == nil)
    #expect(try await cuff.count("paired") == 2)
    try await cuff.stop()
  }

  @Test func `waits for a device that has disappeared`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let identifier = try await pair(.lab())
    try await cuff.ask("wait", "disconnected")
    try await cuff.ask("silent")
    try await cuff.measure(minute: 1)

    async let later = read(.lab(), only: identifier)
    try await cuff.ask("advertise")
    #expect(await later.systolic == [125])
    try await cuff.stop()
  }

  @Test func `loses and repeats nothing when bluetoothd is killed`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let session = try await SantorioSession.lab()
    let identifier = try await pair(.lab())
    try await cuff.ask("wait", "disconnected")
    try await cuff.ask("hold")
    for minute: UInt8 in 1...3 { try await cuff.measure(minute: minute) }

    let controller = BluetoothPeripheralController.lab(session: session)
    async let interrupted = read(controller, only: identifier)
    try await cuff.ask("wait", "confirmed", "4")
    try await LabGuest.lab("bluetoothd", "kill")
    let first = await interrupted
    #expect(first.systolic == [125])

    try await cuff.ask("go")
    try await LabGuest.lab("bluetoothd", "start")
    let second = await read(controller, only: identifier)
    #expect(second.systolic == [125, 125] && second.failure == nil)
    #expect(try await cuff.count("confirmed") == 6)
    let pending = try await session.pendingRecords()
    #expect(Set(pending.map(\.logID)).count == 3 && pending.count == 3)
    try await cuff.stop()
  }
}
