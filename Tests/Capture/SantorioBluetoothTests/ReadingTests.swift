// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing
import VirtualDevices

@testable import SantorioBluetooth

private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt
private let received = Date(timeIntervalSince1970: 1_718_466_000)  // 2024-06-15T15:40:00Z

@Suite struct `Blood pressure reading` {
  private func reading(_ facts: [String: String] = ["2A25": "5160400123"]) -> BloodPressureReading {
    var known = DeviceFacts(
      identifier: UUID(uuidString: "00000000-0000-0000-0000-00000000002A") ?? UUID())
    for (characteristic, text) in facts {
      known.read(
        Attribute("180A", characteristic), Array(text.utf8), at: received, zone: berlin)
    }
    return BloodPressureReading(peripheral: .aAndDUA651BLE, facts: known, zone: berlin)
  }

  private func record(_ octets: [UInt8], of reading: BloodPressureReading) throws -> HealthRecord {
    guard case .record(let record) = reading.result(of: octets, at: received) else {
      throw RefusedReading(reason: .malformed, message: "no record", frame: octets)
    }
    return record
  }

  @Test func `becomes a record with all that the frame and the device told`() throws {
    // The frame of derdilla/blood-pressure-monitor-fl, ble_measurement_data_test.dart.
    let frame: [UInt8] = [
      0x16, 0x7c, 0, 0x56, 0, 0x61, 0, 0xe8, 0x07, 6, 15, 17, 17, 27, 0x33, 0, 0x27, 0,
    ]
    let record = try record(
      frame,
      of: reading([
        "2A25": "5160400123", "2A24": "UA-651BLE", "2A29": "A&D Medical", "2A26": "BLP008_d016",
      ]))
    #expect(
      record.metrics == [
        Metric(.systolic, 124), Metric(.diastolic, 86), Metric(.meanArterialPressure, 97),
        Metric(.pulse, 51),
      ])
    #expect(record.time.start == Date(timeIntervalSince1970: 1_718_464_647))  // 15:17:27 UTC
    #expect(record.time.origin == .device)
    #expect(record.time.deviceTime?.description == "2024-06-15T17:17:27")
    #expect(record.time.utcOffsetSeconds == 7200)
    #expect(record.time.received == received)
    #expect(
      record.tags.map(\.name) == [
        "body_movement", "cuff_too_loose", "irregular_pulse", "improper_position",
      ])
    #expect(
      record.source.device
        == SourceDevice(
          id: "5160400123", manufacturer: "A&D Medical", model: "UA-651BLE",
          serialNumber: "5160400123", firmwareRevision: "BLP008_d016", peripheralID: 2))
    #expect(record.logID.count == 32)
  }

  @Test func `has the same identifier whoever reads it and whenever`() throws {
    let frame = BloodPressureFrames.capturedUA651BLE[2]
    let here = try record(frame, of: reading())
    var elsewhere = reading()
    elsewhere = BloodPressureReading(
      peripheral: .genericBloodPressure, facts: elsewhere.facts, zone: .gmt)
    let there = try #require(
      {
        if case .record(let record) = elsewhere.result(of: frame, at: .now) { record } else { nil }
      }())
    #expect(here.logID == there.logID)
    #expect(try record(frame, of: reading(["2A25": "5160400124"])).logID != here.logID)
    #expect(try record(BloodPressureFrames.capturedUA651BLE[3], of: reading()).logID != here.logID)
  }

  @Test func `is never merged with another one when the device has no clock`() throws {
    let frame: [UInt8] = [0x14, 0x78, 0, 0x50, 0, 0x5d, 0, 0x40, 0, 0, 0]
    let first = try record(frame, of: reading())
    #expect(first.time.origin == .received)
    #expect(first.time.start == received)
    #expect(try record(frame, of: reading()).logID != first.logID)
  }

  @Test func `has no mean pressure when the device sends 0 for it`() throws {
    let record = try record(BloodPressureFrames.composedBM54[1], of: reading())
    #expect(record.value(.meanArterialPressure) == nil)
    #expect(record.value(.systolic) == 132)
    #expect(record.tags.map(\.name) == ["irregular_pulse"])
    #expect(record.source.device?.userSlot == 0)
  }

  @Test func `is converted from kilopascal`() throws {
    // 16.3 kPa, 10.7 kPa, mean 12.6 kPa: 0xF0A3, 0xF06B, 0xF07E.
    let record = try record([0x01, 0xa3, 0xf0, 0x6b, 0xf0, 0x7e, 0xf0], of: reading())
    #expect(record.value(.systolic) == 122.26)
    #expect(record.value(.diastolic) == 80.26)
    #expect(record.value(.meanArterialPressure) == 94.51)
  }

  @Test(arguments: [
    (BloodPressureFrames.capturedUA651BLE[0], RefusedReading.Reason.failedMeasurement),
    ([0x16, 0x7c, 0], .malformed),
    ([], .malformed),
    ([0x00, 0x20, 0x03, 0x50, 0, 0x5d, 0], .implausible),
  ])
  func `is refused with the reason`(frame: [UInt8], reason: RefusedReading.Reason) throws {
    guard case .refused(let refused) = reading().result(of: frame, at: received) else {
      Issue.record("not refused")
      return
    }
    #expect(refused.reason == reason)
    #expect(refused.frame == frame)
  }

  @Test func `is not made of a frame that a monitor sends while the cuff inflates`() {
    let frame: [UInt8] = [0x00, 0x78, 0, 0, 0, 0xff, 0x07]
    #expect(reading().result(of: frame, at: received) == .interim)
  }
}

