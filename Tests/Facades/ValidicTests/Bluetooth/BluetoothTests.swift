// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioCore
import Testing
import ValidicCore
import VirtualDevices

@testable import ValidicBluetooth

extension ValidicNames {
  @Suite @MainActor final class Bluetooth {
    let app: App
    let air = SimulatedRadioEnvironment(seed: 1)
    let phone: SimulatedHost
    let monitor: VirtualDevice

    init() async throws {
      app = try App()
      phone = air.makeHost(named: "Phone")
      let host = air.makeHost(named: "Monitor", at: SimulatedPosition(x: 2))
      var settings = VirtualDevice.Settings()
      settings.zone = { .gmt }
      settings.clock = air.clock
      settings.isConnected = { host.connectedPeers.contains($0) }
      monitor = VirtualDevice(
        .ua651BLE(memory: []), settings: settings, managerOptions: host.managerOptions,
        onEvent: { _ in })
      monitor.switchOn()
      try await launch()
    }

    private func launch() async throws {
      try await app.launch(reachesServer: false)
      var settings = BluetoothSettings()
      settings.clock = air.clock
      settings.timeZone = { .gmt }
      settings.catalogue = .standard
      #expect(
        VLDBluetoothPeripheral.configure(
          settings, central: BluetoothCentral(managerOptions: phone.managerOptions)))
    }

    /// Lets time pass in the air until something is the case, not faster than the disk.
    private func advance(until isTrue: @MainActor () async throws -> Bool) async throws {
      for _ in 0..<4800 {
        if try await isTrue() { return }
        await air.advance(by: .milliseconds(250))
        _ = try await VLDSession.sharedInstance().session.heldCount()
        await Task.yield()
      }
      Issue.record("twenty minutes were not enough")
    }

    /// What a delegate has heard.
    private final class Delegate: VLDBluetoothPeripheralControllerDelegate {
      var calls: [String] = []
      var records: [VLDRecord] = []
      var metadata: VLDBluetoothOperationMetadata?
      var error: NSError?
      var agrees = true
      /// What it does when it hears of the pairing, and when it is asked.
      var whenPaired: (() -> Void)?
      var whenAsked: (([VLDRecord]) -> Void)?
      var isOver: Bool { error != nil || metadata != nil || calls.contains("cancelled") }

      func bluetoothPeripheralController(
        _ controller: VLDBluetoothPeripheralController!,
        didPairPeripheral peripheral: VLDBluetoothPeripheral!
      ) { calls.append("paired") }

      func bluetoothPeripheralController(
        _ controller: VLDBluetoothPeripheralController!,
        didPairPeripheral peripheral: VLDBluetoothPeripheral!,
        metadata: VLDBluetoothOperationMetadata!
      ) {
        calls.append("metadata")
        self.metadata = metadata
        whenPaired?()
      }

      func bluetoothPeripheralController(
        _ controller: VLDBluetoothPeripheralController!,
        didNotPairPeripheral peripheral: VLDBluetoothPeripheral!, error: (any Error)!
      ) {
        calls.append("not paired")
        self.error = error as NSError?
      }

      func bluetoothPeripheralController(
        _ controller: VLDBluetoothPeripheralController!,
        isReadyToReadFrom peripheral: VLDBluetoothPeripheral!
      ) { calls.append("ready") }

      func bluetoothPeripheralController(
        _ controller: VLDBluetoothPeripheralController!,
        shouldSubmitReadings records: [VLDRecord]!, from peripheral: VLDBluetoothPeripheral!
      ) -> Bool {
        calls.append("readings")
        self.records += records
        whenAsked?(records)
        return agrees
      }

      func bluetoothPeripheralController(
        _ controller: VLDBluetoothPeripheralController!,
        didCancelReadingFor peripheral: VLDBluetoothPeripheral!
      ) { calls.append("cancelled") }

      func bluetoothPeripheralController(
        _ controller: VLDBluetoothPeripheralController!,
        readingFailedFor peripheral: VLDBluetoothPeripheral!, error: (any Error)!
      ) {
        calls.append("failed")
        self.error = error as NSError?
      }
    }

