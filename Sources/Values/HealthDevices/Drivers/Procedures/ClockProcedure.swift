// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Reads a device's clock, reports its drift, and sets it when it is off; refusals are ignored.
///
/// A device may answer the write with ATT error 0x80 (Data Field Ignored), having taken what it
/// keeps, or refuse it altogether: its measurements are worth as much.
package struct ClockProcedure: Sendable {
  /// How a device's clock is read and set.
  package struct Form: Sendable {
    /// How the device sends its time.
    package enum Reading: Hashable, Sendable {
      /// It does not: it is set without being asked.
      case none
      /// When it is read.
      case read
      /// When these bytes are written to the same characteristic.
      case query([UInt8])
      /// When it wants to: only after that it lets itself be set.
      case notification
    }

    package let attribute: GATTAttribute
    package let reading: Reading
    /// How far it may be off without being set, in seconds.
    package let tolerance: Double
    /// How long to wait for what it notifies.
    package let answerTime: Duration
    /// What it shows; nil for other bytes.
    package let shown: @Sendable ([UInt8]) -> DeviceClock.Shown?
    /// The bytes that set it.
    package let setting: @Sendable (DriverTime) -> [UInt8]?

    package init(
      _ attribute: GATTAttribute, reading: Reading = .read, tolerance: Double = 10,
      answerTime: Duration = .seconds(5),
      shown: @escaping @Sendable ([UInt8]) -> DeviceClock.Shown?,
      setting: @escaping @Sendable (DriverTime) -> [UInt8]?
    ) {
      self.attribute = attribute
      self.reading = reading
      self.tolerance = tolerance
      self.answerTime = answerTime
      self.shown = shown
      self.setting = setting
    }

    /// Date Time (2A08) or Current Time (2A2B).
    package static func standard(
      _ attribute: GATTAttribute, reading: Reading = .read, tolerance: Double = 10
    ) -> Form {
      Form(
        attribute, reading: reading, tolerance: tolerance,
        shown: { DeviceClock.shown(attribute, $0) },
        setting: { DeviceClock.bytes(for: attribute, at: $0) })
    }
  }

  private enum State: Hashable {
    /// Next: subscribing, waiting, setting.
    case idle
    /// Next: waiting, setting, done.
    case subscribing
    /// For what the clock shows. Next: setting, done.
    case waiting(until: Duration?)
    /// Next: done.
    case setting
    case done
  }

  private let form: Form
  private var state = State.idle

  package init(_ form: Form) {
    self.form = form
  }

  /// Whether nothing is left.
  package var isDone: Bool { state == .done }

  /// When the device has had its time.
  package var deadline: Duration? {
    guard case .waiting(let until) = state else { return nil }
    return until
  }

  /// Begins.
  package mutating func begin(at time: DriverTime) -> [DriverAction] {
    switch form.reading {
    case .none: return set(at: time)
    case .read:
      state = .waiting(until: nil)
      return [.read(form.attribute)]
    case .query, .notification:
      state = .subscribing
      return [.subscribe(form.attribute)]
    }
  }

  /// Takes an event; what does not concern the clock is ignored.
  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.subscribing, .value(form.attribute, let bytes)),
      (.waiting, .value(form.attribute, let bytes)):
      return clockShown(bytes, at: time)
    case (.subscribing, .subscribed(form.attribute)): return subscribed(at: time)
    case (.waiting, .readFailed(form.attribute, _)): return set(at: time)
    case (.waiting(let until?), .timeReached) where time.elapsed >= until: return done()
    case (.setting, .written(form.attribute)): return [.fact(.clockSet)] + done()
    case (.subscribing, .subscriptionFailed(form.attribute, _)),
      (.waiting, .writeFailed(form.attribute, _)), (.setting, .writeFailed(form.attribute, _)):
      return done()
    default: return []
    }
  }

  private mutating func subscribed(at time: DriverTime) -> [DriverAction] {
    state = .waiting(until: time.elapsed + form.answerTime)
    guard case .query(let bytes) = form.reading else { return [] }
    return [.write(form.attribute, bytes)]
  }

  private mutating func clockShown(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let shown = form.shown(bytes) else { return set(at: time) }
    guard let seconds = shown.secondsSince1970 else {
      return [.fact(.clockNotSet)] + set(at: time)
    }
    let drift = (Double(seconds) - time.localSecondsSince1970).rounded()
    let actions = abs(drift) <= form.tolerance ? done() : set(at: time)
    return [.fact(.clockDrift(seconds: drift))] + actions
  }

  private mutating func set(at time: DriverTime) -> [DriverAction] {
    guard let bytes = form.setting(time) else { return done() }
    state = .setting
    return [.write(form.attribute, bytes)]
  }

  private mutating func done() -> [DriverAction] {
    state = .done
    return []
  }
}
