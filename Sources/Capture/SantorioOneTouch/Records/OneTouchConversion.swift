// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import ClinicalUnits
public import HealthRecords

/// Makes a record of a result that LifeScan's kit has read.
///
/// The record has the glucose in mg/dL, what the meter showed beside it where that was mmol/L, the
/// meter, and an identifier that is the same each time the result is read, on any phone. HI and LO are
/// bounds of 600 and 20 mg/dL, as with the driver that reads these meters without the kit. The kit may
/// name a meter differently from how it names itself, so a result that both read has two identifiers:
/// use one way for each meter.
public struct OneTouchConversion: Sendable {
  /// The time zone that the meter's clock is in: the phone's.
  public var zone: TimeZone
  /// When results are received.
  public var now: @Sendable () -> Date

  /// Makes a conversion.
  ///
  /// - Parameters:
  ///   - zone: The time zone that the meter's clock is in.
  ///   - now: When results are received.
  public init(zone: TimeZone = .current, now: @escaping @Sendable () -> Date = { Date() }) {
    self.zone = zone
    self.now = now
  }

  /// What LifeScan's meters can measure; beyond it they show LO and HI.
  private static let range = 20.0...600
  /// The same as meters show it that are set to mmol/L.
  private static let millimoles = 1.1...33.3

  /// The record of a result.
  ///
  /// - Parameters:
  ///   - reading: The result.
  ///   - meter: The meter that it was read from.
  /// - Returns: The record.
  /// - Throws: ``RejectedOneTouchReading`` for a result that is no reading of a patient; its
  ///   ``RejectedOneTouchReading/record`` is what to store of it.
  public func record(
    of reading: some OneTouchKitReading, from meter: some OneTouchKitMeter
  ) throws(RejectedOneTouchReading) -> HealthRecord {
    let clock = MeterClock(zone: zone, received: now())
    let time = clock.time(reading.meterTime)
    let device = SourceDevice(
      id: meter.meterSerialNumber, manufacturer: "LifeScan", model: meter.meterModel,
      serialNumber: meter.meterSerialNumber)
    func make(_ kind: RecordKind, _ identity: String, _ metrics: [Metric]) -> HealthRecord {
      let identity = RecordIdentity(
        device: identity, sequenceNumber: reading.meterSequenceNumber,
        deviceTime: clock.identityTime(reading.meterTime), metrics: metrics)
      return HealthRecord(
        // Without a time, two equal results could not be distinguished: rather twice than lost.
        logID: identity.isDistinguishing ? identity.logID : UUID().uuidString, kind: kind,
        time: time, source: RecordSource(type: .bluetooth, device: device), metrics: metrics)
    }
    let identity = "onetouch:\(meter.meterSerialNumber)"
    switch Self.judge(reading) {
    case .success(let (metric, range)):
      var record = make(.measurement, identity, [metric])
      record.glucoseRange = range
      record.mealRelationship = reading.mealMark
      record.isValidated = true
      return record
    case .failure(let refusal):
      var record = make(.rejected, "\(identity)\nrejected \(refusal.reason.rawValue)", [])
      record.tags = [RecordTag(name: "rejected", value: refusal.reason.rawValue)]
      record.extras = ["message": .text(refusal.message)]
      throw RejectedOneTouchReading(
        reason: refusal.reason, message: refusal.message, record: record)
    }
  }

  /// Why a result is no reading.
  private struct Refusal: Error {
    let reason: RejectedOneTouchReading.Reason
    let message: String
  }

  /// The value of a result, and whether it is LO or HI.
  private static func judge(
    _ reading: some OneTouchKitReading
  ) -> Result<(Metric, GlucoseRange?), Refusal> {
    guard !reading.isControlSolutionTest else {
      return .failure(
        Refusal(reason: .control, message: "The control solution was tested. It is no reading."))
    }
    switch reading.meterGlucose {
    case .low: return .success((bound(.below), .low))
    case .high: return .success((bound(.above), .high))
    case .concentration(let concentration): return judge(concentration)
    }
  }

  private static func judge(
    _ concentration: GlucoseConcentration
  ) -> Result<(Metric, GlucoseRange?), Refusal> {
    guard concentration.value.isFinite, concentration.value >= 0 else {
      return .failure(
        Refusal(
          reason: .outOfRange,
          message: "The number cannot be a concentration of glucose. See the meter's memory."))
    }
    guard concentration.value > 0 else {
      return .failure(
        Refusal(
          reason: .failedMeasurement,
          message: "The meter has no value for this test. Test again."))
    }
    let isMillimoles = concentration.unit == .millimolesPerLiter
    let range = isMillimoles ? millimoles : Self.range
    // Converted numbers have more digits than a meter shows.
    let shown = isMillimoles ? (concentration.value * 10).rounded() / 10 : concentration.value
    if shown < range.lowerBound { return .success((bound(.below), .low)) }
    if shown > range.upperBound { return .success((bound(.above), .high)) }
    let value = (concentration.milligramsPerDeciliter * 100).rounded() / 100
    return .success((Metric(.bloodGlucose, value).showing(self.shown(concentration)), nil))
  }

  private static func bound(_ bound: Metric.Bound) -> Metric {
    Metric(
      .bloodGlucose, bound == .above ? range.upperBound : range.lowerBound, bound: bound)
  }

  /// What a meter shows that is set to mmol/L: one digit after the point.
  private static func shown(_ concentration: GlucoseConcentration) -> ShownValue? {
    guard concentration.unit == .millimolesPerLiter else { return nil }
    return ShownValue(
      mantissa: Int((concentration.value * 10).rounded()), exponent: -1,
      unit: concentration.unit.rawValue)
  }
}
