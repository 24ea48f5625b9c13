// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// What is kept in the session's file: whether meters are read, whose each is, and how far it was read.
struct OneTouchStore: Sendable {
  private static let source = "onetouch"
  private static let passive = StateName(source: source, key: "passive")

  let session: SantorioSession

  // MARK: - Passive reading

  private struct Passive: Codable {
    let session: Int64
  }

  /// The session for which passive reading was switched on; nil when it is off.
  func passiveSession() async throws(SessionError) -> Int64? {
    let states = try await session.states(of: Self.source, device: "")
    let kept = states.first { $0.name == Self.passive }
    return kept.flatMap { decoded(Passive.self, $0.value)?.session }
  }

  /// Keeps for which session passive reading is on; nil switches it off.
  func keep(passiveIn number: Int64?) async throws(SessionError) {
    let bytes = number.map { encoded(Passive(session: $0)) }
    try await session.changeState(of: Self.source) { _ in [.fact(Self.passive, bytes)] }
  }

  // MARK: - Meters

  /// Up to where a meter was read, and for whom.
  struct Position: Codable, Hashable {
    /// Of another user it is none.
    var owner: DeviceOwner
    /// The kit's anchor.
    var anchor: Data?
    /// What was stored last, by ``KitResult/key``: a kit that gives a result again adds nothing.
    var seen: [String] = []

    /// Meters keep at most 750 results.
    private static let capacity = 2048
    /// For a kit that keeps more.
    private static let largestCapacity = 10_000

    /// The position after more was stored.
    ///
    /// - Parameters:
    ///   - keys: What was stored.
    ///   - count: How many results the kit has given, which it may give again.
    ///   - anchor: The next anchor; nil leaves the last one.
    /// - Returns: The position.
    func after(_ keys: [String], of count: Int, anchor: Data?) -> Position {
      let isLarge = max(seen.count, count) > Self.capacity
      let most = max(isLarge ? Self.largestCapacity : Self.capacity, count)
      return Position(
        owner: owner, anchor: anchor ?? self.anchor, seen: Array((seen + keys).suffix(most)))
    }
  }

  private static func owner(_ serialNumber: String) -> StateName {
    StateName(source: source, device: serialNumber, key: "owner")
  }

  private static func position(_ serialNumber: String) -> StateName {
    StateName(source: source, device: serialNumber, key: "position")
  }

  /// How far a meter was read for a user, which makes it that user's if it was nobody's.
  ///
  /// - Parameters:
  ///   - serialNumber: The meter.
  ///   - owner: The user.
  /// - Returns: The position; nil when the meter is another user's.
  /// - Throws: ``SessionError`` when it cannot be read or written.
  func position(of serialNumber: String, for owner: DeviceOwner) async throws(SessionError)
    -> Position?
  {
    var kept = KeptMeter(try await session.states(of: Self.source, device: serialNumber))
    if kept.owner == nil {
      try await session.changeState(of: Self.source, device: serialNumber) { states in
        KeptMeter(states).owner == nil
          ? [.fact(Self.owner(serialNumber), encoded(owner))] : []
      }
      kept = KeptMeter(try await session.states(of: Self.source, device: serialNumber))
    }
    guard kept.owner == owner else { return nil }
    guard let position = kept.position, position.owner == owner else {
      return Position(owner: owner)
    }
    return position
  }

  /// Gives a meter to a user.
  ///
  /// - Parameters:
  ///   - serialNumber: The meter.
  ///   - owner: The user.
  ///   - beginning: From where on it is read.
  /// - Throws: ``SessionError`` when it cannot be written.
  func assign(
    _ serialNumber: String, to owner: DeviceOwner, beginning: OneTouchBeginning
  ) async throws(SessionError) {
    try await session.changeState(of: Self.source, device: serialNumber) { states in
      var position = beginning == .allReadings ? nil : KeptMeter(states).position
      position?.owner = owner
      let name = Self.position(serialNumber)
      return [
        .fact(Self.owner(serialNumber), encoded(owner)),
        position.map { .position(name, encoded($0)) } ?? .fact(name, nil),
      ]
    }
  }

  /// The change that notes how far a meter was read; to be made with the records before it.
  static func change(_ position: Position, of serialNumber: String, in generation: [UInt8])
    -> StateChange
  {
    .position(Self.position(serialNumber), encoded(position), in: generation)
  }

  /// What is kept of a meter.
  private struct KeptMeter {
    var owner: DeviceOwner?
    var position: Position?

    init(_ states: [SourceState]) {
      position = states.first { $0.name.key == "position" }
        .flatMap { decoded(Position.self, $0.value) }
      owner = states.first { $0.name.key == "owner" }.flatMap {
        decoded(DeviceOwner.self, $0.value)
      }
      // Should that be damaged, the meter is not nobody's.
      owner = owner ?? position?.owner
    }
  }
}

/// The bytes of a value that is kept.
private func encoded(_ value: some Encodable) -> [UInt8] {
  // Values of texts and numbers can always be encoded.
  (try? JSONEncoder().encode(value)).map(Array.init) ?? []
}

private func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
  try? JSONDecoder().decode(type, from: Data(bytes))
}
