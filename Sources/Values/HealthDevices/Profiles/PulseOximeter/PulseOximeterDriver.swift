// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// The Pulse Oximeter Profile with finished readings, whether or not it also streams.
  public static let pulseOximeterSpotCheck = DriverModel(
    id: "pulse-oximeter-spot-check", name: "Pulse Oximeter Profile, spot-check",
    required: [.plxSpotCheckMeasurement],
    optional: [.plxContinuousMeasurement, .plxRecordAccess, .currentTime],
    confidence: .captured, sources: ["Bluetooth SIG, Pulse Oximeter Profile 1.0"]
  ) { PulseOximeterDriver($0) }

  /// The Pulse Oximeter Profile of a device that only streams.
  public static let pulseOximeterContinuous = DriverModel(
    id: "pulse-oximeter-continuous", name: "Pulse Oximeter Profile, continuous",
    required: [.plxContinuousMeasurement], optional: [.currentTime],
    confidence: .captured, sources: ["Bluetooth SIG, Pulse Oximeter Profile 1.0"]
  ) { PulseOximeterDriver($0) }
}

extension GATTAttribute {
  package static let plxSpotCheckMeasurement = GATTAttribute("1822", "2A5E")
  package static let plxContinuousMeasurement = GATTAttribute("1822", "2A5F")
  package static let plxRecordAccess = GATTAttribute("1822", "2A52")
}

/// Drives an oximeter of the Pulse Oximeter Profile.
///
/// A spot-check measurement is a reading as it comes. Of a stream one reading is taken, when it is
/// stable (see ``StableValue``); where the device also sends spot-checks, the stream's reading
/// waits for the spot-check that is about to follow, and is dropped when it comes.
package struct PulseOximeterDriver: DeviceDriver {
  /// How long the reading of a stream waits for the spot-check.
  package static let spotCheckTimeout = Duration.seconds(10)

  /// Stored spot-checks are all reported on request; none is ever deleted.
  private static let reportAll = DriverAction.write(.plxRecordAccess, [0x01, 0x01])
  /// Success, that the request is not known in one way or another, No Records Found; see Record
  /// Access Control Point.
  private static let endOfMemory = 0x01...0x06 as ClosedRange<UInt8>

  private let hasSpotCheck: Bool
  private var setup: StreamSetup
  private var live = LiveOximetry()
  private var streamed: (reading: DeviceReading, until: Duration)?
  private var hasReading = false
  /// The memory was asked for, and the device has not said yet that it sent all of it.
  private var awaitsMemory = false

  package init(_ context: DriverContext) {
    hasSpotCheck = context.has(.plxSpotCheckMeasurement)
    setup = StreamSetup(
      [.setClock(.currentTime, tolerance: 1)] + .facts + [
        .subscribe(.plxSpotCheckMeasurement), .subscribe(.plxContinuousMeasurement),
        .subscribe(.plxRecordAccess), .attempt(.plxRecordAccess, [0x01, 0x01]),
      ], context)
  }

  package var deadline: Duration? {
    guard setup.isDone else { return setup.deadline }
    let limit = hasReading || streamed != nil ? nil : live.limit
    return [setup.deadline, streamed?.until, limit].compactMap { $0 }.min()
  }

  package var isComplete: Bool { !awaitsMemory }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch event {
    case .value(.plxSpotCheckMeasurement, let bytes): return spotCheck(bytes, at: time.elapsed)
    case .value(.plxContinuousMeasurement, let bytes): return stream(bytes, at: time.elapsed)
    case .value(.plxRecordAccess, let bytes):
      memoryAnswered(bytes)
      return []
    case .timeReached where setup.isDone: return timeReached(time.elapsed)
    case .ended: return deliverHeld()
    default: return prepare(event, at: time)
    }
  }

  private mutating func prepare(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    if case .writeFailed(.plxRecordAccess, _) = event { awaitsMemory = false }
    let actions = setup.handle(event, at: time)
    if actions.contains(Self.reportAll) { awaitsMemory = true }
    return actions
  }

  /// Response Code, Null, Report Stored Records, how it went.
  private mutating func memoryAnswered(_ bytes: [UInt8]) {
    guard bytes.count >= 4, bytes[0] == 0x06, bytes[2] == 0x01 else { return }
    if Self.endOfMemory.contains(bytes[3]) { awaitsMemory = false }
  }

  private mutating func spotCheck(_ bytes: [UInt8], at now: Duration) -> [DriverAction] {
    streamed = nil
    hasReading = true
    setup.beginQuietTime(at: now)
    do throws(PayloadError) {
      let measurement = try PLXSpotCheckMeasurement(payload: bytes)
      let fact: [DriverAction] = measurement.isDeviceClockSet ? [] : [.fact(.clockNotSet)]
      return fact + [.deliver(DeviceReading(measurement))]
    } catch {
      return [.deliver(DeviceReading(error, payload: bytes))]
    }
  }

  private mutating func stream(_ bytes: [UInt8], at now: Duration) -> [DriverAction] {
    guard !hasReading, streamed == nil,
      let measurement = try? PLXContinuousMeasurement(payload: bytes),
      let moment = measurement.moment, live.reading(moment, at: now) != nil
    else { return [] }
    let reading = DeviceReading(measurement)
    guard !hasSpotCheck else {
      streamed = (reading, now + Self.spotCheckTimeout)
      return []
    }
    hasReading = true
    return [.deliver(reading), .finish]
  }

  private mutating func timeReached(_ now: Duration) -> [DriverAction] {
    if let streamed, now >= streamed.until {
      self.streamed = nil
      hasReading = true
      return [.deliver(streamed.reading), .finish]
    }
    if let limit = live.limit, !hasReading, streamed == nil, now >= limit {
      hasReading = true
      return [.deliver(LiveOximetry.unsteady), .finish]
    }
    return setup.endQuietTime(at: now) ? deliverHeld() + [.finish] : []
  }

  /// What waits for a spot-check is a reading when none can come any more.
  private mutating func deliverHeld() -> [DriverAction] {
    defer { streamed = nil }
    return streamed.map { [.deliver($0.reading)] } ?? []
  }
}
