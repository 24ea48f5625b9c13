// SPDX-License-Identifier: Apache-2.0

/// Tells when a device has sent all measurements it has for one connection.
///
/// Blood pressure monitors, thermometers, scales and spot-check oximeters send what they keep,
/// oldest first, without an end marker. The transfer is over when the device hangs up, when it has
/// been quiet for a while after a measurement, or when an overall limit is reached. Each
/// measurement is delivered at once, because many devices erase a measurement as soon as its
/// indication is confirmed.
///
/// The times are those of a clock that never goes back, counted from any fixed instant. The driver
/// keeps one timer: the last instant it was told to wait for replaces all earlier ones, and a timer
/// that fires early does no harm.
package struct MeasurementTransfer<Measurement: Sendable>: ~Copyable {
  /// How long to wait.
  package struct Limits: Hashable, Sendable {
    /// How long no measurement must come after the last one.
    package var quietTime: Duration
    /// How long the whole transfer may take.
    package var overall: Duration

    package init(quietTime: Duration = .seconds(4), overall: Duration = .seconds(120)) {
      self.quietTime = quietTime
      self.overall = overall
    }
  }

  /// What the driver is to do now.
  package enum Action {
    /// Nothing.
    case none
    /// Call `timeReached` at this instant.
    case wait(until: Duration)
    /// Hand the measurement on, then wait until the instant, if any.
    case deliver(Measurement, waitUntil: Duration?)
    /// Close the connection, if it is open; the transfer is over.
    case finish(Reason)
  }

  /// Why the transfer is over.
  package enum Reason: Hashable, Sendable {
    /// The device hung up, which is how most devices end.
    case disconnected
    /// Nothing came for `Limits.quietTime` after a measurement.
    case quiet
    /// `Limits.overall` has passed.
    case limitReached
  }

  private enum State: ~Copyable {
    /// Not subscribed. Next: waiting, receiving, finished.
    case idle
    /// Subscribed, nothing came yet. Next: receiving, finished.
    case waiting(limit: Duration)
    /// Something came. Next: receiving, finished.
    case receiving(quietUntil: Duration, limit: Duration)
    /// Over. Next: none; a late measurement is still delivered.
    case finished
  }

  private let limits: Limits
  private var state: State

  package init(limits: Limits = Limits()) {
    self.init(limits, .idle)
  }

  private init(_ limits: Limits, _ state: consuming State) {
    self.limits = limits
    self.state = state
  }

  /// The device accepted the subscription.
  package mutating func subscribed(at now: Duration) -> Action {
    switch consume state {
    case .idle:
      let limit = now + limits.overall
      self = Self(limits, .waiting(limit: limit))
      return .wait(until: limit)
    case let other:
      self = Self(limits, other)
      return .none
    }
  }

  /// A measurement came; it may come before the subscription is confirmed.
  package mutating func received(_ measurement: Measurement, at now: Duration) -> Action {
    let limit: Duration
    switch consume state {
    case .idle: limit = now + limits.overall
    case .waiting(let known): limit = known
    case .receiving(_, let known): limit = known
    case .finished:
      self = Self(limits, .finished)
      return .deliver(measurement, waitUntil: nil)
    }
    let quietUntil = now + limits.quietTime
    self = Self(limits, .receiving(quietUntil: quietUntil, limit: limit))
    return .deliver(measurement, waitUntil: min(quietUntil, limit))
  }

  /// The connection ended, by whomever.
  package mutating func disconnected(at now: Duration) -> Action {
    switch consume state {
    case .finished:
      self = Self(limits, .finished)
      return .none
    default:
      self = Self(limits, .finished)
      return .finish(.disconnected)
    }
  }

  /// The timer fired.
  package mutating func timeReached(_ now: Duration) -> Action {
    switch consume state {
    case .waiting(let limit) where now < limit:
      self = Self(limits, .waiting(limit: limit))
      return .wait(until: limit)
    case .waiting:
      self = Self(limits, .finished)
      return .finish(.limitReached)
    case .receiving(let quietUntil, let limit) where now < min(quietUntil, limit):
      self = Self(limits, .receiving(quietUntil: quietUntil, limit: limit))
      return .wait(until: min(quietUntil, limit))
    case .receiving(let quietUntil, let limit):
      self = Self(limits, .finished)
      return .finish(quietUntil <= limit ? .quiet : .limitReached)
    case let other:
      self = Self(limits, other)
      return .none
    }
  }
}

extension MeasurementTransfer.Action: Equatable where Measurement: Equatable {}
extension MeasurementTransfer.Action: Sendable {}
