// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import CoreBluetoothSimulation
import Foundation
import HealthGATT
import HealthRecords
import LicensedMeters
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth

/// A phone, a licensed device, and the files that its manufacturer gave.
private struct Practice: Sendable {
  let room: Room
  let files: StandInFiles

  init(_ model: VirtualDeviceModel, areFilesThere: Bool = true) throws {
    room = Room(model)
    room.monitor.enterPairingMode()
    files = try StandInFiles(isFilled: areFilesThere)
  }

  func controller(
    session: SantorioSession? = nil, credentials: (any CredentialStoring)? = nil,
    hasPlugIn: Bool = true
  ) -> BluetoothPeripheralController {
    var settings = room.settings
    files.apply(to: &settings)
    if !hasPlugIn { settings.catalogue = .standard }
    settings.credentials = credentials
    return BluetoothPeripheralController(
      session: session, settings: settings, on: room.central)
  }

  func paired(
    _ entry: DeviceModel, by controller: BluetoothPeripheralController
  ) async -> [BluetoothEvent] {
    controller.startPairing(entry)
    return await room.events(of: controller)
  }

  func read(
    _ entry: DeviceModel, by controller: BluetoothPeripheralController
  ) async -> [BluetoothEvent] {
    controller.startReading(from: entry)
    return await room.events(of: controller)
  }

