// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a continuous glucose monitor says of itself and its session.
package struct CGMSensor: Sendable {
  package private(set) var feature: CGMFeature?
  package private(set) var status: CGMStatus?
  package private(set) var startTime: CGMSessionStartTime?
  package private(set) var runTime: CGMSessionRunTime?

  /// What is read of it, in this order: the feature says which of the others have a check.
  package static let attributes: [GATTAttribute] = [
    .cgmFeature, .cgmStatus, .cgmSessionStartTime, .cgmSessionRunTime,
  ]

  package init() {}

  /// Takes a value.
  ///
  /// - Throws: Why it cannot be taken, among others that it lacks its check.
  package mutating func take(_ attribute: GATTAttribute, _ bytes: [UInt8]) throws(PayloadError) {
    switch attribute {
    case .cgmFeature: feature = try CGMFeature(payload: bytes)
    case .cgmStatus:
      let value = try CGMStatus(payload: bytes)
      try require(value.hasCRC)
      status = value
    case .cgmSessionStartTime:
      let value = try CGMSessionStartTime(payload: bytes)
      try require(value.hasCRC)
      startTime = value
    case .cgmSessionRunTime:
      let value = try CGMSessionRunTime(payload: bytes)
      try require(value.hasCRC)
      runTime = value
    default: break
    }
  }

  /// The records of a notification, each with its check where the sensor sends checks.
  package func records(of bytes: [UInt8]) throws(PayloadError) -> [CGMRecord] {
    let records = try CGMMeasurement(payload: bytes).records
    for record in records { try require(record.hasCRC) }
    return records
  }

  private func require(_ hasCRC: Bool) throws(PayloadError) {
    guard isProtected, !hasCRC else { return }
    throw PayloadError(
      .checksumMismatch, field: "E2E-CRC",
      message: "The sensor protects its values, and this one has no check. Ask for it again.")
  }

  /// Whether its values have a check.
  package var isProtected: Bool { feature?.features.contains(.e2eCRC) ?? false }

  private var sensorStatus: CGMSensorStatus { status?.sensorStatus ?? [] }

  /// Whether its session has ended, so that its minutes do not count on.
  package var isStopped: Bool { sensorStatus.contains(.sessionStopped) }

  /// Whether its battery is nearly empty.
  package var hasLowBattery: Bool { sensorStatus.contains(.deviceBatteryLow) }

  /// Whether it is to be given the time: it has none, or asks for it.
  ///
  /// One whose session has ended would make a wrong start of it.
  package var wantsTime: Bool {
    guard let startTime, !isStopped else { return false }
    return CGMSession(startTime) == nil || sensorStatus.contains(.timeSynchronizationRequired)
  }

  /// Its session; nil when nothing says when that began.
  package func session(at time: DriverTime) -> CGMSession? {
    if let known = startTime.flatMap(CGMSession.init) { return known }
    guard let status, !isStopped else { return nil }
    return CGMSession(minutesAgo: status.timeOffset, at: time)
  }

  /// The bytes that give it the time, with a check or without; nil for a time that none of its
  /// fields can hold.
  package static func present(_ time: DriverTime, hasCRC: Bool) -> [UInt8]? {
    // Summer time is part of the zone: nobody says here how much of it is.
    let quarters = Int8(exactly: (Double(time.utcOffsetSeconds) / 900).rounded())
    let zone = quarters.flatMap { (-48...56).contains($0) ? $0 : nil } ?? 0
    var local = time
    local.utcOffsetSeconds = Int(zone) * 900
    guard let shown = local.local, let dateTime = try? DateTime(shown) else { return nil }
    return CGMSessionStartTime(
      dateTime: dateTime,
      zone: LocalTimeInformation(timeZone: zone, daylightSavingTimeOffset: 0), hasCRC: hasCRC
    ).payload
  }
}
