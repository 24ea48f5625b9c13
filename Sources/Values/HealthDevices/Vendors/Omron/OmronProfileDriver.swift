// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Omron's monitors that keep to the Blood Pressure Profile.
  package static let omronBloodPressure = DriverModel(
    id: "omron-blood-pressure", name: "Blood Pressure Profile, Omron",
    required: [.bloodPressureMeasurement],
    optional: [.currentTime, .omronRecordAccess],
    confidence: .agreed,
    sources: [
      "StanfordSpezi/SpeziDevices", "weliem/blessed-android-coroutines", "wildcommitter/omron-rs",
    ],
    // From 0 or from 1, by model.
    userNumbering: .notPublic
  ) { OmronProfileDriver($0) }
}

extension GATTAttribute {
  /// By this the BP7900 gives out what it keeps.
  package static let omronRecordAccess = GATTAttribute("1810", "2A52")
}

/// Drives an Omron monitor that keeps to the Blood Pressure Profile.
///
/// Its clock takes a new time only after it was read, and only when that is far off. The
/// monitor disconnects by itself; a host that does so first may lose the bond.
package struct OmronProfileDriver: DeviceDriver {
  /// How far the clock may be off, in seconds.
  private static let tolerance = 600.0
  /// Far longer than the monitor stays silent before it disconnects.
  private static let quietTime = Duration.seconds(30)
  private static let reportAll: [UInt8] = [0x01, 0x01]
  /// Success, that the request is not known in one way or another, No Records Found; see Record
  /// Access Control Point.
  private static let endOfMemory = 0x01...0x06 as ClosedRange<UInt8>
  private static let incomplete = DriverFailure(
    .communication, "The monitor did not send all that it keeps. Read it again.")

  private enum State {
    /// Reading facts, subscribing to measurements. Next: receiving, over.
    case preparing
    /// Clock and history are asked for, measurements come. Next: over.
    case receiving(quietUntil: Duration)
    /// A late measurement is still delivered. Next: none.
    case over
  }

  private let context: DriverContext
  private var steps: DriverSteps
  private var state = State.preparing
  private var isClockRight = false
  /// The memory was asked for, and the device has not said yet that it sent all of it.
  private var awaitsMemory = false

  package init(_ context: DriverContext) {
    self.context = context
    steps = DriverSteps(.bloodPressureMeasurements, having: context)
  }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .receiving(let instant): instant
    case .over: nil
    }
  }

  package var isComplete: Bool { !awaitsMemory }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (_, .value(.bloodPressureMeasurement, let bytes)):
      if case .receiving = state { heard(at: time) }
      return DeviceReading(bloodPressureMeasurement: bytes).map { [.deliver($0)] } ?? []
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (.receiving(let instant), .timeReached):
      guard time.elapsed >= instant else { return [] }
      state = .over
      return [awaitsMemory ? .fail(Self.incomplete) : .finish]
    case (.receiving, .value(.currentTime, let bytes)):
      heard(at: time)
      return clockShown(bytes, at: time)
    case (.receiving, .written(.currentTime)): return [.fact(.clockSet)]
    case (.receiving, .writeFailed(.omronRecordAccess, _)):
      awaitsMemory = false
      return []
    case (.receiving, .value(.omronRecordAccess, let bytes)):
      heard(at: time)
      return memoryAnswered(bytes)
    case (.receiving, .subscribed(.omronRecordAccess)):
      awaitsMemory = true
      return [.write(.omronRecordAccess, Self.reportAll)]
    default: return []
    }
  }

  /// Response Code, Null, Report Stored Records, how it went.
  private mutating func memoryAnswered(_ bytes: [UInt8]) -> [DriverAction] {
    guard bytes.count >= 4, bytes[0] == 0x06, bytes[2] == Self.reportAll[0] else { return [] }
    awaitsMemory = false
    guard !Self.endOfMemory.contains(bytes[3]) else { return [] }
    state = .over
    return [.fail(Self.incomplete)]
  }

  private mutating func heard(at time: DriverTime) {
    state = .receiving(quietUntil: time.elapsed + Self.quietTime)
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    guard steps.isDone else { return actions }
    heard(at: time)
    var wanted = [GATTAttribute.currentTime]
    if context.purpose == .read { wanted.append(.omronRecordAccess) }
    return actions + [context.purpose == .pair ? .paired : .ready]
      + wanted.filter(context.has).map { .subscribe($0) }
  }

  private mutating func clockShown(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard !isClockRight else { return [] }
    isClockRight = true
    let attribute = GATTAttribute.currentTime
    let write = DeviceClock.bytes(for: attribute, at: time).map {
      [DriverAction.write(attribute, $0)]
    }
    guard let shown = DeviceClock.shown(attribute, bytes)?.secondsSince1970 else {
      return [.fact(.clockNotSet)] + (write ?? [])
    }
    let drift = (Double(shown) - time.localSecondsSince1970).rounded()
    return [.fact(.clockDrift(seconds: drift))] + (abs(drift) > Self.tolerance ? write ?? [] : [])
  }
}