  /// Pairs and reads, and expects that both are refused with the same words before the radio is
  /// used.
  func expectRefusal(
    of entry: DeviceModel, hasPlugIn: Bool = true, code: BluetoothError.Code = .notAuthorized,
    _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let controller = controller(hasPlugIn: hasPlugIn)
    for events in [await paired(entry, by: controller), await read(entry, by: controller)] {
      #expect(events.count == 1, sourceLocation: sourceLocation)
      let error = events.last?.error
      #expect(error?.code == code, sourceLocation: sourceLocation)
      #expect(error?.message == message, sourceLocation: sourceLocation)
    }
    #expect(room.phone.scansStarted == 0, sourceLocation: sourceLocation)
    #expect(room.phone.connectedPeers.isEmpty && room.phone.pendingPeers.isEmpty)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Key file` {
  private static let noObject =
    "is not a JSON object with a text named \"key\", such as {\"key\": \"0123AB\"}."
  private static let noDigits = "has a key that is not made of hexadecimal digits."

  @Test(
    arguments: [
      ("", noObject), ("{", noObject), ("[]", noObject), ("\"0123\"", noObject), ("{}", noObject),
      (#"{"key": 7}"#, noObject), (#"{"key": null}"#, noObject), (#"{"Key": "01"}"#, noObject),
      (#"{"key": "0x0123"}"#, "has a key that begins with \"0x\"; leave that out."),
      (#"{"key": "0X0123"}"#, "has a key that begins with \"0x\"; leave that out."),
      (#"{"key": ""}"#, noDigits), (#"{"key": "01 23"}"#, noDigits),
      (#"{"key": "012G"}"#, noDigits), (#"{"key": "１２"}"#, noDigits),
      (
        "{\"key\": \"" + String(repeating: "0", count: 4086) + "\"}", "is longer than 4096 bytes."
      ),
    ])
  func `that is malformed fails pairing and reading before the radio is used`(
    content: String, what: String
  ) async throws {
    let practice = try Practice(.jazzWireless2())
    try practice.files.write(content, to: "agamatrix-authkey.json")
    await practice.expectRefusal(
      of: .jazzWireless2, "The file \"agamatrix-authkey.json\" \(what)")
  }

  @Test func `that is missing is reported with its name and folder`() async throws {
    let practice = try Practice(.cvsHealthMeter(), areFilesThere: false)
    await practice.expectRefusal(
      of: .cvsHealthMeter,
      """
      The file "cvshealth-authkey.json" is missing; put the one that the manufacturer gave you into \
      \(practice.files.folder.path).
      """)
  }

  @Test func `may have the maximum length`() throws {
    let files = try StandInFiles(isFilled: false)
    try files.write("{\"key\":\"" + String(repeating: "7", count: 4086) + "\"}", to: "key.json")
    let key = try KeyFile("key.json", in: files.folder).key()
    #expect(key == [UInt8](repeating: 0x77, count: 2043))
  }

  @Test func `may have an odd number of digits, in upper and lower case`() async throws {
    let practice = try Practice(.jazzWireless2(key: [0x0A, 0xBC]))
    try practice.files.write(
      #"{"key": "aBC", "issued": "2026-01-01"}"#, to: "agamatrix-authkey.json")
    let controller = practice.controller()
    let paired = await practice.paired(.jazzWireless2, by: controller)
    let read = await practice.read(.jazzWireless2, by: controller)
    #expect(paired.last?.error == nil && read.last?.error == nil)
    #expect(Set((paired + read).compactMap(\.record).map(\.logID)).count == 4)
  }

  @Test func `of another app is refused by the meter, which sends nothing`() async throws {
    let practice = try Practice(.jazzWireless2())
    try practice.files.write(#"{"key": "FF00"}"#, to: "agamatrix-authkey.json")
    let controller = practice.controller()
    for events in [
      await practice.paired(.jazzWireless2, by: controller),
      await practice.read(.jazzWireless2, by: controller),
    ] {
      #expect(events.last?.error?.code == .notAuthorized)
      #expect(
        events.last?.error?.message
          == "The meter does not accept the app's key. Is it the one for this kind of meter?")
      #expect(events.allSatisfy { $0.record == nil && $0.refusal == nil })
    }
    #expect(practice.room.phone.connectedPeers.isEmpty)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Licence` {
  @Test func `that is invalid fails pairing and reading before the radio is used`() async throws {
    let practice = try Practice(.coagulationMeter())
    try practice.files.write("bought somewhere", to: "validic.license")
    await practice.expectRefusal(
      of: .coaguChek,
      "The licence \"validic.license\" does not hold: it is no licence for the stand-in protocol")
  }

  @Test func `that is missing is reported with its name and folder`() async throws {
    let practice = try Practice(.coagulationMeter(), areFilesThere: false)
    await practice.expectRefusal(
      of: .coaguChek,
      """
      The file "validic.license" is missing; put the one that the manufacturer gave you into \
      \(practice.files.folder.path).
      """)
  }

  @Test(
    arguments: [
      (DeviceModel.jazzWireless2, VirtualDeviceModel.jazzWireless2(), "AgaMatrix"),
      (.cvsHealthMeter, .cvsHealthMeter(), "AgaMatrix"),
      (.coaguChek, .coagulationMeter(), "Roche"),
    ])
  func `is of no use without the plug-in`(
    entry: DeviceModel, model: VirtualDeviceModel, manufacturer: String
  ) async throws {
    let practice = try Practice(model)
    await practice.expectRefusal(
      of: entry, hasPlugIn: false, code: .unsupportedDevice,
      """
      \(entry.name) cannot be read. \(manufacturer) gives its protocol to licensees only. Register a \
      licensee's plug-in for it in the device catalogue of the controller.
      """)
  }

  @Test func `that is missing excludes the device from a reading of many`() async throws {
    let practice = try Practice(.coagulationMeter(), areFilesThere: false)
    let controller = practice.controller()
    #expect(controller.startReading(fromFirstOf: [.coaguChek, .aAndDUA651BLE]))
    let events = await practice.room.events(of: controller)
    #expect(events.first == .readyToRead(.aAndDUA651BLE))
    #expect(events.dropFirst().map { $0.error?.code } == [.connectionTimeout])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Key of a coagulation meter` {
  private static let key: [UInt8] = (1...16).map { $0 * 13 }

  private let practice: Practice
  private let vault = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)

  init() throws { practice = try Practice(.coagulationMeter(key: Self.key)) }

  private func identifier(
    pairing controller: BluetoothPeripheralController
  ) async throws -> UUID {
    let events = await practice.paired(.coaguChek, by: controller)
    #expect(events.last == .ended(.finished([])))
    let paired = events.lazy.compactMap { event -> PairingMetadata? in
      if case .paired(let metadata) = event { metadata } else { nil }
    }
    return try #require(paired.first).peripheralUUID
  }

  private func ratios(_ events: [BluetoothEvent]) -> [[Metric]] {
    events.compactMap(\.record).map(\.metrics)
  }

  @Test func `is requested when it is missing`() async throws {
    let controller = practice.controller()
    _ = try await identifier(pairing: controller)
    let events = await practice.read(.coaguChek, by: controller)
    #expect(events.last?.error?.code == .notAuthorized)
    #expect(
      events.last?.error?.message
        == "The meter's key is missing. It stands in the meter's menu; store it for this device.")
    #expect(ratios(events).isEmpty)
  }

  @Test(
    arguments: [
      ("", "0 characters."), (String(repeating: "a", count: 31), "31 characters."),
      (String(repeating: "a", count: 33), "33 characters."),
      (String(repeating: "a", count: 31) + "g", "32 characters, and others among them."),
      (String(repeating: "a", count: 31) + "１", "32 characters, and others among them."),
    ])
  func `is not stored when it is invalid`(text: String, what: String) throws {
    let controller = practice.controller()
    let device = UUID()
    let error = #expect(throws: BluetoothError.self) {
      try controller.receiver.setSecret(text, .encryptionKey, for: device)
    }
    #expect(error?.code == .notAuthorized)
    #expect(
      error?.message == "The key has 32 hexadecimal digits (0 to 9, A to F); this text has \(what)")
    #expect(try controller.receiver.secrets.secrets(of: device) == [:])
  }

  @Test func `of another meter reads nothing, and the right one reads everything once`()
    async throws
  {
    let controller = practice.controller()
    let device = try await identifier(pairing: controller)
    let others = String(repeating: "5e", count: 16)
    try controller.receiver.setSecret(others, .encryptionKey, for: device)
    let refused = await practice.read(.coaguChek, by: controller)
    #expect(refused.last?.error?.code == .notAuthorized)
    #expect(
      refused.last?.error?.message
        == "The stored key does not fit this meter. Read it from the meter's menu again.")
    #expect(refused.allSatisfy { $0.record == nil && $0.refusal == nil })

    try controller.receiver.setSecret(
      " \(Self.key.hexadecimal.uppercased())\n", .encryptionKey, for: device)
    let all = await practice.read(.coaguChek, by: controller)
    #expect(
      ratios(all) == [
        [Metric(.inr, 2.1)], [Metric(.inr, 2.6)], [Metric(.inr, 3.4)], [Metric(.inr, 2.8)],
      ])

    let nothing = await practice.read(.coaguChek, by: controller)
    #expect(nothing.last == .ended(.nothingNew))
    practice.room.monitor.measure()
    let new = await practice.read(.coaguChek, by: controller)
    #expect(ratios(new) == [[Metric(.inr, 2.3)]])
  }

  @Test func `is no longer used after it was removed`() async throws {
    let controller = practice.controller()
    let device = try await identifier(pairing: controller)
    try controller.receiver.setSecret(
      Self.key.hexadecimal, .encryptionKey, for: device)
    try controller.receiver.removeSecret(.encryptionKey, for: device)
    let events = await practice.read(.coaguChek, by: controller)
    #expect(events.last?.error?.message.hasPrefix("The meter's key is missing.") == true)
  }

  @Test func `is in the credential store, and in no other file or message`() async throws {
    try FileManager.default.createDirectory(at: vault, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: vault) }
    let told = Locked<[String]>([])
    SantorioLogging.shared.setHandler { _, message in told.withLock { $0.append(message) } }
    SantorioLogging.shared.isEnabled = true
    defer {
      SantorioLogging.shared.isEnabled = false
      SantorioLogging.shared.setHandler(nil)
    }
    let store = CredentialFiles(folder: vault)
    let offline = try await Offline()
    let controller = practice.controller(session: offline.session, credentials: store)
    let device = try await identifier(pairing: controller)
    let digits = Self.key.hexadecimal
    try controller.receiver.setSecret(digits, .encryptionKey, for: device)
    let events = await practice.read(.coaguChek, by: controller)
    #expect(ratios(events).count == 4)

    #expect(try store.token(for: "device-\(device.uuidString)") == "encryptionKey=\(digits)")
    let files = try files(in: offline.folder)
    #expect(files.contains { $0.name == "outbox.sqlite" })
    for file in files { #expect(!file.holds(Self.key), "\(file.name)") }
    #expect(told.withLock { $0 }.contains { $0.hasPrefix("reading") })
    #expect(!told.withLock { $0 }.contains { $0.lowercased().contains(digits) })
    for event in events { #expect(!"\(event)".lowercased().contains(digits)) }
  }

  private struct File {
    let name: String
    let content: Data

    /// Whether the bytes, or their digits, stand in it.
    func holds(_ bytes: [UInt8]) -> Bool {
      let digits = bytes.hexadecimal
      return [Data(bytes), Data(digits.utf8), Data(digits.uppercased().utf8)]
        .contains { content.range(of: $0) != nil }
    }
  }

  private func files(in folder: URL) throws -> [File] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.compactMap { name in
      (try? Data(contentsOf: folder.appendingPathComponent(name))).map {
        File(name: name, content: $0)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Bind key` {
  private let device = UUID()
  private let key = "58305740b64e4b425e518aa1f4e51339"

  private var controller: BluetoothPeripheralController { Room().controller() }

  @Test(arguments: ["8446936 4A5E6", "84:46:93:64:A5:E6", "84-46-93-64-A5-E6", "\n844693\t64a5e6 "])
  func `is stored with the address after it, in any usual notation`(address: String) throws {
    let controller = controller
    try controller.receiver.setSecret(key + address, .bindKey, for: device)
    let secrets = try controller.receiver.secrets.secrets(of: device)
    #expect(secrets == [.bindKey: VirtualDeviceModel.s400Secret])
  }

  @Test(
    arguments: [
      ("", "32 characters."), ("84469364A5E", "43 characters."),
      ("84469364A5E60", "45 characters."),
      ("84469364A5EX", "44 characters, and others among them."),
    ])
  func `is not stored when it is invalid`(address: String, what: String) throws {
    let controller = controller
    let error = #expect(throws: BluetoothError.self) {
      try controller.receiver.setSecret(key + address, .bindKey, for: device)
    }
    #expect(error?.code == .notAuthorized)
    #expect(
      error?.message == "The key has 44 hexadecimal digits (0 to 9, A to F); this text has \(what)")
    #expect(try controller.receiver.secrets.secrets(of: device) == [:])
  }

  @Test func `is known to be stored, until it is removed`() throws {
    let receiver = controller.receiver
    #expect(try !receiver.hasSecret(.bindKey, for: device))
    try receiver.setSecret(key + "84469364A5E6", .bindKey, for: device)
    #expect(try receiver.hasSecret(.bindKey, for: device))
    #expect(try !receiver.hasSecret(.encryptionKey, for: device))
    #expect(try !receiver.hasSecret(.bindKey, for: UUID()))
    try receiver.removeSecret(.bindKey, for: device)
    #expect(try !receiver.hasSecret(.bindKey, for: device))
  }

  /// A store of a phone that was not unlocked since it was started.
  private struct Locked: CredentialStoring {
    func save(_ token: String, for name: String) throws(SessionError) { throw .locked() }
    func token(for name: String) throws(SessionError) -> String { throw .locked() }
    func removeToken(for name: String) throws(SessionError) { throw .locked() }
  }

  @Test func `that cannot be read now is not called missing`() async throws {
    let room = Room(.xiaomiS400)
    let controller = room.controller(credentials: Locked())
    controller.startReading(from: .xiaomiS400)
    let events = await room.events(of: controller)
    #expect(events.last?.error?.code == .submissionFailure)
  }

  @Test func `is what the catalogue says that a device needs`() throws {
    #expect(PeripheralDataKey(of: .xiaomiS400) == .bindKey)
    #expect(PeripheralDataKey(of: .coaguChek) == .encryptionKey)
    #expect(PeripheralDataKey(of: .xiaomiMiScale) == nil)
    #expect(PeripheralDataKey.bindKey.digitCounts == [32, 12])
    #expect(PeripheralDataKey.encryptionKey.digitCounts == [32])
  }

  @Test func `of another scale reads nothing`() async throws {
    let room = Room(.xiaomiS400)
    let controller = room.controller()
    let scale = room.phone.identifier(of: room.device)
    try controller.receiver.setSecret(
      String(key.reversed()) + "84469364A5E6", .bindKey, for: scale)
    controller.startReading(from: .xiaomiS400)
    let events = await room.events(of: controller)
    #expect(events.last?.error?.code == .notAuthorized)
    #expect(events.allSatisfy { $0.record == nil && $0.refusal == nil })
  }
}