@Suite struct `Reading clock` {
  private let shown = LocalDateTime("2024-06-15T17:17:27")

  private func time(
    _ shown: LocalDateTime?, drift: Double? = nil
  ) -> RecordTime {
    ReadingClock(zone: berlin, driftSeconds: drift).time(shown, received: received)
  }

  @Test func `takes a small drift as it is, so that reading twice makes the same time twice`() {
    let time = time(shown, drift: -599)
    #expect(time.start == Date(timeIntervalSince1970: 1_718_464_647))
    #expect(time.origin == .device)
    #expect(time.clockDriftSeconds == -599)
  }

  @Test func `corrects a large drift`() {
    // The clock is 3 h 2 min behind: the measurement was at 20:19:27, a minute before it was read.
    let time = ReadingClock(zone: berlin, driftSeconds: -10_920)
      .time(shown, received: Date(timeIntervalSince1970: 1_718_475_627))
    #expect(time.start == Date(timeIntervalSince1970: 1_718_475_567))
    #expect(time.origin == .deviceCorrected)
    #expect(time.deviceTime == shown)
  }

  @Test func `disbelieves a time that is still to come`() {
    let time = time(LocalDateTime("2024-06-16T17:50:00"))
    #expect(time.start == received)
    #expect(time.origin == .received)
    #expect(time.deviceTime?.description == "2024-06-16T17:50:00")
  }

  @Test func `disbelieves a date that no calendar has`() {
    #expect(time(LocalDateTime("2024-02-30T00:00:00")).origin == .received)
    #expect(time(nil).origin == .received)
  }
}

@Suite struct `Device facts` {
  private var facts = DeviceFacts(
    identifier: UUID(uuidString: "00000000-0000-0000-0000-00000000002A") ?? UUID())

  @Test mutating func `prefer the serial number for the identity`() {
    #expect(facts.identity == "peripheral:00000000-0000-0000-0000-00000000002A")
    facts.read(
      Attribute("180A", "2A23"), [1, 2, 3, 0xfe, 0xff, 4, 5, 6], at: received, zone: berlin)
    #expect(facts.identity.hasPrefix("system-id:"))
    facts.read(Attribute("180A", "2A25"), Array("77\0\0".utf8), at: received, zone: berlin)
    #expect(facts.identity == "serial://77")
  }

  @Test mutating func `leave out what cannot be decoded`() {
    facts.read(Attribute("180A", "2A25"), [0xff], at: received, zone: berlin)
    facts.read(Attribute("180F", "2A19"), [101], at: received, zone: berlin)
    facts.read(Attribute("1810", "2A08"), [1], at: received, zone: berlin)
    let device = facts.device(.aAndDUA651BLE, userSlot: nil)
    #expect(device.serialNumber == nil)
    #expect(device.batteryPercent == nil)
    #expect(device.model == "UA-651BLE")
    #expect(facts.clockDriftSeconds == nil)
  }

  @Test mutating func `measure how wrong the device's clock is`() {
    // The device shows 17:38:30 when it is 17:40:00 in Berlin.
    facts.read(
      Attribute("1810", "2A08"), [0xe8, 0x07, 6, 15, 17, 38, 30], at: received, zone: berlin)
    #expect(facts.clockDriftSeconds == -90)
  }
}

@Suite struct `Catalogue` {
  @Test func `has the entries by number and by type`() {
    #expect(BluetoothPeripheral.supported.map(\.id) == [2, 3000])
    #expect(BluetoothPeripheral(id: 2)?.name == "A&D UA-651BLE")
    #expect(BluetoothPeripheral(id: 3000)?.name == "Blood pressure monitor")
    #expect(BluetoothPeripheral(id: 1) == nil)
    #expect(BluetoothPeripheral.supported(.bloodPressure).count == 2)
    #expect(BluetoothPeripheral.supported(.thermometer).isEmpty)
  }

  @Test func `tells the user what to do for every entry`() {
    for entry in BluetoothPeripheral.supported {
      #expect(!entry.instructions.isEmpty && !entry.readingInstructions.isEmpty)
      #expect((entry.pairingInstructions != nil) == entry.requiresPairing)
      #expect(entry.connectTimeout > .zero && entry.readTimeout > .zero)
    }
  }

  @Test func `lets an app put its own texts in place of the generic ones`() {
    var entry = BluetoothPeripheral.genericBloodPressure
    entry.manufacturer = "Acme"
    entry.model = "Cuff"
    #expect(entry.name == "Acme Cuff")
  }
}
