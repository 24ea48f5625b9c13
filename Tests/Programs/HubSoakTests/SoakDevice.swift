// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import SantorioConcurrency
import VirtualDevices

/// A device of the ward: its clock, its place, and what it has measured.
final class SoakDevice: @unchecked Sendable {
  // What is no constant is touched by the driving task, but for what is in a lock.
  let number: Int
  let kind: SoakKind
  /// Whose it is, with the number of the user in its readings.
  let owners: [(patient: String, user: UInt8?)]
  let host: SimulatedHost
  let device: VirtualDevice
  /// How many of its measurements were sent since the last look.
  private let transferred: Locked<Int>
  private let skew: Locked<Double>
  private var count = 0
  private var measured = 0
  /// Until when it is somewhere else, or has no battery.
  var awayUntil = Date.distantPast
  var deadUntil = Date.distantPast
  /// When it was seen last that it had sent what it had.
  var lastSent = Date.distantPast
  private(set) var isOn = false
  private let ledger: SoakLedger
  private let now: @Sendable () -> Date

  /// How much the clock drifts, in seconds a day.
  let drift: Double

  init(
    _ number: Int, _ kind: SoakKind, of owners: [(patient: String, user: UInt8?)],
    drift: Double, battery: UInt8, in air: SimulatedRadioEnvironment, _ ledger: SoakLedger,
    now: @escaping @Sendable () -> Date
  ) {
    (self.number, self.kind, self.owners, self.drift) = (number, kind, owners, drift)
    (self.ledger, self.now) = (ledger, now)
    let model = kind.model
    let host = air.makeHost(named: model.advertisedName)
    host.advertisingInterval = .seconds(1)
    let (skew, transferred, begin) = (Locked(0.0), Locked(0), now())
    (self.host, self.skew, self.transferred) = (host, skew, transferred)
    var settings = VirtualDevice.Settings()
    settings.clock = air.clock
    settings.now = {
      let time = now()
      return time.addingTimeInterval(
        skew.withLock { $0 } + drift * time.timeIntervalSince(begin) / 86_400)
    }
    settings.batteryPercent = battery
    settings.isConnected = { host.connectedPeers.contains($0) }
    device = VirtualDevice(
      model.numbered("SOAK-\(number)", capacity: kind.capacity) { frame in
        ledger.overwrote(number, frame)
      }, settings: settings, managerOptions: host.managerOptions
    ) { event in
      if case .transferred(let count) = event { transferred.withLock { $0 += count } }
    }
  }

  var model: Int { kind.model.peripheralID }

  /// Whether it has sent measurements since the last call.
  func takeTransferred() -> Bool {
    transferred.withLock { count in
      defer { count = 0 }
      return count > 0
    }
  }

  /// Somebody sets its clock, or its battery was changed.
  func jump(by seconds: Double) { skew.withLock { $0 += seconds } }

  var isInRange: Bool {
    get { host.position.x < 100 }
    set { host.position = SimulatedPosition(x: newValue ? 2 : 10_000) }
  }

  func switchOn() {
    guard !isOn else { return }
    isOn = true
    device.switchOn()
  }

  func switchOff() {
    guard isOn else { return }
    isOn = false
    device.switchOff()
  }

  /// One of its users measures; nil for a stranger.
  func measure(_ owner: Int?) {
    // No two devices measure the same one after the other: readings that are swapped are noticed.
    let values = kind.values(17 * number + count)
    count += 1
    let user = owner.map { owners[$0].user ?? kind.user } ?? 0xFF
    device.measure(VirtualMeasurement(values, user: user))
    let patient = owner.map { owners[$0].patient }
    ledger.add(
      SoakReading(
        device: number, model: model, patient: patient, values: values.text, time: now()))
  }

  /// A measurement fails, which the device keeps; false for a device that does not.
  func failToMeasure() -> Bool {
    guard var frame = kind.failedFrame else { return false }
    // Each at a time of its own.
    (frame[10], frame[12], frame[13]) = (
      UInt8(1 + measured / 3600 % 28), UInt8(measured / 60 % 60), UInt8(measured % 60)
    )
    measured += 1
    device.remember([frame])
    ledger.add(
      SoakReading(
        device: number, model: model, patient: owners[0].patient, values: SoakReading.failed,
        time: now()))
    return true
  }
}
