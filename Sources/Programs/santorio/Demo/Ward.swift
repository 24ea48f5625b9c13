// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthGATT
import VirtualDevices

/// The devices of the demonstration, each on its own host of a simulated air.
struct Ward: Sendable {
  private struct Bed {
    let monitor: VirtualBloodPressureMonitor
    let frames: [[UInt8]]
  }

  private let air: SimulatedAir
  private let beds: [Bed]

  /// Sets up the devices and switches them on; those that must be paired can be.
  init(in air: SimulatedAir) {
    self.air = air
    let models = [
      (BloodPressureMonitorModel.ua651BLE(), BloodPressureFrames.capturedUA651BLE),
      (BloodPressureMonitorModel.bm54(), BloodPressureFrames.composedBM54),
    ]
    beds = models.enumerated().map { index, entry in
      let host = air.makeHost(
        named: entry.0.advertisedName, at: SimulatedPosition(x: 2 + Double(index), y: 1))
      let monitor = VirtualBloodPressureMonitor(
        entry.0, managerOptions: host.managerOptions,
        isConnected: { host.connectedPeers.contains($0) })
      monitor.switchOn()
      return Bed(monitor: monitor, frames: entry.1)
    }
    beds.first?.monitor.enterPairingMode()
  }

  /// How many of the frames are readings; the others are failed measurements.
  var readingCount: Int {
    beds.flatMap(\.frames).count { frame in
      (try? BloodPressureMeasurement(payload: frame))?.hasResult ?? false
    }
  }

  /// Lets each device play its frames.
  func measure() {
    for bed in beds { bed.monitor.measure(bed.frames) }
  }

  /// Lets each device play its frames, then takes a new measurement on one of them every few seconds
  /// until the task is cancelled.
  func run() async {
    measure()
    while (try? await air.clock.sleep(for: .seconds(20))) != nil {
      guard let frame = Self.newMeasurement() else { continue }
      beds.randomElement()?.monitor.measure([frame])
    }
  }

  /// A measurement of this moment with values as of a healthy person.
  private static func newMeasurement() -> [UInt8]? {
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
