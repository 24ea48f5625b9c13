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
  package let clockPolicy: ClockPolicy

  package init(
    peripheral: DeviceModel, facts: DeviceProperties, identity: DeviceIdentity, zone: TimeZone,
    userSlot: Int? = nil, clockPolicy: ClockPolicy = .init()
  ) {
    self.peripheral = peripheral
    self.facts = facts
    self.identity = identity
    self.zone = zone
    self.userSlot = userSlot
    self.clockPolicy = clockPolicy
  }

  /// The record of a reading received at `date`.
  package func record(
    of reading: DeviceReading, at date: Date
  ) throws(RejectedReading) -> HealthRecord {
    if let rejection = reading.rejection {
      throw RejectedReading(
        reason: rejection.reason, message: rejection.message, frame: reading.payload)
    }
    if let userSlot, let other = reading.userSlot, other != userSlot {
      throw RejectedReading(
        reason: .otherUser, message: "It was measured for another user of the device.",
        frame: reading.payload)
    }
    let metrics = reading.values
    guard !metrics.isEmpty || reading.series.contains(where: \.hasValues) else {
      throw RejectedReading(
        reason: .noSignal, message: "The device measured nothing. Measure again.",
        frame: reading.payload)
    }
    let series = reading.series.map(\.plausible)
    let hasPlausible = !metrics.isEmpty || series.contains(where: \.hasValues)
    guard metrics.allSatisfy(\.isPlausible), hasPlausible else {
      throw RejectedReading(
        reason: .implausible, message: "A value is one that no living person has. Measure again.",
        frame: reading.payload)
    }
    var record = record(of: reading, metrics: metrics, series: series, at: date)
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
      deviceTime: reading.identityTime ?? time.deviceTime,
      receivedHour: hour(of: reading, time), metrics: metrics)
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
    let durations = reading.series.map { Double(max($0.values.count, 1) - 1) * $0.secondsBetween }
    record.time.end = time.start.addingTimeInterval(durations.max() ?? 0)
    return record
  }

  /// Makes a record of the kind `cgm`: the glucose is in the log of the sensor's readings.
  private func makeContinuous(_ record: inout HealthRecord) {
    let isGlucose = { (metric: Metric) in metric.type == .bloodGlucose }
    let readings = record.metrics.filter(isGlucose).map {
      GlucoseReading(
        time: record.time.start, value: $0.value, isScheduled: true, deviceID: identity.id)
    }
    guard !readings.isEmpty else { return }
    record.kind = .cgm
    record.metrics.removeAll(where: isGlucose)
    record.series.append(MetricSeries(readings))
    record.source.devices = record.source.device.map { [identity.id: $0] } ?? [:]
  }

  /// The hour of receipt for a clock that has just begun anew: one that stops with the device shows
  /// the same time of each measurement.
  private func hour(of reading: DeviceReading, _ time: RecordTime) -> Int? {
    guard time.origin == .received, reading.sequenceNumber == nil, reading.identityTime == nil,
      let shown = time.deviceTime, shown.month == 1, shown.day == 1, shown.hour == 0
    else { return nil }
    return Int((time.received.timeIntervalSince1970 / 3600).rounded(.down))
  }

  private func time(of reading: DeviceReading, received: Date) -> RecordTime {
    let clock = ReadingClock(
      zone: zone, driftSeconds: facts.clockDriftSeconds, isUnset: facts.isClockUnset,
      policy: clockPolicy)
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
    let points = series.values.enumerated().compactMap { index, value in
      value.map {
        DataPoint(
          time: start.addingTimeInterval(Double(index) * series.secondsBetween), value: $0)
      }
    }
    return MetricSeries(series.type, points)
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
