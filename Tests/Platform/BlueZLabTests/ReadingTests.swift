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

/// The events of an operation until its end.
private func events(of controller: BluetoothPeripheralController) async -> [BluetoothEvent] {
  var all: [BluetoothEvent] = []
  for await event in controller.events {
    all.append(event)
    if case .ended = event { break }
  }
  return all
}

extension [BluetoothEvent] {
  fileprivate var records: [HealthRecord] {
    compactMap { if case .reading(let record) = $0 { record } else { nil } }
  }

  fileprivate var systolic: [Double] { records.compactMap { $0.value(.systolic) } }

  fileprivate var failure: BluetoothError? {
    for case .ended(.failed(let error, _)) in self { return error }
    return nil
  }
}

private func makeController(
  _ adapter: BlueZAdapter = BlueZAdapter(), session: Session? = nil
) -> BluetoothPeripheralController {
  BluetoothPeripheralController(
    session: session, managerOptions: adapter.managerOptions,
    delegateQueue: DispatchQueue(label: "delegate"))
}

private let all = [124.0, 131, 147]

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(3)))
struct `Reading through bluetoothd` {
  /// Reads the generic blood pressure monitor.
  private func read(
    _ controller: BluetoothPeripheralController, only identifiers: Set<UUID>? = nil
  ) async -> [BluetoothEvent] {
    #expect(controller.read(from: .genericBloodPressure, only: identifiers))
    return await events(of: controller)
  }

  @Test func `pairs, reads and reads again`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let controller = makeController()
    let metadata = try await controller.paired(with: .genericBloodPressure)
    #expect(try await cuff.count("paired") == 1)

    let first = await read(controller, only: [metadata.peripheralUUID])
    #expect(first.systolic == all && first.failure == nil)
    #expect(try await cuff.count("confirmed") == 3)

    // Another controller, as in another process, meets the same device and the same bond.
    try await cuff.ask("measure", "16 7d00 5700 6200 e807 06 0f 11 13 00 3400 0000".compact)
    let again = await read(makeController(), only: [metadata.peripheralUUID])
    #expect(again.systolic == [125] && again.failure == nil)
    #expect(try await cuff.count("pairing-started") == 1)
    try await cuff.stop()
  }

  @Test func `pairs with the passkey that the device shows`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure", "--passkey", "123456")
    let person = Person { $0 == .passkeyEntry ? .passkey(123_456) : .reject }
    let controller = makeController(person.adapter)
    _ = try await controller.paired(with: .genericBloodPressure)
    #expect(person.questions == [.passkeyEntry])
    #expect(await read(controller).systolic == all)
    try await cuff.stop()
  }

  @Test func `fails to pair with a wrong passkey, and then pairs with the right one`() async throws
  {
    let cuff = try await LabPeer("cuff", "blood-pressure", "--passkey", "123456")
    let wrong = Person { _ in .passkey(111_111) }
    let controller = makeController(wrong.adapter)
    await #expect { try await controller.paired(with: .genericBloodPressure) } throws: {
      ($0 as? BluetoothError)?.code == .pairingFailure
    }
    #expect(try await cuff.count("paired") == 0)

    let right = Person { _ in .passkey(123_456) }
    let metadata = try await makeController(right.adapter).paired(with: .genericBloodPressure)
    #expect(await read(makeController(), only: [metadata.peripheralUUID]).systolic == all)
    try await cuff.stop()
  }

  @Test func `knows a device with a private address by its identity`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure", "--rpa")
    let controller = makeController()
    let metadata = try await controller.paired(with: .genericBloodPressure)
    #expect(await read(controller, only: [metadata.peripheralUUID]).systolic == all)

    try await cuff.ask("rotate")
    try await cuff.ask("measure", "16 7d00 5700 6200 e807 06 0f 11 13 00 3400 0000".compact)
    #expect(await read(controller, only: [metadata.peripheralUUID]).systolic == [125])
    #expect(try await cuff.count("pairing-started") == 1)
    try await cuff.stop()
  }

  @Test func `tells of a bond that the device has lost, and makes a new one when told`()
    async throws
  {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let reluctant = Person { $0 == .bondReplacement ? .reject : .accept }
    let controller = makeController(reluctant.adapter)
    let metadata = try await controller.paired(with: .genericBloodPressure)
    try await cuff.ask("forget")

    let lost = await read(controller, only: [metadata.peripheralUUID])
    #expect(lost.failure?.code == .bondLost)
    #expect(reluctant.questions.contains(.bondReplacement))

    let willing = Person { _ in .accept }
    let repaired = await read(makeController(willing.adapter), only: [metadata.peripheralUUID])
    #expect(repaired.systolic == all && repaired.failure == nil)
    #expect(try await cuff.count("paired") == 2)
    try await cuff.stop()
  }

  @Test func `waits for a device that has vanished`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let controller = makeController()
    let metadata = try await controller.paired(with: .genericBloodPressure)
    try await cuff.ask("silent")

    async let later = read(controller, only: [metadata.peripheralUUID])
    try await cuff.ask("advertise")
    #expect(await later.systolic == all)
    try await cuff.stop()
  }

  @Test func `loses and doubles nothing when bluetoothd is killed in the middle`() async throws {
    let cuff = try await LabPeer("cuff", "blood-pressure")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let endpoint = try #require(URL(string: "http://127.0.0.1:9/nowhere"))
    let session = try Session(.init(directory: folder, endpoint: endpoint))
    try await session.start(User(userID: "lab", organizationID: "lab", accessToken: "token"))
    let controller = makeController(session: session)
    let metadata = try await controller.paired(with: .genericBloodPressure)
    try await cuff.ask("hold")

    async let interrupted = read(controller, only: [metadata.peripheralUUID])
    try await cuff.ask("wait", "confirmed", "1")
    try await LabGuest.lab("bluetoothd", "kill")
    let first = await interrupted
    #expect(first.failure?.isRetryable == true)
    #expect(first.systolic == [124])

    try await cuff.ask("go")
    try await LabGuest.lab("bluetoothd", "start")
    let second = await read(controller, only: [metadata.peripheralUUID])
    #expect(second.failure == nil)
    let stored = try await session.pendingRecords()
    #expect(stored.compactMap { $0.value(.systolic) }.sorted() == all)
    #expect(try await cuff.count("confirmed") == 3)
    try await cuff.stop()
  }
}

extension String {
  /// Without the spaces.
  fileprivate var compact: String { filter { $0 != " " } }
}
