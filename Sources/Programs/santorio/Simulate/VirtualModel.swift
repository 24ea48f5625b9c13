// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthGATT
import VirtualDevices

/// A virtual device that can be put on the air, and the measurements that it keeps at first.
struct VirtualModel: Sendable {
  /// The name on the command line.
  let name: String
  /// One line about it.
  let summary: String
  var model: BloodPressureMonitorModel
  /// Blood Pressure Measurement payloads, oldest first.
  let frames: [[UInt8]]

  /// All of them.
  static let all = [
    VirtualModel(
      name: "ua-651ble",
      summary: "A&D UA-651BLE: bonds, lets its clock be set; plays frames of a real one.",
      model: .ua651BLE(), frames: BloodPressureFrames.capturedUA651BLE),
    VirtualModel(
      name: "bm54",
      summary: "Beurer BM54: bonds, has two users, sends its whole memory each time.",
      model: .bm54(), frames: BloodPressureFrames.composedBM54),
  ]

  /// How many of the frames are readings; the others are failed measurements.
  static func readingCount(_ frames: [[UInt8]]) -> Int {
    frames.count { frame in
      (try? BloodPressureMeasurement(payload: frame))?.hasResult ?? false
    }
  }

  /// A measurement of this moment with values as of a healthy person.
  static func newMeasurement() -> [UInt8]? {
    let parts = Calendar.current.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: Date())
    let systolic = Double.random(in: 108...142).rounded()
    let diastolic = Double.random(in: 66...88).rounded()
    do throws(PayloadError) {
      let time = try DateTime(
        year: parts.year, month: parts.month, day: parts.day, hours: parts.hour ?? 0,
        minutes: parts.minute ?? 0, seconds: parts.second ?? 0)
      return BloodPressureMeasurement(
        systolic: try MedicalFloat16(systolic, exponent: 0),
        diastolic: try MedicalFloat16(diastolic, exponent: 0),
        timeStamp: TimeStamp(time),
        pulseRate: try MedicalFloat16(Double.random(in: 56...84).rounded(), exponent: 0),
        measurementStatus: []
      ).payload
    } catch {
      return nil
    }
  }
}
