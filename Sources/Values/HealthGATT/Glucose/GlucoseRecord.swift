// SPDX-License-Identifier: Apache-2.0

/// A glucose measurement with the context of the same sequence number, if the meter sent one.
public struct GlucoseRecord: Hashable, Sendable {
  /// The measurement.
  public var measurement: GlucoseMeasurement
  /// What was around it; nil when the meter sent no context.
  public var context: GlucoseMeasurementContext?

  /// Creates a record.
  public init(measurement: GlucoseMeasurement, context: GlucoseMeasurementContext? = nil) {
    self.measurement = measurement
    self.context = context
  }

  /// Joins the measurements and contexts of one transfer by sequence number.
  ///
  /// Contexts may come before or after their measurements and without being announced. What was
  /// sent twice is taken once; of several contexts of one number the last is taken. A context
  /// without a measurement is left out.
  ///
  /// - Parameters:
  ///   - measurements: The measurements in the order they came.
  ///   - contexts: The contexts in the order they came.
  /// - Returns: The records in the order in which their measurements came.
  public static func joined(
    _ measurements: [GlucoseMeasurement], with contexts: [GlucoseMeasurementContext]
  ) -> [GlucoseRecord] {
    let bySequenceNumber = Dictionary(
      contexts.map { ($0.sequenceNumber, $0) }, uniquingKeysWith: { _, last in last })
    var seen: Set<GlucoseMeasurement> = []
    return measurements.filter { seen.insert($0).inserted }.map {
      GlucoseRecord(measurement: $0, context: bySequenceNumber[$0.sequenceNumber])
    }
  }
}
