// SPDX-License-Identifier: Apache-2.0

import HealthGATT
package import HealthRecords

/// One of the many weights that a scale sends while the user stands on it.
package struct WeightSample: Hashable, Sendable {
  /// The weight and what was measured with it.
  package var reading: DeviceReading
  /// Whether the weight no longer changes.
  package var isSettled: Bool
  /// Whether nothing more about this weighing is to come, such as the impedance.
  package var isComplete: Bool

  /// Makes a sample of a reading that holds a weight.
  package init(_ reading: DeviceReading, isSettled: Bool, isComplete: Bool = true) {
    self.reading = reading
    self.isSettled = isSettled
    self.isComplete = isComplete
  }
}

/// Makes one reading of the many samples of a weighing.
///
/// A scale repeats a settled weight for seconds, and sends the impedance some seconds after it. So
/// a weight that is not complete is held back for a while, and the same weight again is the same
/// weighing.
package struct Weighing: Sendable {
  /// The same weight within this time after the last one belongs to the same weighing.
  package static let sameness = Duration.seconds(60)

  private struct Held {
    var reading: DeviceReading
    let until: Duration
  }

  private struct Last {
    let grams: Int
    var heard: Duration
  }

  private let timeout: Duration
  private var held: Held?
  private var last: Last?

  /// Prepares for a scale.
  ///
  /// - Parameter timeout: How long the rest of a weighing is waited for.
  package init(timeout: Duration = .seconds(10)) {
    self.timeout = timeout
  }

  /// When ``timeReached(at:)`` is due; nil when no reading is held back.
  package var deadline: Duration? { held?.until }

  /// Takes a sample and returns the readings that are complete with it.
  package mutating func received(_ sample: WeightSample, at time: DriverTime) -> [DeviceReading] {
    guard sample.isSettled, let grams = sample.reading.grams else { return ended(at: time) }
    if let last, last.grams == grams, time.elapsed - last.heard < Self.sameness {
      self.last?.heard = time.elapsed
      return []
    }
    held = Held(reading: sample.reading, until: held?.until ?? time.elapsed + timeout)
    return sample.isComplete ? ended(at: time) : []
  }

  /// The rest of the weighing has come: what else was measured, or that nothing was.
  package mutating func completed(
    with values: [Metric], at time: DriverTime
  ) -> [DeviceReading] {
    held?.reading.values += values
    return ended(at: time)
  }

  /// The person has left the scale, or no more will be heard of it: what is held back is all.
  package mutating func ended(at time: DriverTime) -> [DeviceReading] {
    guard let reading = held?.reading else { return [] }
    held = nil
    last = reading.grams.map { Last(grams: $0, heard: time.elapsed) }
    return [reading]
  }

  /// The deadline may have been reached.
  package mutating func timeReached(at time: DriverTime) -> [DeviceReading] {
    guard let held, time.elapsed >= held.until else { return [] }
    return ended(at: time)
  }
}

extension DeviceReading {
  /// The weight in whole grams; nil when there is none.
  package var grams: Int? {
    self[.bodyWeight].flatMap { Int(exactly: ($0 * 1000).rounded()) }
  }

  /// A weight and what may have been measured with it; a value that is nil was not.
  ///
  /// - Parameters:
  ///   - kilograms: The weight; without one above 0 there is no reading.
  ///   - shown: What the scale shows of it.
  ///   - others: What was measured with it.
  ///   - clock: When, by the scale's clock.
  ///   - payload: The bytes that it was made of.
  package init?(
    kilograms: Double?, shown: ShownValue? = nil, _ others: [(MetricType, Double?)] = [],
    clock: Clock? = nil, payload: [UInt8]
  ) {
    guard let kilograms, kilograms > 0 else { return nil }
    // Grams are finer than any scale shows, and keep conversions free of noise.
    let weight = Metric(.bodyWeight, (kilograms * 1000).rounded() / 1000).showing(shown)
    let rest = others.compactMap { type, value in value.map { Metric(type, $0) } }
    self.init([weight] + rest, clock: clock, payload: payload)
  }
}
