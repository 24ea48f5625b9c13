// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioOneTouch
import TestSupport
import Testing
import ValidicCore
import ValidicOneTouch

/// The class of Validic's documentation, for a manager of its own.
private final class VLDLifeScanPassiveDemo: OneTouchDeviceManagerListener {
  private let deviceManager: OneTouchDeviceManager
  private let submit: ([VLDDiabetes]) -> Void
  private var anchor: Int?
  private(set) var errors = 0

  init(_ deviceManager: OneTouchDeviceManager, submit: @escaping ([VLDDiabetes]) -> Void) {
    self.deviceManager = deviceManager
    self.submit = submit
    deviceManager.autoClockSync = true
    deviceManager.listener = self
  }

  var passiveRead: Bool = false {
    didSet {
      for device in deviceManager.devices where device.isPaired {
        passiveRead ? deviceManager.connect(device) : deviceManager.disconnect(device)
      }
    }
  }

  func onDeviceConnected(device: OneTouchDevice) {
    guard passiveRead else { return }
    if !device.isPaired { return }
    device.getGlucoseRecords(anchor: anchor, filterType: nil) { (device, anchor, records, error) in
      if error != nil {
        self.errors += 1
        return
      }
      var validicRecords = [VLDDiabetes]()
      records?.forEach({ (bloodGlucoseRecord) in
        let validicDiabetesRecord = VLDDiabetes(record: bloodGlucoseRecord, device: device)
        validicRecords.append(validicDiabetesRecord)
      })
      self.anchor = anchor
      self.submit(validicRecords)
    }
  }

  func onDeviceDisconnected(device: OneTouchDevice) {
    if passiveRead {
      deviceManager.connect(device)
    }
  }
}

struct `VLDDiabetes of a OneTouch record` {
  private let device = OneTouchDevice("SERIAL1")

  @Test func `shows the value, the meter and the time`() {
    let record = VLDDiabetes(
      record: BloodGlucoseRecord(number: 1, milligrams: 120), device: device)

    #expect(record.content.kind == .measurement)
    #expect(record.content.metrics == [Metric(.bloodGlucose, 120)])
    #expect(record.content.source.device?.serialNumber == "SERIAL1")
    #expect(record.content.time.deviceTime != nil)
    #expect(record.recordType() == .diabetes)
  }

  @Test func `of a control solution has no value`() {
    let record = VLDDiabetes(
      record: BloodGlucoseRecord(number: 1, milligrams: 120, isControlSolutionTest: true),
      device: device)

    #expect(record.content.kind == .rejected)
    #expect(record.content.metrics.isEmpty)
  }

  @Test func `is what the documentation's passive demo submits`() async throws {
    let folder = try TemporaryFolder()
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    let session = SantorioSession(
      .init(directory: folder.url.appendingPathComponent("session"), endpoint: endpoint))
    try await session.start(
      SantorioUser(userID: "user", organizationID: "ward", accessToken: "token"))
    let manager = OneTouchDeviceManager()
    let stranger = OneTouchDevice("SERIAL2", isPaired: false)
    manager.devices = [device, stranger]
    let demo = VLDLifeScanPassiveDemo(manager) { records in
      do {
        try session.submitAndWait(records.map(\.content))
      } catch {
        Issue.record(error)
      }
    }

    demo.passiveRead = true
    #expect(manager.waitingFor == ["SERIAL1"])
    device.isBroken.withLock { $0 = true }
    manager.visit(device)
    device.isBroken.withLock { $0 = false }
    for number in 1...3 {
      device.memory.withLock {
        $0.append(BloodGlucoseRecord(number: number, milligrams: 100 + Double(number)))
      }
      manager.visit(device)
    }
    demo.passiveRead = false
    manager.visit(device)

    #expect(demo.errors == 1)
    #expect(manager.autoClockSync)
    #expect(manager.waitingFor.isEmpty)
    let stored = try await session.pendingRecords().map { $0.value(.bloodGlucose) }
    #expect(stored == [101, 102, 103])
  }
}
