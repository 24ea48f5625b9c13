// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Drives a device that sends what it has by itself once it is asked to, without an end marker.
///
/// Blood pressure monitors, thermometers and scales do. The end is when the device disconnects,
/// which the carrier of the actions sees, or when it has been quiet for a while after a
/// measurement. Each measurement is delivered at once, because many a device forgets it as soon as
/// its indication is confirmed.
package struct PushDriver: DeviceDriver {
  /// Makes of a value what it is; nil for a value on the way to a measurement, such as the pressure
  /// of a cuff being inflated.
  package typealias Decoding = @Sendable (Attribute, [UInt8], DriverTime) -> DeviceReading?

  /// What vendors' applications wait for, too.
  package static let quietTime = Duration.seconds(4)

  private let purpose: DriverContext.Purpose
  private let measurements: Set<Attribute>
  private let quietTime: Duration
  private let decode: Decoding
  private var steps: DriverSteps
  private var quietUntil: Duration?
  private var isOver = false

  /// Prepares a driver.
  ///
  /// - Parameters:
  ///   - context: What is known of the device.
  ///   - steps: What to do first; among it the subscriptions.
  ///   - measurements: Where measurements come from.
  ///   - quietTime: How long no measurement must come after the last one.
  ///   - decode: What a value of these is.
  package init(
    _ context: DriverContext, steps: [DriverSteps.Step], measurements: Set<Attribute>,
    quietTime: Duration = quietTime, decode: @escaping Decoding
  ) {
    purpose = context.purpose
    self.steps = DriverSteps(steps, having: context)
    self.measurements = measurements
    self.quietTime = quietTime
    self.decode = decode
  }

  package var deadline: Duration? {
    guard steps.isDone else { return steps.deadline }
    return isOver ? nil : quietUntil
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch event {
    case .begun: return proceed(steps.begin(at: time), at: time)
    case .value(let attribute, let bytes) where measurements.contains(attribute):
      return received(bytes, from: attribute, at: time)
    case .timeReached where steps.isDone:
      guard !isOver, let quietUntil, time.elapsed >= quietUntil else { return [] }
      isOver = true
      return [.finish]
    default:
      guard !steps.isDone else { return [] }
      return proceed(steps.handle(event, at: time), at: time)
    }
  }

  /// Takes a value; one on the way to a measurement does not begin the quiet time, but lengthens
  /// it.
  private mutating func received(
    _ bytes: [UInt8], from attribute: Attribute, at time: DriverTime
  ) -> [DriverAction] {
    let reading = decode(attribute, bytes, time)
    if reading != nil || quietUntil != nil { quietUntil = time.elapsed + quietTime }
    return reading.map { [.deliver($0)] } ?? []
  }

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    if case .fail? = actions.last {
      isOver = true
      return actions
    }
    guard steps.isDone else { return actions }
    switch purpose {
    case .read: return actions + [.ready]
    case .pair:
      // A device that is paired may send what it keeps: give it the time to begin.
      quietUntil = quietUntil ?? time.elapsed + quietTime
      return actions + [.paired]
    }
  }
}
