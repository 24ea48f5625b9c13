// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Drives a device that sends its measurements by itself after a subscription, without an end
/// marker.
///
/// Blood pressure monitors, thermometers and scales do. The end is when the device disconnects,
/// which the carrier of the actions sees, or when it has been quiet for a while after a
/// measurement. Each measurement is delivered at once, because many devices delete it as soon as
/// its indication is confirmed.
public struct PushDriver: DeviceDriver {
  /// Decodes a value; nil for an intermediate value, such as the pressure of a cuff that is being
  /// inflated.
  public typealias Decoding = @Sendable (GATTAttribute, [UInt8], DriverTime) -> DeviceReading?

  /// What vendors' applications wait for, too.
  public static let quietTime = Duration.seconds(4)

  private let purpose: DriverContext.Purpose
  private let measurements: Set<GATTAttribute>
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
  public init(
    _ context: DriverContext, steps: [DriverSteps.Step], measurements: Set<GATTAttribute>,
    quietTime: Duration = quietTime, decode: @escaping Decoding
  ) {
    purpose = context.purpose
    self.steps = DriverSteps(steps, having: context)
    self.measurements = measurements
    self.quietTime = quietTime
    self.decode = decode
  }

  /// When the next step, or the end of the quiet time, is due.
  public var deadline: Duration? {
    guard steps.isDone else { return steps.deadline }
    return isOver ? nil : quietUntil
  }

  /// Takes an event and returns what to do.
  public mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
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

  /// Takes a value; one on the way to a measurement, or that means nothing, does not begin the
  /// quiet time, but lengthens it.
  private mutating func received(
    _ bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) -> [DriverAction] {
    let reading = decode(attribute, bytes, time)
    let isMeasurement = reading.map { $0.rejection?.reason != .malformed } ?? false
    if isMeasurement || quietUntil != nil { quietUntil = time.elapsed + quietTime }
    return reading.map { [.deliver($0)] } ?? []
  }

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
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
