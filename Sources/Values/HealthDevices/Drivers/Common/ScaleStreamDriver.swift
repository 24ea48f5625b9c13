// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
package import HealthRecords

/// What the values of a scale mean.
package protocol ScaleDecoder: Sendable {
  /// What a value means; throws for a frame that was damaged, which is skipped.
  mutating func meaning(
    of bytes: [UInt8], from attribute: GATTAttribute, at time: DriverTime
  ) throws(PayloadError) -> ScaleStreamDriver.Meaning
}

/// Drives a scale that sends a stream of weights while the user stands on it.
///
/// One weighing is one reading. The scale's stored measurements are delivered each for itself, and
/// answered only when they are on disk, since it forgets them then.
package struct ScaleStreamDriver: DeviceDriver {
  /// What a value means.
  package struct Meaning: Sendable {
    /// A live weight.
    package var sample: WeightSample?
    /// A measurement out of the scale's memory.
    package var stored: DeviceReading?
    /// What to answer at once.
    package var answers: [DriverAction] = []
    /// What to answer when all readings are on disk.
    package var answersOnceStored: [DriverAction] = []
    /// The rest of the weighing: what else was measured; nil when this is not it.
    package var rest: [Metric]?

    package init(
      _ sample: WeightSample? = nil, stored: DeviceReading? = nil, answers: [DriverAction] = []
    ) {
      self.sample = sample
      self.stored = stored
      self.answers = answers
    }
  }

  /// How long a scale that keeps sending is listened to after a reading.
  package static let longestRepetition = Duration.seconds(12)

  private let purpose: DriverContext.Purpose
  private let sources: Set<GATTAttribute>
  private let opening: @Sendable (DriverTime) -> [DriverAction]
  private var decoder: any ScaleDecoder
  private var steps: DriverSteps
  private var weighing: Weighing
  private var quietUntil: Duration?
  private var lastEnd: Duration?
  /// Answers that wait until the readings before the last question are on disk; nil without one.
  private var confirming: [DriverAction]?
  /// Answers to what came after that question.
  private var unconfirmed: [DriverAction] = []
  private var isOver = false

  /// Prepares a driver.
  ///
  /// - Parameters:
  ///   - context: What is known of the device.
  ///   - steps: What to do first; among it the subscriptions.
  ///   - sources: Where weights come from.
  ///   - timeout: How long the rest of a weighing is waited for.
  ///   - opening: What to write then, such as the time.
  ///   - decoder: What a value of these means.
  package init(
    _ context: DriverContext, steps: [DriverSteps.Step], sources: Set<GATTAttribute>,
    timeout: Duration = .seconds(10),
    opening: @escaping @Sendable (DriverTime) -> [DriverAction] = { _ in [] },
    decoder: any ScaleDecoder
  ) {
    purpose = context.purpose
    self.steps = DriverSteps(steps, having: context)
    self.sources = sources
    self.decoder = decoder
    self.opening = opening
    weighing = Weighing(timeout: timeout)
  }

  package var deadline: Duration? {
    guard !isOver else { return nil }
    guard steps.isDone else { return steps.deadline }
    let end = confirming == nil ? quietUntil.map { min($0, lastEnd ?? $0) } : nil
    return [weighing.deadline, end].compactMap { $0 }.min()
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    guard !isOver else { return [] }
    let actions = respond(to: event, at: time)
    switch actions.last {
    case .finish?, .fail?: isOver = true
    default: break
    }
    return actions
  }

  private mutating func respond(to event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch event {
    case .begun: return proceed(steps.begin(at: time), at: time)
    case .value(let attribute, let bytes) where sources.contains(attribute):
      return received(attribute, bytes, at: time)
    case .stored:
      let answers = confirming ?? []
      confirming = nil
      return answers + confirm()
    case .timeReached where steps.isDone: return timeReached(at: time)
    case .ended: return deliver(weighing.ended(at: time), at: time)
    default:
      guard !steps.isDone else { return [] }
      return proceed(steps.handle(event, at: time), at: time)
    }
  }

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    guard steps.isDone else { return actions }
    guard purpose == .pair else { return actions + opening(time) + [.ready] }
    quietUntil = quietUntil ?? time.elapsed + PushDriver.quietTime
    return actions + opening(time) + [.paired]
  }

  private mutating func received(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    guard let meaning = try? decoder.meaning(of: bytes, from: attribute, at: time) else {
      return []
    }
    if quietUntil != nil { quietUntil = time.elapsed + PushDriver.quietTime }
    var readings = meaning.stored.map { [$0] } ?? []
    if let sample = meaning.sample { readings += weighing.received(sample, at: time) }
    if let rest = meaning.rest { readings += weighing.completed(with: rest, at: time) }
    unconfirmed += meaning.answersOnceStored
    return deliver(readings, at: time) + meaning.answers + confirm()
  }

  private mutating func confirm() -> [DriverAction] {
    guard confirming == nil, !unconfirmed.isEmpty else { return [] }
    confirming = unconfirmed
    unconfirmed = []
    return [.confirmStorage]
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    let actions = deliver(weighing.timeReached(at: time), at: time)
    guard actions.isEmpty, let deadline, time.elapsed >= deadline else { return actions }
    return deliver(weighing.ended(at: time), at: time) + [.finish]
  }

  private mutating func deliver(_ readings: [DeviceReading], at time: DriverTime) -> [DriverAction]
  {
    guard !readings.isEmpty else { return [] }
    quietUntil = time.elapsed + PushDriver.quietTime
    lastEnd = lastEnd ?? time.elapsed + Self.longestRepetition
    return readings.map { .deliver($0) }
  }
}
