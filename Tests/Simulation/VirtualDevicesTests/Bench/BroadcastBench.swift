// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import VirtualDevices

/// Lets a driver hear what a virtual device broadcasts, several times a second, on a clock of its
/// own.
struct BroadcastBench {
  struct Result {
    var readings: [DeviceReading] = []
    var checkpoints: [SyncCheckpoint] = []
    var isReady = false
    var end: DriverAction?
    var elapsed = Duration.zero
    var heard = 0
    /// What the driver was given and what it did, line by line.
    var transcript = Transcript()
  }

  private let model: BroadcastModel
  private let virtual: VirtualDeviceModel
  private var device: any VirtualDeviceLogic
  private var time = DriverBench.noon
  var checkpoints: [SyncCheckpoint] = []
  var secrets: [DeviceSecret: [UInt8]] = [:]

  init(_ model: BroadcastModel, _ virtual: VirtualDeviceModel, clock: VirtualClock = .init()) {
    self.model = model
    self.virtual = virtual
    device = virtual.make(clock)
  }

  mutating func press(_ input: VirtualDeviceInput) { _ = device.handle(input, at: time) }

  /// Waits without listening.
  mutating func wait(_ duration: Duration) {
    let end = time.elapsed + duration
    while time.elapsed < end { advance() }
  }

  /// Listens until the driver is done or the time is over.
  mutating func listen(limit: Duration = .seconds(30)) -> Result {
    var result = Result()
    var driver = model.make(
      DriverContext(
        attributes: [], name: virtual.advertisedName, checkpoints: checkpoints, secrets: secrets))
    let end = time.elapsed + limit
    let start = time.elapsed
    while result.end == nil, time.elapsed < end {
      advance()
      if let advertisement = advertisement(), model.matches(advertisement) {
        result.heard += 1
        result.transcript.note(advertisement, at: time.elapsed)
        take(driver.handle(advertisement, at: time), &result)
      }
      if result.end == nil, let deadline = driver.deadline, deadline <= time.elapsed {
        take(driver.timeReached(at: time), &result)
      }
    }
    result.elapsed = time.elapsed - start
    checkpoints = result.checkpoints.isEmpty ? checkpoints : result.checkpoints
    return result
  }

  private mutating func advance() {
    time.elapsed += .milliseconds(250)
    time.secondsSince1970 += 0.25
    if let deadline = device.deadline, deadline <= time.elapsed { press(.timeReached) }
  }

  private func advertisement() -> Advertisement? {
    guard device.isAdvertising, let broadcast = device.broadcast else { return nil }
    return Advertisement(
      name: virtual.advertisedName, services: virtual.advertisedServices,
      serviceData: broadcast.serviceData, manufacturerData: broadcast.manufacturerData)
  }

  private func take(_ actions: [DriverAction], _ result: inout Result) {
    for action in actions where result.end == nil {
      result.transcript.note(action, at: time.elapsed)
      switch action {
      case .deliver(let reading): result.readings.append(reading)
      case .advance(let checkpoint): result.checkpoints = [checkpoint]
      case .ready: result.isReady = true
      case .finish, .fail: result.end = action
      default: break
      }
    }
  }
}
