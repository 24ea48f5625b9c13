// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import HealthGATT
package import HealthRecords

/// Makes a record of what a device sent, or refuses it.
package struct ReadingRecord: Sendable {
  package let peripheral: DeviceModel
  package let facts: DeviceProperties
  /// By what the device is recognised, which was decided when it was read first.
  package let identity: DeviceIdentity
  package let zone: TimeZone
  /// The memory slot of the person whose readings are wanted; nil takes those of all.
  package var userSlot: Int?
  /// What is known of the device's clock from earlier connections.
  package var earlierClock: EarlierClock?
  package let clockPolicy: ClockPolicy

  package init(
    peripheral: DeviceModel, facts: DeviceProperties, identity: DeviceIdentity, zone: TimeZone,
    userSlot: Int? = nil, earlierClock: EarlierClock? = nil, clockPolicy: ClockPolicy = .init()
  ) {
    self.peripheral = peripheral
    self.facts = facts
    self.identity = identity
    self.zone = zone
    self.userSlot = userSlot
    self.earlierClock = earlierClock
    self.clockPolicy = clockPolicy
  }

  /// The record of a reading received at `date`.
  package func record(
    of reading: DeviceReading, at date: Date
  ) throws(RejectedReading) -> HealthRecord {
    if let userSlot, let other = reading.userSlot, other != userSlot {
      throw RejectedReading(
        reason: .otherUser, message: "It was measured for another user of the device.",
        frame: reading.payload)
    }
    if let rejection = reading.rejection {
      throw RejectedReading(
        reason: rejection.reason, message: rejection.message, frame: reading.payload)
    }
    let (metrics, tags) = reading.judgedValues
    guard !metrics.isEmpty || reading.series.contains(where: \.hasValues) else {
      throw RejectedReading(
        reason: .noSignal, message: "The device measured nothing. Measure again.",
        frame: reading.payload)
    }
    let series = reading.series.map(\.plausible)
    guard !metrics.isEmpty || series.contains(where: \.hasValues) else {
      throw RejectedReading(
        reason: .implausible,
        message: "All values of the recording are such as no living person has. Measure again.",
        frame: reading.payload)
    }
    var record = record(of: reading, metrics: metrics, series: series, at: date)
    record.tags += tags
    if reading.isUserUnknown {
      record.tags.append(RecordTag(name: HealthRecord.unknownUserTag, value: "true"))
    }
    let gaps = zip(reading.series, series).reduce(0) { $0 + $1.0.valueCount - $1.1.valueCount }
    if gaps > 0 {
      record.tags.append(RecordTag(name: "implausible_values_left_out", value: "\(gaps)"))
    }
    return record
  }

  private func record(
    of reading: DeviceReading, metrics: [Metric], series: [DeviceReading.Series], at date: Date
  ) -> HealthRecord {
    let time = time(of: reading, received: date)
    let recordIdentity = RecordIdentity(
      device: identity.text, userSlot: reading.userSlot, sequenceNumber: reading.sequenceNumber,
      deviceTime: identityTime(of: reading, time),
      receivedHour: hour(of: reading, time), metrics: reading.values)
    // Without a time, two equal measurements could not be distinguished: rather twice than lost.
    let logID = recordIdentity.isDistinguishing ? recordIdentity.logID : UUID().uuidString
    var record = HealthRecord(
      logID: logID, kind: reading.series.isEmpty ? .measurement : .intraday, time: time,
      source: RecordSource(
        type: .bluetooth,
        device: facts.device(peripheral, id: identity.id, userSlot: reading.userSlot)),
      metrics: metrics,
      series: series.filter(\.hasValues).map { points($0, from: time.start) },
      tags: reading.findings.map { RecordTag(name: $0.name, value: $0.value) })
    if reading.isContinuousGlucose { makeContinuous(&record) }
    record.mealRelationship = reading.mealRelationship
    record.isValidated = true
    record.granularity = reading.granularity
    let durations = reading.series.map { Double(max($0.values.count, 1) - 1) * $0.secondsBetween }
    record.time.end = time.start.addingTimeInterval(durations.max() ?? 0)
    return record
  }

  /// What a device sent and that is no reading, as a record that says why.
  ///
  /// It keeps time, device, findings and bytes: what nobody looks at now may matter later.
  package func record(
    of reading: DeviceReading, rejectedFor rejection: RejectedReading, at date: Date
  ) -> HealthRecord {
    let time = time(of: reading, received: date)
    let bytes = rejection.frame.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    let number = reading.sequenceNumber
    let deviceTime = identityTime(of: reading, time)
    let identity = RecordIdentity(
      device: "\(identity.text)\nrejected \(rejection.reason.rawValue) \(bytes)",
      userSlot: reading.userSlot, sequenceNumber: number, deviceTime: deviceTime,
      // Without either, equal frames of one hour are taken for one.
      receivedHour: number == nil && deviceTime == nil
        ? Int((date.timeIntervalSince1970 / 3600).rounded(.down)) : nil, metrics: [])
    var record = HealthRecord(
      logID: identity.logID, kind: .rejected, time: time,
      source: RecordSource(
        type: .bluetooth,
        device: facts.device(peripheral, id: self.identity.id, userSlot: reading.userSlot)),
      metrics: [],
      tags: [RecordTag(name: "rejected", value: rejection.reason.rawValue)]
        + reading.findings.map { RecordTag(name: $0.name, value: $0.value) })
    record.extras = ["message": .text(rejection.message), "payload": .text(bytes)]
    return record
  }

  /// Makes a record of the kind `cgm`: the glucose is in the log of the sensor's readings.
  private func makeContinuous(_ record: inout HealthRecord) {
    let isGlucose = { (metric: Metric) in metric.type == .bloodGlucose }
    let readings = record.metrics.filter(isGlucose).map { metric in
      var reading = GlucoseReading(
        time: record.time.start, value: metric.value, isScheduled: true, deviceID: identity.id)
      (reading.absence, reading.bound) = (metric.absence, metric.bound)
      return reading
    }
    guard !readings.isEmpty else { return }
    record.kind = .cgm
    record.metrics.removeAll(where: isGlucose)
    record.series.append(MetricSeries(readings))
    record.source.devices = record.source.device.map { [identity.id: $0] } ?? [:]
  }

  /// The device's time by which a measurement is recognised when it is read again.
  ///
  /// An age grows until then, so the time that one stands for is none.
  private func identityTime(of reading: DeviceReading, _ time: RecordTime) -> LocalDateTime? {
    if let given = reading.identityTime { return given }
    if case .age = reading.clock { return nil }
    return time.deviceTime
  }

  /// The hour of receipt for a clock that has just begun anew: one that stops with the device shows
  /// the same time of each measurement.
  private func hour(of reading: DeviceReading, _ time: RecordTime) -> Int? {
    guard time.origin == .received, reading.sequenceNumber == nil, reading.identityTime == nil,
      let shown = identityTime(of: reading, time), shown.month == 1, shown.day == 1,
      shown.hour == 0,
      shown.year < 2010 || Self.firstYears.contains(shown.year)
    else { return nil }
    return Int((time.received.timeIntervalSince1970 / 3600).rounded(.down))
  }

  /// The years with which clocks of devices are known to begin.
  ///
  /// A New Year's Day of another year may be a real one, which a device sends again with all of its
  /// memory.
  private static let firstYears: Set = [2010, 2014, 2016, 2022]

  private func time(of reading: DeviceReading, received: Date) -> RecordTime {
    let clock = ReadingClock(
      zone: zone, driftSeconds: facts.clockDriftSeconds, isUnset: facts.isClockUnset,
      earlier: earlierClock, policy: clockPolicy)
    switch reading.clock {
    case .local(let time):
      return clock.time(time, received: received)
    case .universal(let seconds):
      return clock.time(universal: Date(timeIntervalSince1970: seconds), received: received)
    case .age(let seconds):
      return clock.time(age: seconds, received: received)
    case nil: return clock.time(nil, received: received)
    }
  }

  private func points(_ series: DeviceReading.Series, from start: Date) -> MetricSeries {
    let start = start.roundedToMilliseconds
    let points = series.values.enumerated().compactMap { index, value in
      value.map {
        DataPoint(
          time: start.addingTimeInterval(Double(index) * series.secondsBetween), value: $0)
      }
    }
    return MetricSeries(series.type, points)
  }
}

