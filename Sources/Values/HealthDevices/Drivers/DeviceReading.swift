// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
package import HealthRecords

/// What a device sent as one measurement, in common units and in the device's own time.
///
/// A driver makes one for every measurement, also for those that are no reading of the user:
/// nothing is dropped without being told. Clocks, plausibility and identifiers are judged later, in
/// one place.
package struct DeviceReading: Hashable, Sendable {
  /// Where a time came from.
  package enum Clock: Hashable, Sendable {
    /// The device's local time, without a zone.
    case local(DateTime)
    /// Seconds since 1970-01-01T00:00:00Z by the device's clock.
    case universal(Double)
    /// So many seconds before it was received.
    case age(Double)
  }

  /// Values at equal distances in time, oldest first; nil where there was no signal.
  package struct Series: Hashable, Sendable {
    package let type: MetricType
    package let secondsBetween: Double
    package let values: [Double?]

    package init(_ type: MetricType, secondsBetween: Double, values: [Double?]) {
      self.type = type
      self.secondsBetween = secondsBetween
      self.values = values
    }
  }

  /// What was measured; in the order of the device.
  package var values: [Metric]
  /// A recording, which begins at ``clock``; empty for a single measurement.
  package var series: [Series] = []
  /// When it was measured; nil when the device does not say.
  package var clock: Clock?
  /// The part of the time that never changes again; where it is nil, it is the time.
  ///
  /// A glucose meter whose user moves the clock tells another time of the same measurement, while
  /// its Base Time stays.
  package var identityTime: DateTime?
  /// The measurement's number on the device, which never changes.
  package var sequenceNumber: Int?
  /// The memory slot, as the device counts it.
  package var userSlot: Int?
  /// Findings by name and value, for instance `irregular_pulse` and `true`.
  package var findings: [Finding] = []
  package var mealRelationship: MealRelationship?
  /// Why it is no reading, and what to do, in English; nil for a reading.
  package var rejection: (RejectedReading.Reason, message: String)? {
    get { rejected.map { ($0.reason, $0.message) } }
    set { rejected = newValue.map { Rejected(reason: $0.0, message: $0.message) } }
  }
  /// The bytes that it was made of.
  package var payload: [UInt8]

  private struct Rejected: Hashable {
    let reason: RejectedReading.Reason
    let message: String
  }

  private var rejected: Rejected?

  /// A finding about a measurement.
  package struct Finding: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String = "true") {
      self.name = name
      self.value = value
    }
  }

  /// A reading; all else is set afterwards.
  package init(_ values: [Metric], clock: Clock? = nil, payload: [UInt8]) {
    self.values = values
    self.clock = clock
    self.payload = payload
  }

  /// Something that is no reading.
  package init(rejected reason: RejectedReading.Reason, _ message: String, payload: [UInt8]) {
    self.init([], payload: payload)
    rejected = Rejected(reason: reason, message: message)
  }

  /// A payload that cannot be decoded.
  package init(_ error: PayloadError, payload: [UInt8]) {
    self.init(rejected: .malformed, error.description, payload: payload)
  }

  /// The value of a type; nil when it was not measured.
  package subscript(type: MetricType) -> Double? {
    values.first { $0.type == type }?.value
  }
}
