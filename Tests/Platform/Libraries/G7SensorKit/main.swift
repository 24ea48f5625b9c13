// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import G7SensorKit
import LibraryTrial

/// Follows a sensor, as Loop does.
final class Follower: G7SensorDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var found: [String] = []
  private var values: [UInt16] = []
  private var earlier: [UInt16] = []
  private var session: TimeInterval?
  private var ends: [Bool] = []

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// The sensors that were offered; each is taken.
  var sensors: [String] { locked { found } }
  /// The readings received so far, in mg/dL.
  var readings: [UInt16] { locked { values } }
  var backfill: [UInt16] { locked { earlier } }
  var sessionLength: TimeInterval? { locked { session } }
  /// For each disconnect, whether the library takes it for the end of the session.
  var disconnects: [Bool] { locked { ends } }

  func sensorDidConnect(_ sensor: G7Sensor, name: String) {}

  func sensorDisconnected(_ sensor: G7Sensor, suspectedEndOfSession: Bool) {
    locked { ends.append(suspectedEndOfSession) }
  }

  // The library also reports what a peripheral manager has not done that it has replaced by another.
  func sensor(_ sensor: G7Sensor, didError error: any Error) {}

  func sensor(_ sensor: G7Sensor, logComms comms: String) {}

  func sensor(_ sensor: G7Sensor, didRead glucose: G7GlucoseMessage) {
    locked { values.append(glucose.glucose ?? 0) }
  }

  func sensor(_ sensor: G7Sensor, didReadBackfill backfill: [G7BackfillMessage]) {
    locked { earlier += backfill.map { $0.glucose ?? 0 } }
  }

  func sensor(
    _ sensor: G7Sensor, didDiscoverNewSensor name: String, activatedAt: Date
  ) -> Bool {
    locked { found.append(name) }
    return true
  }

  func sensor(_ sensor: G7Sensor, didReceive extendedVersion: ExtendedVersionMessage) {
    locked { session = extendedVersion.sessionLength }
  }

  func sensorConnectionStatusDidUpdate(_ sensor: G7Sensor) {}
}

Trial.run { trial in
  let sensor = trial.onDevice(named: VirtualG7.name) { VirtualG7(on: $0) }
  let follower = Follower()
  var loop: G7Sensor? = G7Sensor(sensorID: nil)
  loop?.delegate = follower
  let app = ManufacturersApp()
  /// Waits while the manufacturer's app asks again and again, as it cannot know who listens.
  @MainActor func expectSoon(_ what: String, _ condition: @MainActor () -> Bool) async throws {
    var count = 0
    try await trial.expectSoon(what) {
      if condition() { return true }
      if count % 400 == 0, app.isReady { app.ask() }
      count += 1
      return false
    }
  }
  try await trial(.adopt) {
    try await expectSoon("the sensor is adopted") { !follower.sensors.isEmpty }
    try trial.expect(follower.sensors, is: [VirtualG7.name])
    try trial.expect(sensor.isConnected, is: true)
  }
  try await trial(.readings) {
    try await expectSoon("a reading, earlier ones and the version") {
      !follower.readings.isEmpty && follower.backfill.count >= 2 && follower.sessionLength != nil
    }
    try trial.expect(Set(follower.readings), is: [123])
    try trial.expect(Array(follower.backfill.prefix(2)), is: [118, 121])
    try trial.expect(follower.sessionLength, is: 907_200)
  }
  try await trial(.follow) {
    sensor.measure(131)
    try await trial.expectSoon("the end of the connection") { follower.disconnects.count == 1 }
    try await expectSoon("the next reading") { follower.readings.last == 131 }
    try trial.expect(follower.disconnects, is: [false])
    try trial.expect(follower.sensors, is: [VirtualG7.name])
    try trial.expect(trial.misuseReports, is: [])
  }
  try await trial(.beside) {
    // The next start of the app: the manufacturer's app has the sensor meanwhile.
    weak var last = loop
    loop = nil
    try await trial.expectSoon("the end of the first run") { last == nil }
    try await trial.expectSoon("the other app's connection") { app.isReady }
    let again = Follower()
    let next = G7Sensor(sensorID: nil)
    next.delegate = again
    try await expectSoon("a reading") { again.readings.last == 131 }
    try trial.expect(again.sensors, is: [VirtualG7.name])
  }
}
