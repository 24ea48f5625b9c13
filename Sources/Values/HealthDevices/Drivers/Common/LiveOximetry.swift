// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Makes the one reading of a session from the live values of an oximeter.
package struct LiveOximetry: Sendable {
  /// Which moment is the reading.
  package enum Acceptance: Hashable, Sendable {
    /// The one after which the values held still.
    case stable
    /// The first of which the oximeter itself says that it is to be recorded.
    case qualified
  }

  /// How long it may take from the first sign of a finger on.
  package static let timeout = Duration.seconds(60)

  private let acceptance: Acceptance
  private var stable = StableValue<OximetrySample>()
  private var firstFinger: Duration?
  private var reported: Set<DeviceInformation> = []

  package init(_ acceptance: Acceptance = .stable) {
    self.acceptance = acceptance
  }

  /// When it will have taken too long; nil before there was a finger.
  package var limit: Duration? { firstFinger.map { $0 + Self.timeout } }

  /// The facts of a moment that were not reported before.
  package mutating func news(in moment: OximetryMoment) -> [DriverAction] {
    moment.facts.filter { reported.insert($0).inserted }.map { .fact($0) }
  }

  /// Takes a moment; the reading, when it is the one.
  package mutating func reading(_ moment: OximetryMoment, at time: Duration) -> DeviceReading? {
    if moment.isOnFinger { firstFinger = firstFinger ?? time }
    let steady = stable.received(moment.sample, at: time)
    let sample =
      switch acceptance {
      case .stable: steady
      case .qualified: moment.isQualified ? moment.sample : nil
      }
    return sample.map { DeviceReading($0.values, payload: moment.payload) }
  }

  /// What is delivered when the limit is reached.
  package static let unsteady = DeviceReading(
    rejected: .noSignal,
    """
    The values of the oximeter did not hold still for long enough. Warm the hand, keep it still, and \
    measure again.
    """, payload: [])
}
