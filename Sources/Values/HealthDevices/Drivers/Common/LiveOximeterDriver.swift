// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Drives an oximeter that sends values as long as there is a finger, and takes one reading.
package struct LiveOximeterDriver: DeviceDriver {
  private enum State: Hashable {
    /// Asking for facts and values. Next: paired, measuring, over.
    case preparing
    /// The oximeter accepted us. Next: over.
    case paired(until: Duration)
    /// Values come. Next: storing, over.
    case measuring
    /// The reading is being stored, before it is confirmed to the oximeter. Next: releasing.
    case storing
    /// The measurement was confirmed to the oximeter. Next: over.
    case releasing(until: Duration)
    /// Next: none.
    case over
  }

  /// What is written when the reading is safe.
  package struct Release: Hashable, Sendable {
    package let attribute: GATTAttribute
    package let bytes: [UInt8]

    package init(_ attribute: GATTAttribute, _ bytes: [UInt8]) {
      self.attribute = attribute
      self.bytes = bytes
    }
  }

  private let purpose: DriverContext.Purpose
  private let source: GATTAttribute
  private let release: Release?
  private var listening: any OximetryListening
  private var oximetry: LiveOximetry
  private var steps: DriverSteps
  private var state = State.preparing

  /// Prepares a driver.
  ///
  /// - Parameters:
  ///   - context: What is known of the device.
  ///   - source: Where the values come from.
  ///   - listening: What makes moments of them.
  ///   - acceptance: Which moment is the reading.
  ///   - greeting: What is done after the subscription, before values come.
  ///   - release: What is written when the reading is safe.
  package init(
    _ context: DriverContext, source: GATTAttribute, listening: any OximetryListening,
    acceptance: LiveOximetry.Acceptance = .stable, greeting: [DriverSteps.Step] = [],
    release: Release? = nil
  ) {
    purpose = context.purpose
    self.source = source
    self.listening = listening
    self.release = release.flatMap { context.has($0.attribute) ? $0 : nil }
    oximetry = LiveOximetry(acceptance)
    steps = DriverSteps(.facts + [.subscribe(source)] + greeting, having: context)
  }

  package var isComplete: Bool {
    switch state {
    case .preparing, .measuring: false
    case .paired, .storing, .releasing, .over: true
    }
  }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .paired(let until), .releasing(let until): until
    case .measuring: oximetry.limit
    case .storing, .over: nil
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (.measuring, .value(source, let bytes)): return listened(to: bytes, at: time)
    case (.storing, .stored): return released(at: time)
    case (.releasing, .written(release?.attribute)),
      (.releasing, .writeFailed(release?.attribute, _)):
      return end([.finish])
    case (_, .timeReached): return timeReached(at: time)
    default: return []
    }
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    guard steps.isDone else { return actions }
    switch purpose {
    case .read:
      state = .measuring
      return actions + [.ready]
    case .pair:
      state = .paired(until: time.elapsed + PushDriver.quietTime)
      return actions + [.paired]
    }
  }

  private mutating func listened(to bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    var actions: [DriverAction] = []
    for moment in listening.received(bytes) {
      actions += oximetry.news(in: moment)
      guard let reading = oximetry.reading(moment, at: time.elapsed) else { continue }
      guard release != nil else { return actions + end([.deliver(reading), .finish]) }
      state = .storing
      return actions + [.deliver(reading), .confirmStorage]
    }
    return actions
  }

  private mutating func released(at time: DriverTime) -> [DriverAction] {
    guard let release else { return end([.finish]) }
    state = .releasing(until: time.elapsed + .seconds(3))
    return [.write(release.attribute, release.bytes)]
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    guard let deadline, time.elapsed >= deadline else { return [] }
    switch state {
    case .measuring: return end([.deliver(LiveOximetry.unsteady), .finish])
    case .paired, .releasing: return end([.finish])
    case .preparing, .storing, .over: return []
    }
  }

  private mutating func end(_ actions: [DriverAction]) -> [DriverAction] {
    state = .over
    return actions
  }
}