    private var peripheral: VLDBluetoothPeripheral {
      get throws { try #require(VLDBluetoothPeripheral(forID: 2)) }
    }

    private var session: VLDSession { VLDSession.sharedInstance() }

    private func pair() async throws -> VLDBluetoothOperationMetadata {
      let delegate = Delegate()
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      monitor.enterPairingMode()
      #expect(controller.pairPeripheral(try peripheral))
      try await advance { delegate.isOver && phone.connectedPeers.isEmpty }
      #expect(delegate.calls == ["paired", "metadata"])
      return try #require(delegate.metadata)
    }

    private func remember() {
      monitor.remember([
        BloodPressureFrames.capturedUA651BLE[2], BloodPressureFrames.capturedUA651BLE[3],
      ])
    }

    // MARK: - Peripherals

    @Test func `lists peripherals with their texts`() throws {
      let all = try #require(
        VLDBluetoothPeripheral.supportedPeripherals() as? [VLDBluetoothPeripheral])
      #expect(all.count == DeviceModel.supported.count)
      #expect(all.allSatisfy { !$0.disabled && !$0.name().isEmpty && !$0.instructions.isEmpty })
      let thermometer = all.filter { $0.peripheralID == 1 }
      #expect(thermometer.map(\.type) == [.thermometer])
      let meters = VLDBluetoothPeripheral.peripherals(of: .glucoseMeter)
      #expect(meters?.isEmpty == false)
      #expect(meters?.allSatisfy { ($0 as? VLDPeripheral)?.type == .glucoseMeter } == true)
      #expect(VLDBluetoothPeripheral(forID: 999_999) == nil)
      #expect(VLDBluetoothPeripheral(forID: .max) == nil)
      #expect(try peripheral.requiresPairing && peripheral.pairingInstructions != nil)
      #expect(VLDBluetoothPeripheral.connectionType() == "bluetooth")
      for id: UInt in [1000, 2000, 3000, 4000, 5000] {
        #expect(VLDBluetoothPeripheral(forID: id)?.disabled == false)
      }
    }

    @Test func `takes an app's own texts for a model`() throws {
      let generic = try #require(VLDBluetoothPeripheral(forID: 3000))
      (generic.manufacturer, generic.model) = ("Clinic", "Cuff")
      generic.instructions = "Put on the cuff."
      #expect(generic.name() == "Clinic Cuff")
      #expect(generic.deviceModel.name == "Clinic Cuff")
      #expect(generic.deviceModel.instructions == "Put on the cuff.")
      let copy = try #require(generic.copy() as? VLDBluetoothPeripheral)
      #expect(copy == generic && copy.instructions == generic.instructions)
      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: generic, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(
        ofClass: VLDBluetoothPeripheral.self, from: archive)
      #expect(read?.peripheralID == 3000 && read?.model == "Cuff")
    }

    @Test func `makes an empty record of what it measures`() throws {
      let record = try peripheral.record()
      #expect(record is VLDBiometrics)
      #expect(record.sourcePeripheral == 2)
      #expect(record.content.source.type == .bluetooth)
      #expect(VLDBluetoothPeripheral(forID: 1000)?.record() is VLDDiabetes)
      #expect(VLDBluetoothPeripheral(forID: 5000)?.record() is VLDWeight)
    }

    // MARK: - Pairing and reading

    @Test func `pairs, and names the device`() async throws {
      session.start(with: app.user)
      let metadata = try await pair()
      #expect(UUID(uuidString: metadata.peripheralUUID) != nil)
      let coagulation = try #require(VLDBluetoothPeripheral(forID: 51))
      let key = kVLDBluetoothPeripheralDataKeyEncryptionKey
      let uuid = metadata.peripheralUUID
      let digits = "000102030405060708090a0b0c0d0e0f"
      #expect(coagulation.storeData(digits, forKey: key, ofPeripheralUUID: uuid))
      #expect(!coagulation.storeData("00", forKey: key, ofPeripheralUUID: uuid))
      #expect(!coagulation.storeData(digits, forKey: "other", ofPeripheralUUID: uuid))
      #expect(!coagulation.storeData(digits, forKey: key, ofPeripheralUUID: "no uuid"))
    }

