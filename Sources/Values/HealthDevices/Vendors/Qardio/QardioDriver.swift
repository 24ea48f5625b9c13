// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// QardioArm, which is started with its own button.
  ///
  /// Its control characteristic can inflate the cuff and is left alone.
  package static let qardioArm = DriverModel(
    id: "qardio-arm", name: "Blood Pressure Profile, QardioArm",
    required: [.bloodPressureMeasurement, .qardioControl],
    confidence: .single, sources: ["ptylr/LibreArm"], userNumbering: .notPublic
  ) { QardioDriver($0) }
}

extension GATTAttribute {
  /// Distinguishes QardioArm from other monitors; it is never written.
  package static let qardioControl = GATTAttribute("1810", "583CB5B3-875D-40ED-9098-C39EB0C1983D")
}

/// Drives a QardioArm, which indicates its cuff's pressure all the while it measures.
///
/// Frames without a diastolic pressure are on the way; of those with one the last before a silence
/// is the result.
package struct QardioDriver: DeviceDriver {
  private static let silence = Duration.milliseconds(1500)

  private enum State {
    /// Reading facts, subscribing. Next: measuring, settling, over.
    case preparing
    /// Nothing came that could be a result. Next: settling, delivered.
    case measuring
    /// A frame came that may be the result. Next: settling, delivered.
    case settling(DeviceReading, until: Duration)
    /// The result, or that there is none, was delivered. Next: settling, for another measurement.
    case delivered(quietUntil: Duration)
    /// The device was paired.
    case over
  }

  private let purpose: DriverContext.Purpose
  private var steps: DriverSteps
  private var state = State.preparing
  /// What may be the result, and came before the steps were done.
  private var early: DeviceReading?

  package init(_ context: DriverContext) {
    purpose = context.purpose
    steps = DriverSteps(.bloodPressureMeasurements, having: context)
  }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .measuring, .over: nil
    case .settling(_, let instant), .delivered(let instant): instant
    }
  }

  package var isComplete: Bool {
    if case .delivered = state { true } else { false }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.over, _): return []
    case (_, .value(.bloodPressureMeasurement, let bytes)): return received(bytes, at: time)
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, .ended): return takeEarly().map { .deliver($0) }
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (.settling(let reading, let instant), .timeReached) where time.elapsed >= instant:
      state = .delivered(quietUntil: time.elapsed + PushDriver.quietTime)
      return [.deliver(reading)]
    // The monitor may leave as soon as it has sent its result.
    case (.settling(let reading, _), .ended):
      state = .delivered(quietUntil: time.elapsed)
      return [.deliver(reading)]
    case (.delivered(let instant), .timeReached) where time.elapsed >= instant: return [.finish]
    default: return []
    }
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    guard steps.isDone else { return actions }
    guard purpose == .read else {
      state = .over
      return actions + takeEarly().map { DriverAction.deliver($0) } + [.paired, .finish]
    }
    state = takeEarly().first.map { settling($0, at: time) } ?? .measuring
    return actions + [.ready]
  }

  /// What came early, if anything.
  private mutating func takeEarly() -> [DeviceReading] {
    defer { early = nil }
    return early.map { [$0] } ?? []
  }

  private func settling(_ reading: DeviceReading, at time: DriverTime) -> State {
    .settling(reading, until: time.elapsed + Self.silence)
  }

  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let reading = DeviceReading(bloodPressureMeasurement: bytes) else { return [] }
    guard reading.rejection == nil else { return refused(reading, at: time) }
    if case .preparing = state { early = reading } else { state = settling(reading, at: time) }
    return []
  }

  /// It does not take the place of a result that waits.
  private mutating func refused(_ reading: DeviceReading, at time: DriverTime) -> [DriverAction] {
    switch state {
    // The result may follow a frame that was cut.
    case .measuring where reading.rejection?.reason != .malformed:
      state = .delivered(quietUntil: time.elapsed + PushDriver.quietTime)
    default: break
    }
    return [.deliver(reading)]
  }
}
