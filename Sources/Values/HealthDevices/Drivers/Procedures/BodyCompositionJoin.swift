// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Makes one measurement of the packets in which a scale sends it: the weight, and the body
/// composition in one or two packets.
///
/// Packets belong together when neither their users nor their times differ; many scales send them
/// with the weight alone. What has no partner after two seconds is delivered alone: a user in
/// shoes gets no body composition.
///
/// The times are those of a clock that never goes back.
package struct BodyCompositionJoin: Sendable {
  /// What belongs together.
  package struct Joined: Hashable, Sendable {
    package var weight: WeightMeasurement?
    package var composition: BodyCompositionMeasurement?
    /// The bytes of all packets.
    package var payload: [UInt8]
  }

  /// How long a packet waits for its partner.
  package static let timeout = Duration.seconds(2)

  fileprivate struct Pending {
    var joined: Joined
    /// Whether the second of two packets of the composition is still to come.
    var awaitsSecondPacket: Bool
    var until: Duration
  }

  private let expectsWeight: Bool
  private let expectsComposition: Bool
  private var pending: Pending?

  /// Prepares the procedure.
  ///
  /// - Parameters:
  ///   - expectsWeight: Whether the scale sends weights (2A9D).
  ///   - expectsComposition: Whether the scale sends body compositions (2A9C).
  package init(expectsWeight: Bool, expectsComposition: Bool) {
    self.expectsWeight = expectsWeight
    self.expectsComposition = expectsComposition
  }

  /// When ``timeReached(_:)`` is due.
  package var deadline: Duration? { pending?.until }

  /// Gives up what waits for its partner, and returns it.
  package mutating func takeHeld() -> Joined? {
    defer { pending = nil }
    return pending?.joined
  }

  /// Takes a weight; returns what is complete.
  package mutating func add(_ weight: WeightMeasurement, at now: Duration) -> [Joined] {
    if pending?.joined.weight == nil, let composition = pending?.joined.composition,
      composition.fits(weight)
    {
      pending?.joined.weight = weight
      pending?.joined.payload += weight.payload
      return completed()
    }
    return replace(Joined(weight: weight, payload: weight.payload), at: now)
  }

  /// Takes a body composition or a part of it; returns what is complete.
  package mutating func add(
    _ composition: BodyCompositionMeasurement, at now: Duration
  ) -> [Joined] {
    if var pending, pending.takes(composition) {
      pending.add(composition)
      self.pending = pending
      return completed()
    }
    return replace(
      Joined(composition: composition, payload: composition.payload),
      awaitsSecondPacket: composition.isMultiplePacketMeasurement, at: now)
  }

  /// The deadline may have been reached; returns what has waited long enough.
  package mutating func timeReached(_ now: Duration) -> [Joined] {
    guard let pending, now >= pending.until else { return [] }
    self.pending = nil
    return [pending.joined]
  }

  private mutating func replace(
    _ joined: Joined, awaitsSecondPacket: Bool = false, at now: Duration
  ) -> [Joined] {
    let alone = pending.map { [$0.joined] } ?? []
    pending = Pending(
      joined: joined, awaitsSecondPacket: awaitsSecondPacket, until: now + Self.timeout)
    return alone + completed()
  }

  private mutating func completed() -> [Joined] {
    guard let pending, !pending.awaitsSecondPacket,
      pending.joined.weight != nil || !expectsWeight,
      pending.joined.composition != nil || !expectsComposition
    else { return [] }
    self.pending = nil
    return [pending.joined]
  }
}

extension BodyCompositionJoin.Pending {
  fileprivate func takes(_ other: BodyCompositionMeasurement) -> Bool {
    if let weight = joined.weight, !other.fits(weight) { return false }
    guard let composition = joined.composition else { return joined.weight != nil }
    return awaitsSecondPacket && other.isMultiplePacketMeasurement && composition.fits(other)
  }

  fileprivate mutating func add(_ other: BodyCompositionMeasurement) {
    awaitsSecondPacket = joined.composition == nil && other.isMultiplePacketMeasurement
    joined.composition = joined.composition?.merged(with: other) ?? other
    joined.payload += other.payload
  }
}

extension BodyCompositionMeasurement {
  fileprivate func fits(_ weight: WeightMeasurement) -> Bool {
    Self.mayEqual(userID, weight.userID) && Self.mayEqual(timestamp, weight.timestamp)
  }

  fileprivate func fits(_ other: BodyCompositionMeasurement) -> Bool {
    units == other.units && Self.mayEqual(userID, other.userID)
      && Self.mayEqual(timestamp, other.timestamp)
  }

  private static func mayEqual<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
    left == nil || right == nil || left == right
  }

  /// The first packet with what only the second one has.
  fileprivate func merged(with second: BodyCompositionMeasurement) -> BodyCompositionMeasurement {
    var merged = self
    if !hasComposition { merged.rawBodyFatPercentage = second.rawBodyFatPercentage }
    merged.timestamp = timestamp ?? second.timestamp
    merged.userID = userID ?? second.userID
    merged.components = components.merged(with: second.components)
    return merged
  }
}

extension BodyCompositionMeasurement.Components {
  fileprivate func merged(with second: Self) -> Self {
    var merged = self
    merged.basalMetabolism = basalMetabolism ?? second.basalMetabolism
    merged.rawMusclePercentage = rawMusclePercentage ?? second.rawMusclePercentage
    merged.rawMuscleMass = rawMuscleMass ?? second.rawMuscleMass
    merged.rawFatFreeMass = rawFatFreeMass ?? second.rawFatFreeMass
    merged.rawSoftLeanMass = rawSoftLeanMass ?? second.rawSoftLeanMass
    merged.rawBodyWaterMass = rawBodyWaterMass ?? second.rawBodyWaterMass
    merged.rawImpedance = rawImpedance ?? second.rawImpedance
    merged.rawWeight = rawWeight ?? second.rawWeight
    merged.rawHeight = rawHeight ?? second.rawHeight
    return merged
  }
}
