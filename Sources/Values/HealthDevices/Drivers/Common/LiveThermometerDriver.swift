// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

/// Drives a thermometer that sends its result when it has one, and keeps none.
///
/// Nothing in what it sends distinguishes two measurements, so a result that comes once more
/// within the quiet time is the same one. The end is when that time has passed after a result; what
/// comes later is left to the next connection.
package struct LiveThermometerDriver: DeviceDriver {
  /// Makes of a value a reading; nil for one that is not a result.
  package typealias Decoding = @Sendable ([UInt8]) -> DeviceReading?

  private enum Phase {
    /// Facts are read, and results asked for. Next: waiting, done.
    case preparing
    /// A result may come. Next: done.
    case waiting
    /// Nothing is left. Next: none.
    case done
  }

  private let purpose: DriverContext.Purpose
  private let results: Set<GATTAttribute>
  private let decode: Decoding
  private var phase = Phase.preparing
  private var steps: DriverSteps
  private var lastResult: [UInt8]?
  private var quietUntil: Duration?

  /// Prepares a driver.
  ///
  /// - Parameters:
  ///   - context: What is known of the device.
  ///   - results: Where results come from; of several those that the device has.
  ///   - decode: What a value is.
  package init(_ context: DriverContext, results: [GATTAttribute], decode: @escaping Decoding) {
    purpose = context.purpose
    self.results = Set(results)
    self.decode = decode
    steps = DriverSteps(.facts + results.map { .subscribe($0) }, having: context)
  }

  package var deadline: Duration? {
    switch phase {
    case .preparing: steps.deadline
    case .waiting: quietUntil
    case .done: nil
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (phase, event) {
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, .value(let attribute, let bytes)) where results.contains(attribute),
      (.waiting, .value(let attribute, let bytes)) where results.contains(attribute):
      return received(bytes, at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (.waiting, .timeReached):
      guard let quietUntil, time.elapsed >= quietUntil else { return [] }
      phase = .done
      return [.finish]
    default: return []
    }
  }

  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard var reading = decode(bytes) else { return [] }
    let isRepeated = lastResult == bytes
    lastResult = bytes
    quietUntil = time.elapsed + PushDriver.quietTime
    guard !isRepeated else { return [] }
    reading.clock = .age(0)
    return [.deliver(reading)]
  }

  private mutating func prepared(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    guard steps.isDone else { return actions }
    phase = .waiting
    switch purpose {
    case .read: return actions + [.ready]
    case .pair:
      quietUntil = quietUntil ?? time.elapsed + PushDriver.quietTime
      return actions + [.paired]
    }
  }
}

extension DeviceReading {
  /// A temperature in °C; nil stands for a measurement that failed.
  init(celsius: Double?, payload: [UInt8]) {
    guard let celsius else {
      self.init(
        rejected: .failedMeasurement,
        "The thermometer reports that the measurement failed. Measure again.", payload: payload)
      return
    }
    self.init([Metric(.bodyTemperature, celsius)], payload: payload)
  }
}
