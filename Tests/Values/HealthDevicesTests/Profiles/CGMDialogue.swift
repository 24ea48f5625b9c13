// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

/// A driver and the events that a test makes up, on a clock of its own, at 12:00 UTC on 29 March
/// 2026.
struct CGMDialogue {
  private var driver: CGMDriver
  private var seconds = 0.0
  private let utcOffsetSeconds: Int

  /// 29 March 2026, 11:00 UTC: an hour before the dialogue.
  static let start = 1_774_782_000

  init(
    purpose: DriverContext.Purpose = .read, checkpoints: [SyncCheckpoint] = [],
    hasRunTime: Bool = false, utcOffsetSeconds: Int = 0
  ) {
    var attributes = Set(DriverModel.continuousGlucoseProfile.required)
    if hasRunTime { attributes.insert(.cgmSessionRunTime) }
    driver = CGMDriver(
      DriverContext(purpose: purpose, attributes: attributes, checkpoints: checkpoints))
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  var deadline: Duration? { driver.deadline }
  var isComplete: Bool { driver.isComplete }

  mutating func hear(_ event: DriverEvent, at seconds: Double? = nil) -> [DriverAction] {
    self.seconds = seconds ?? self.seconds
    return driver.handle(
      event,
      at: DriverTime(
        elapsed: .seconds(self.seconds), secondsSince1970: 1_774_785_600 + self.seconds,
        utcOffsetSeconds: utcOffsetSeconds))
  }

  mutating func hear(_ attribute: GATTAttribute, _ hexadecimal: String) throws -> [DriverAction] {
    hear(.value(attribute, try bytes(hexadecimal)))
  }

  /// Up to what comes after the subscriptions, which is returned.
  ///
  /// A sensor says by default that it has none of the features, and that it began an hour ago.
  mutating func prepare(
    feature: String = "000000 59 FFFF", status: String = "3C00 000000",
    start: String = "EA07031D0B0000 00 00"
  ) throws -> [DriverAction] {
    #expect(hear(.begun) == [.read(.cgmFeature)])
    #expect(try hear(.cgmFeature, feature) == [.read(.cgmStatus)])
    #expect(try hear(.cgmStatus, status) == [.read(.cgmSessionStartTime)])
    #expect(try hear(.cgmSessionStartTime, start) == [.subscribe(.cgmMeasurement)])
    #expect(hear(.subscribed(.cgmMeasurement)) == [.subscribe(.cgmRecordAccess)])
    return hear(.subscribed(.cgmRecordAccess))
  }

  /// 95 and 104 mg/dL, five and ten minutes after the session began, in one notification.
  static let twoRecords = "06 00 5F00 0500 06 00 6800 0A00"
  /// CGM Session Start Time of a sensor that was not given the time.
  static let unset = "00000000000000 00 00"

  /// The session of the dialogue.
  static let session = CGMSession(start: start, scale: .universal)

  /// What an earlier reading kept that ended with a glucose at a minute.
  static func checkpoints(_ glucose: UInt16, at minute: UInt16) -> [SyncCheckpoint] {
    let record = CGMRecord(
      concentration: MedicalFloat16(rawValue: glucose), timeOffset: minute)
    let key = CheckpointKey()
    let transfer = CGMTransfer(session, since: nil, now: 60, key: key)
    return [session.checkpoint(key: key), transfer.checkpoint(of: record)]
  }
}

/// A write to the control point for records.
func cgmRequest(_ hexadecimal: String) throws -> [DriverAction] {
  [.write(.cgmRecordAccess, try bytes(hexadecimal))]
}

/// A write of the present time.
func cgmTime(_ hexadecimal: String) throws -> [DriverAction] {
  [.write(.cgmSessionStartTime, try bytes(hexadecimal))]
}

extension [DriverAction] {
  var failureKind: DriverFailure.Kind? {
    if case .fail(let failure)? = last { failure.kind } else { nil }
  }

  /// How far a transfer has come, by the minutes of its records.
  var reached: [Int] {
    compactMap {
      if case .advance(let checkpoint) = $0, checkpoint.memory.isEmpty {
        checkpoint.sequenceNumber
      } else {
        nil
      }
    }
  }

  var checkpoints: [SyncCheckpoint] {
    compactMap { if case .advance(let checkpoint) = $0 { checkpoint } else { nil } }
  }

  var delivered: [DeviceReading] {
    compactMap { if case .deliver(let reading) = $0 { reading } else { nil } }
  }

  var minutes: [Int?] { delivered.map(\.sequenceNumber) }

  var drift: Double? {
    compactMap { if case .fact(.clockDrift(let seconds)) = $0 { seconds } else { nil } }.first
  }

  var writes: [DriverAction] {
    filter { if case .write = $0 { true } else { false } }
  }
}
