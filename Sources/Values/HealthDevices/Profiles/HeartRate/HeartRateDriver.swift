// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

extension DriverModel {
  /// The Heart Rate Profile: chest straps, arm bands and ear clips.
  public static let heartRateProfile = DriverModel(
    id: "heart-rate-profile", name: "Heart Rate Profile",
    required: [.heartRateMeasurement], optional: [.bodySensorLocation],
    confidence: .captured, sources: ["Bluetooth SIG, Heart Rate Profile 1.0"]
  ) { HeartRateDriver($0) }
}

extension GATTAttribute {
  package static let heartRateMeasurement = GATTAttribute("180D", "2A37")
  package static let bodySensorLocation = GATTAttribute("180D", "2A38")
}

/// Drives a heart rate sensor: one reading of a live stream, when the contact has been stable (see
/// ``StableHeartRate``).
package struct HeartRateDriver: DeviceDriver {
  private var setup: StreamSetup
  private var stable = StableHeartRate()
  private var location: BodySensorLocation?
  private var hasReading = false

  package init(_ context: DriverContext) {
    setup = StreamSetup(
      .facts + [.read(.bodySensorLocation), .subscribe(.heartRateMeasurement)], context)
  }

  package var deadline: Duration? { setup.deadline }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch event {
    case .value(.heartRateMeasurement, let bytes): return stream(bytes, at: time.elapsed)
    case .timeReached where setup.isDone:
      return setup.endQuietTime(at: time.elapsed) ? [.finish] : []
    default:
      if case .value(.bodySensorLocation, let bytes) = event {
        location = try? BodySensorLocation(payload: bytes)
      }
      return setup.handle(event, at: time)
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
