// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SantorioJSON

/// Records as data points of IEEE 1752.1 and Open mHealth.
///
/// A data point has a header of IEEE 1752.1 and a body of one of these schemas:
/// - **omh** blood-pressure 4.0 (systolic and diastolic together), blood-glucose 4.0,
///   body-temperature 4.0, body-weight 3.0, body-height 2.0, body-mass-index 3.0,
///   body-fat-percentage 2.0, heart-rate 2.0, rr-interval 1.0 (a heart rate variability is its
///   standard deviation), oxygen-saturation 2.0, respiratory-rate 2.0, calories-burned 2.0,
///   forced-vital-capacity 1.0, forced-expiratory-volume-1-second 1.0;
/// - **ieee** physical-activity 1.0 (a workout, the activity of a day, a point of a series of steps
///   or of distances), sleep-episode 1.0 and time-in-bed 1.0 (a night).
///
/// A point of a series and a reading of a glucose monitor is a data point of its own. A value is
/// written in the unit of its metric where the schema knows it, and is else converted. Lowest,
/// average and highest values have a `descriptive_statistic`. The modality is `sensed` where a
/// device made the value, `self-reported` where a person did, and else not said.
///
/// The schemas have no words for doubt: what they cannot say truthfully is left out, and
/// ``OpenMHealthResult/omissions`` names it. That is every metric without a schema; HI, LO and other
/// missing values; bounds; early estimates; what is doubted, by the device or because no living
/// person has such a value; units that cannot be converted; amounts without a span of time; rejected
/// readings; and all of a record whose device sent a time that was not believed, since its time is
/// that of its receipt. Findings, remarks, extras, parts of meals and images have no place either,
/// apart from the specimen of a glucose, its relation to a meal or to sleep, and the place where a
/// temperature was measured.
///
/// These have no place and are not among the omissions: the clock that the time came from; the
/// device; the name, the category and the intensity of a record (a workout's activity is its
/// category, or its name where it has none; an intensity is written where a person entered all);
/// the mark of validation; the server's identifier; the time that a glucose monitor displayed and
/// whether its reading was scheduled.
///
/// The time of creation in the header is the last change of a record, else its receipt, else its
/// end. The header's `uuid` is made from the subject, the ``HealthRecord/logID``, the part of the
/// record, and ``HealthRecord/lastUpdated``: a record that is converted again makes the same data
/// points, and a record that was corrected makes others, as IEEE 1752.1 demands.
public struct OpenMHealthEncoder: Hashable, Sendable {
  /// The person that the records are about, in any words; it is not written, and makes the data
  /// points of two persons differ whose records have one ``HealthRecord/logID``.
  public var subject: String

  /// Makes an encoder.
  ///
  /// - Parameter subject: The person that the records are about; see ``subject``.
  public init(subject: String = "") { self.subject = subject }

  /// The data points of a record, and what of it has no place in them.
  ///
  /// - Parameter record: The record.
  /// - Returns: The data points, of which there may be none.
  /// - Throws: ``RecordError`` when the record is not valid, or a time lies beyond the years 1600 to
  ///   9999.
  public func dataPoints(of record: HealthRecord) throws(RecordError) -> OpenMHealthResult {
    try record.validate()
    var conversion = OpenMHealthConversion(record)
    conversion.run()
    let dates = conversion.points.flatMap { [$0.start, $0.end, $0.created(of: record)] }
    guard dates.allSatisfy(FHIRTime.isPossible) else {
      throw RecordError(.invalidValue, at: "start_time", "must lie in the years 1600 to 9999")
    }
    let texts = conversion.points.map { point in
      var json = JSONWriter()
      point.write(to: &json, of: record, subject: subject)
      return json.bytes
    }
    return OpenMHealthResult(dataPoints: texts, omissions: conversion.omissions)
  }
}

/// The data points of a record, and what of it has no place in them.
public struct OpenMHealthResult: Hashable, Sendable {
  /// The JSON text of each data point, without line breaks.
  public let dataPoints: [[UInt8]]
  /// What is left out, in the order in which it was met.
  public let omissions: [OpenMHealthOmission]
}
