// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

extension DriverModel {
  /// The Heart Rate Profile: chest straps, arm bands and ear clips.
  package static let heartRateProfile = DriverModel(
    id: "heart-rate-profile", name: "Heart Rate Profile",
    required: [.heartRateMeasurement], optional: [.bodySensorLocation],
    confidence: .captured, sources: ["Bluetooth SIG, Heart Rate Profile 1.0"]
  ) { HeartRateDriver($0) }
}

extension Attribute {
  package static let heartRateMeasurement = Attribute("180D", "2A37")
  package static let bodySensorLocation = Attribute("180D", "2A38")
}

/// Drives a heart rate sensor: one reading of a live stream, when the contact has been stable (see
/// ``StableHeartRate``).
package struct HeartRateDriver: DeviceDriver {
  private let purpose: DriverContext.Purpose
  private var steps: DriverSteps
  private var stable = StableHeartRate()
  private var location: BodySensorLocation?
  private var quietUntil: Duration?
  private var hasReading = false

  package init(_ context: DriverContext) {
    purpose = context.purpose
    steps = DriverSteps(
      .facts + [.read(.bodySensorLocation), .subscribe(.heartRateMeasurement)], having: context)
  }

  package var deadline: Duration? { steps.isDone ? quietUntil : steps.deadline }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch event {
    case .begun: return proceed(steps.begin(at: time), at: time)
    case .value(.heartRateMeasurement, let bytes): return stream(bytes, at: time.elapsed)
    case .timeReached where steps.isDone:
      guard let quietUntil, time.elapsed >= quietUntil else { return [] }
      self.quietUntil = nil
      return [.finish]
    default:
      if case .value(.bodySensorLocation, let bytes) = event {
        location = try? BodySensorLocation(payload: bytes)
      }
      guard !steps.isDone else { return [] }
      return proceed(steps.handle(event, at: time), at: time)
    }
  }

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    if case .fail? = actions.last { return actions }
    guard steps.isDone else { return actions }
    switch purpose {
    case .read: return actions + [.ready]
    case .pair:
      quietUntil = time.elapsed + PushDriver.quietTime
      return actions + [.paired]
    }
  }

  private mutating func stream(_ bytes: [UInt8], at now: Duration) -> [DriverAction] {
    guard !hasReading, let measurement = try? HeartRateMeasurement(payload: bytes),
      let rate = stable.add(measurement, at: now)
    else { return [] }
    hasReading = true
    var reading = DeviceReading(
      [Metric(.pulse, rate)], clock: .age(0), payload: bytes)
    reading.findings = location?.name.map { [.init("sensor_location", $0)] } ?? []
    return [.deliver(reading), .finish]
  }
}

extension BodySensorLocation {
  /// The name of the finding; nil for a reserved value.
  package var name: String? {
    let names = ["other", "chest", "wrist", "finger", "hand", "ear_lobe", "foot"]
    return names.indices.contains(Int(rawValue)) ? names[Int(rawValue)] : nil
  }
}
