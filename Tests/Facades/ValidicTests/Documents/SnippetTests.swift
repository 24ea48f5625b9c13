// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthKit
import HealthKitSimulation
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import SantorioHealthKit
import TestSupport
import Testing
import ValidicHealthKit

@testable import ValidicBluetooth
@testable import ValidicCore
@testable import ValidicSnippets

extension ValidicNames {
  /// The code of Validic's documents does what the text around it says.
  @Suite @MainActor final class Documents {
    let app: App
    let phone: SimulatedPhone

    init() async throws {
      app = try App()
      phone = SimulatedPhone(store: app.folder.url.appendingPathComponent("health.sqlite"))
      phone.answerPermissionRequests { .init(share: [], read: $0.toRead) }
      try await app.launch(reachesServer: false)
      #expect(
        VLDHealthKitManager.configure(HealthKitSettings(), store: phone.makeHealthStore()))
      let host = SimulatedRadioEnvironment(seed: 1).makeHost(named: "Phone")
      #expect(
        VLDBluetoothPeripheral.configure(
          BluetoothSettings(), central: BluetoothCentral(managerOptions: host.managerOptions)))
      _ = Output.shared.take()
    }

    private func start() { VLDSession.sharedInstance().start(with: app.user) }

    @Test func `prints the version of the library`() {
      let delegate = InstallationDelegate()
      #expect(delegate.application(UIApplication.shared, didFinishLaunchingWithOptions: nil))
      #expect(Output.shared.take() == ["Validic \(SantorioVersion.current)"])
    }

    @Test func `starts, uses and ends a session, and tells of the end`() async throws {
      #expect(!SessionSnippets.useUser())
      SessionSnippets.start()
      #expect(SessionSnippets.useUser())
      #expect(VLDSession.sharedInstance().user?.validicUserID == "user_id")
      let record = VLDWeight()
      record.weight = 70
      VLDSession.sharedInstance().submitRecord(record)
      let notes = PostedNotes(.vldSessionEnded)
      SessionSnippets.end()
      #expect(!SessionSnippets.useUser())
      await app.wait { notes.all.count == 1 }
      let note = try #require(notes.all.first)
      SessionObserver().sessionDidEnd(
        Notification(name: note.name, object: note.object, userInfo: note.userInfo))
      #expect(
        Output.shared.take() == [
          "Session ended for user user_id of organization organization_id, with 1 unsynced records."
        ])
      SessionSnippets.startWithDefaultUser()
      #expect(VLDSession.sharedInstance().user == VLDUser.defaultUser())
    }

    @Test func `prints what was uploaded, and what was not`() async throws {
      try await app.launch()
      start()
      let notes = PostedNotes(.vldRecordSubmitted, .vldRecordSubmissionFailed)
      let record = VLDWeight()
      record.weight = 70
      VLDSession.sharedInstance().submitRecord(record)
      VLDSession.sharedInstance().submitRecord(VLDWeight())
      await app.wait { notes.all.count == 2 }
      let observer = SessionObserver()
      for note in notes.all {
        let posted = Notification(name: note.name, object: note.object, userInfo: note.userInfo)
        observer.recordDidUpload(posted)
        observer.recordSubmissionDidFail(posted)
      }
      let printed = Output.shared.take()
      #expect(printed.filter { $0.hasPrefix("Record submission failed with error:") }.count == 1)
      #expect(printed.filter { $0.hasPrefix("Record: ") }.count == 1)
      #expect(printed.count == 4)
    }

    @Test func `lists and filters peripherals`() {
      let screen = BluetoothScreen()
      screen.printSupportedPeripherals()
      #expect(
        Output.shared.take().count == VLDBluetoothPeripheral.supportedPeripherals().count)
      #expect(screen.filteredPeripherals().map(\.peripheralID) == [1])
    }

    @Test func `turns passive reading on and off`() async throws {
      start()
      let delegate = PassiveDelegate()
      delegate.enableByNumber()
      #expect(VLDBluetoothPassiveManager.sharedInstance().peripheralIDs == [1, 2])
      try await app.wait { try self.kept() == [1, 2] }
      delegate.enableByPeripheral()
      try await app.wait { try self.kept() == [1] }
      delegate.disable()
      try await app.wait { try self.kept().isEmpty }
      #expect(delegate.application(UIApplication.shared))
    }

    private func kept() throws -> [Int] {
      try SharedBluetooth.current.receiver.keptPassiveIDsAndWait()
    }

    @Test func `subscribes to HealthKit with a switch`() async throws {
      start()
      let (screen, toggle) = (HealthKitScreen(), UISwitch())
      toggle.isOn = true
      screen.toggleHealthKit(toggle)
      let manager = VLDHealthKitManager.sharedInstance()
      #expect((manager.subscriptions()?.count ?? 0) > 20)
      #expect(HealthKitDelegate().application(UIApplication.shared))
      #expect(manager.processIntraday)
      toggle.isOn = false
      screen.toggleHealthKit(toggle)
      #expect(manager.subscriptions()?.isEmpty == true)
      let outcome = Locked<Bool?>(nil)
      HistorySnippets.fetch { results, error in
        outcome.withLock { $0 = results != nil && error == nil }
      }
      await app.wait { outcome.withLock { $0 != nil } }
      #expect(outcome.withLock { $0 } == true)
    }
  }
}