extension DeviceReading {
  /// The values for the record, and what is to be said of them.
  ///
  /// What no living person has is delivered and tagged, since the sickest have values that nobody
  /// expected. Only what the device has computed from a measured value is left out then.
  fileprivate var judgedValues: (metrics: [Metric], tags: [RecordTag]) {
    let values = values.map(\.finite)
    let (bad, good) = (values.filter { !$0.isPlausible }, values.filter(\.isPlausible))
    let leftOut = good.isEmpty ? [] : bad.filter { Self.computed.contains($0.type) }
    let metrics = values.filter { !leftOut.contains($0) }
    let tagged = bad.filter { !leftOut.contains($0) }
    return (
      metrics,
      tagged.map { RecordTag(name: HealthRecord.implausibleTag, value: $0.type.rawValue) }
        + leftOut.map { RecordTag(name: "implausible_metric_left_out", value: $0.type.rawValue) }
    )
  }

  /// What a scale computes from weight, impedance and the user's data.
  private static let computed: Set<MetricType> = [
    .bmi, .bodyFat, .bodyFatMass, .bodyLeanMass, .massWeight, .bodyMuscle, .bodyMuscleMass,
    .bodyWater, .bodyWaterMass, .bodyBone, .bodyBoneMass, .softLeanMass, .visceralFat,
    .basalMetabolicRate,
  ]
}

extension DeviceReading {
  /// The distance of the values of all recordings, where it is one and of whole seconds.
  fileprivate var granularity: Granularity? {
    let distances = Set(series.map(\.secondsBetween))
    guard distances.count == 1, let seconds = distances.first.flatMap(Int.init(exactly:)),
      (1...86_400).contains(seconds)
    else { return nil }
    return Granularity(interval: seconds, unit: "s")
  }
}

extension Metric {
  /// The same without a number where the number is none.
  fileprivate var finite: Metric {
    guard let value, !value.isFinite else { return self }
    let absence: Absence = value.isNaN ? .unknown : value > 0 ? .aboveRange : .belowRange
    return Metric(type, absent: absence, unit: unit, origin: origin)
  }
}

extension DeviceReading.Series {
  fileprivate var hasValues: Bool { valueCount > 0 }

  fileprivate var valueCount: Int { values.compactMap(\.self).count }

  /// The same with a gap in place of each value that no living person has: an artefact of movement
  /// does not spoil a whole night.
  fileprivate var plausible: Self {
    let values = values.map { value in value.flatMap { Metric(type, $0).isPlausible ? $0 : nil } }
    return Self(type, secondsBetween: secondsBetween, values: values)
  }
}