    @Test func `reads and submits what the delegate agrees to`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      remember()
      let delegate = Delegate()
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      #expect(controller.read(from: try peripheral))
      #expect(controller.operationInProgress)
      #expect(!controller.read(from: try peripheral))
      #expect(!controller.pairPeripheral(try peripheral))
      try await advance { !controller.operationInProgress && delegate.calls.contains("readings") }
      #expect(delegate.calls == ["ready", "readings"])
      let pressures = delegate.records.map { ($0 as? VLDBiometrics)?.systolic }
      #expect(pressures == [125, 134])
      #expect(delegate.records.allSatisfy { $0.sourcePeripheral == 2 })
      #expect(try await session.session.pendingCount() == 2)
    }

    @Test func `keeps readings that are declined until the app submits them`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      remember()
      let delegate = Delegate()
      delegate.agrees = false
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      controller.read(from: try peripheral)
      try await advance { !controller.operationInProgress && delegate.calls.contains("readings") }
      #expect(try await session.session.pendingCount() == 0)
      #expect(try await session.session.heldCount() == 2)
      let first = try #require(delegate.records.first as? VLDBiometrics)
      first.systolic = 126
      session.submitRecord(first)
      #expect(try await session.session.heldCount() == 1)
      let sent = try await session.session.pendingRecords()
      #expect(sent.map { $0.value(.systolic) } == [126])
      #expect(sent.first?.metrics.first { $0.type == .systolic }?.origin == .manual)
    }

    @Test func `reads at once when it has paired`() async throws {
      session.start(with: app.user)
      let delegate = Delegate()
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      let peripheral = try peripheral
      var hasBegun = false
      delegate.whenPaired = { hasBegun = controller.read(from: peripheral) }
      monitor.enterPairingMode()
      controller.pairPeripheral(peripheral)
      try await advance { delegate.metadata != nil }
      #expect(hasBegun)
      remember()
      try await advance { !controller.operationInProgress && delegate.calls.contains("readings") }
      #expect(try await session.session.pendingCount() == 2)
    }

    @Test func `asks again when the delegate was gone that was to be asked`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      remember()
      let controller = VLDBluetoothPeripheralController()
      var delegate: Delegate? = Delegate()
      controller.delegate = delegate
      controller.read(from: try peripheral)
      delegate = nil
      try await advance { !controller.operationInProgress }
      #expect(controller.delegate == nil && delegate == nil)
      #expect(try await session.session.pendingCount() == 0)

      let next = Delegate()
      controller.delegate = next
      monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
      controller.read(from: try peripheral)
      try await advance { !controller.operationInProgress && next.calls.contains("readings") }
      let pressures = next.records.prefix(2).compactMap { ($0 as? VLDBiometrics)?.systolic }
      #expect(Set(pressures) == [125, 134])
      #expect(try await session.session.heldCount() == 0)
      #expect(try await session.session.pendingCount() == next.records.count)
    }

    @Test func `submits readings of an app without a delegate`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      remember()
      let controller = VLDBluetoothPeripheralController()
      controller.read(from: try peripheral)
      try await advance { !controller.operationInProgress }
      #expect(try await session.session.pendingCount() == 2)
    }

    @Test func `submits what the delegate has changed before it agreed`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      remember()
      let delegate = Delegate()
      delegate.whenAsked = { ($0.first as? VLDBiometrics)?.systolic = 126 }
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      controller.read(from: try peripheral)
      try await advance { !controller.operationInProgress && delegate.calls.contains("readings") }
      let sent = try await session.session.pendingRecords()
      #expect(sent.map { $0.value(.systolic) } == [126, 134])
      #expect(try await session.session.heldCount() == 0)
    }

    @Test func `outlives the app's reference while it reads`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      remember()
      let delegate = Delegate()
      var controller: VLDBluetoothPeripheralController? = VLDBluetoothPeripheralController()
      controller?.delegate = delegate
      controller?.read(from: try peripheral)
      controller = nil
      try await advance { delegate.calls.contains("readings") }
      try await advance { try await self.session.session.pendingCount() == 2 }
    }

    @Test func `fails with NoReading when there is nothing new`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      // Measurements that have failed.
      monitor.remember(Array(BloodPressureFrames.capturedUA651BLE.prefix(2)))
      let delegate = Delegate()
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      controller.read(from: try peripheral)
      try await advance { delegate.isOver }
      #expect(delegate.calls.last == "failed")
      #expect(delegate.error?.domain == kVLDBluetoothErrorDomain)
      #expect(delegate.error?.code == VLDBluetoothErrorCode.noReading.rawValue)
    }

    @Test func `cancels a reading and a pairing`() async throws {
      session.start(with: app.user)
      let delegate = Delegate()
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      controller.read(from: try peripheral)
      controller.cancel()
      try await advance { delegate.isOver }
      #expect(delegate.calls == ["cancelled"])
      controller.pairPeripheral(try peripheral)
      controller.cancel()
      try await advance { delegate.calls.count == 2 }
      #expect(delegate.calls == ["cancelled", "not paired"])
      #expect(delegate.error?.code == VLDBluetoothErrorCode.pairingFailure.rawValue)
    }

    @Test func `needs a user and Bluetooth`() async throws {
      let delegate = Delegate()
      let controller = VLDBluetoothPeripheralController()
      controller.delegate = delegate
      controller.read(from: try peripheral)
      try await advance { delegate.isOver }
      #expect(delegate.error?.code == VLDBluetoothErrorCode.noUser.rawValue)
      session.start(with: app.user)
      phone.state = .poweredOff
      delegate.error = nil
      controller.read(from: try peripheral)
      try await advance { delegate.isOver }
      #expect(delegate.error?.code == VLDBluetoothErrorCode.bluetoothTurnedOff.rawValue)
    }

    @Test func `gives Santorio's errors Validic's numbers`() {
      let numbers: [(BluetoothError.Code, Int)] = [
        (.communicationFailure, 0), (.connectionFailure, 1), (.pairingFailure, 2),
        (.bondLost, 2), (.cancelled, 2), (.bluetoothUnavailable, 3), (.noReading, 4),
        (.noUser, 5), (.connectionTimeout, 6), (.readingTimeout, 7), (.notAuthorized, 0),
        (.submissionFailure, 0), (.operationInProgress, 0), (.identityUnknown, 0),
        (.enrolledForAnother, 0), (.notEnrolled, 0), (.unsupportedDevice, 0),
        (.interrupted, 0), (.misconfigured, 0),
      ]
      for (code, number) in numbers { #expect(VLDBluetoothErrorCode(code).rawValue == number) }
      #expect(VLDBluetoothErrorCode.allCases.map(\.rawValue) == Array(0...7))
    }

    // MARK: - Passive reading

    @Test func `reads passively what was set, also after a relaunch`() async throws {
      session.start(with: app.user)
      _ = try await pair()
      VLDBluetoothPassiveManager.sharedInstance().peripheralIDs = [2]
      #expect(VLDBluetoothPassiveManager.sharedInstance().peripheralIDs == [2])
      // Until it is on the disk.
      try await advance { try await self.kept() == [2] }

      try await launch()
      // It is known before it is restored.
      #expect(VLDBluetoothPassiveManager.sharedInstance().peripheralIDs == [2])
      let notes = PostedNotes(.vldBluetoothPassiveDidRead, .vldBluetoothPassiveDidFail)
      VLDBluetoothPassiveManager.sharedInstance().restoreState()
      remember()
      try await advance { !notes.all.isEmpty }
      let note = try #require(notes.all.first)
      #expect(note.name == .vldBluetoothPassiveDidRead && note.isOnMainThread)
      #expect(note.userInfo["peripheralID"] as? UInt == 2)
      let records = try #require(note.object as? [VLDRecord])
      #expect(records.map { ($0 as? VLDBiometrics)?.systolic } == [125, 134])
      #expect(try await session.session.pendingCount() == 2)
    }

    private func kept() async throws -> [Int] {
      try SharedBluetooth.current.receiver.keptPassiveIDsAndWait()
    }

    @Test func `is switched off by nil, and by an empty set`() async throws {
      session.start(with: app.user)
      let manager = VLDBluetoothPassiveManager.sharedInstance()
      for off: [NSNumber]? in [nil, []] {
        manager.setPeripherals([try peripheral])
        try await advance { try await self.kept() == [2] }
        manager.peripheralIDs = off
        #expect(manager.peripheralIDs?.isEmpty == true)
        try await advance { try await self.kept().isEmpty }
      }
      // The last one counts, however quickly they follow.
      for id in 1...20 { manager.peripheralIDs = [NSNumber(value: id), 2] }
      manager.peripheralIDs = [2]
      try await advance { try await self.kept() == [2] }
      #expect(manager.peripheralIDs == [2])
    }

    @Test func `leaves out what cannot be read`() async throws {
      session.start(with: app.user)
      let manager = VLDBluetoothPassiveManager.sharedInstance()
      // There is no 999999, and an app needs a key file for the meter of 51.
      manager.peripheralIDs = [999_999, 2, 51]
      #expect(manager.peripheralIDs == [2])
      try await advance { try await self.kept() == [2] }
      manager.peripheralIDs = [999_999]
      try await advance { try await self.kept().isEmpty }
    }

    @Test func `is refused for the default user, and ends with the session`() async throws {
      session.start(with: VLDUser.defaultUser())
      let manager = VLDBluetoothPassiveManager.sharedInstance()
      manager.peripheralIDs = [2]
      try await advance { manager.peripheralIDs?.isEmpty == true }
      session.start(with: app.user)
      manager.peripheralIDs = [2]
      try await advance { try await self.kept() == [2] }
      session.end()
      try await advance { manager.peripheralIDs?.isEmpty == true }
    }
  }
}
