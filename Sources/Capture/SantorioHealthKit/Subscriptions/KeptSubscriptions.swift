// SPDX-License-Identifier: Apache-2.0

import Foundation
@unsafe @preconcurrency package import HealthKit
import SantorioCore

/// What is subscribed to, as the session's file keeps it; it is over with the session it was made in.
struct KeptSubscriptions: Codable, Sendable {
  /// The number of the session.
  let session: Int64
  /// From when on each type is read, by its identifier.
  var types: [String: Date]

  /// The types; those that a later version knows and this one does not are left out.
  var sampleTypes: Set<HKSampleType> { Set(types.keys.compactMap(HKSampleType.named)) }

  /// Lets types begin at a time that were to begin in the future: the clock was ahead, and nothing would
  /// be read of them until then.
  ///
  /// - Returns: Whether there were any.
  @discardableResult mutating func start(at start: Date, unlessBefore now: Date) -> Bool {
    let early = types.filter { $0.value > now }
    for name in early.keys { types[name] = start }
    return !early.isEmpty
  }

  /// From when on a feed is read: since the first of the types that share it; nil without any.
  func since(_ feed: HealthFeed) -> Date? {
    types.filter { name, _ in
      HKSampleType.named(name).map { HealthFeed.feeds(for: $0).contains(feed) } ?? false
    }.values.min()
  }
}

extension HKSampleType {
  /// The type of an identifier; nil for one that HealthKit does not have.
  package static func named(_ identifier: String) -> HKSampleType? {
    if identifier == HKObjectType.workoutType().identifier { return HKObjectType.workoutType() }
    return HKObjectType.quantityType(forIdentifier: .init(rawValue: identifier))
      ?? HKObjectType.categoryType(forIdentifier: .init(rawValue: identifier))
      ?? HKObjectType.correlationType(forIdentifier: .init(rawValue: identifier))
  }
}

/// What the session's file has of HealthKit.
struct HealthKitState: Sendable {
  static let source = "healthkit"

  let session: SantorioSession

  private static let subscriptions = StateName(source: source, key: "subscriptions")
  private static let zones = StateName(source: source, key: "zones")

  func value<Value: Decodable>(_ name: StateName, as type: Value.Type) async throws -> Value? {
    try await session.states(of: Self.source, device: name.device)
      .first { $0.name == name }
      .flatMap { try? JSONDecoder().decode(type, from: Data($0.value)) }
  }

  static func bytes(_ value: some Encodable) -> [UInt8] {
    (try? JSONEncoder().encode(value)).map(Array.init) ?? []
  }

  // MARK: - Subscriptions

  /// The subscriptions of the session that is current; nil without any.
  func subscriptions() async throws -> KeptSubscriptions? {
    guard let kept = try await keptSubscriptions(),
      try await session.currentNumber() == kept.session, !kept.types.isEmpty
    else { return nil }
    return kept
  }

  /// The subscriptions that were made last, in whatever session.
  func keptSubscriptions() async throws -> KeptSubscriptions? {
    try await value(Self.subscriptions, as: KeptSubscriptions.self)
  }

  /// The subscriptions of the session that is current, for a caller that cannot await.
  ///
  /// - Returns: The subscriptions; nil without any.
  /// - Throws: `SessionError` when they cannot be read.
  func subscriptionsAndWait() throws -> KeptSubscriptions? {
    let states = try session.statesAndWait(of: Self.source)
    guard
      let kept = states.first(where: { $0.name == Self.subscriptions })
        .flatMap({ try? JSONDecoder().decode(KeptSubscriptions.self, from: Data($0.value)) }),
      try session.currentNumberAndWait() == kept.session, !kept.types.isEmpty
    else { return nil }
    return kept
  }

  /// Keeps subscriptions, or forgets them.
  func keep(_ subscriptions: KeptSubscriptions?) async throws {
    let bytes = subscriptions.map { Self.bytes($0) }
    try await session.changeState(of: Self.source) { _ in [.fact(Self.subscriptions, bytes)] }
  }

  // MARK: - Summaries

  private struct SummaryTypes: Codable {
    let session: Int64
    let types: [String]
  }

  private static let summary = StateName(source: source, key: "summary types")

  /// The types that history has put into summaries: a summary that is made anew must not lack them.
  func summaryTypes(session number: Int64) async throws -> Set<HKSampleType> {
    let kept = try await value(Self.summary, as: SummaryTypes.self)
    guard let kept, kept.session == number else { return [] }
    return Set(kept.types.compactMap(HKSampleType.named))
  }

  /// Keeps the types that are in summaries from now on.
  func keep(summaryTypes types: Set<HKSampleType>, session number: Int64) async throws {
    let bytes = Self.bytes(SummaryTypes(session: number, types: types.map(\.identifier).sorted()))
    try await session.changeState(of: Self.source) { _ in [.fact(Self.summary, bytes)] }
  }

  // MARK: - Zones

  private struct Stay: Codable {
    let start: Date
    let zone: String
  }

  /// Where the phone was, and is now.
  func zones(now: Date, zone: TimeZone) async throws -> ZoneHistory {
    let kept = try await value(Self.zones, as: [Stay].self) ?? []
    let stays = kept.compactMap { stay in
      TimeZone(identifier: stay.zone).map { ZoneHistory.Stay(start: stay.start, zone: $0) }
    }
    guard let first = stays.first else {
      try await keep(ZoneHistory(zone))
      return ZoneHistory(zone)
    }
    var history = ZoneHistory(first.zone, Array(stays.dropFirst()))
    guard history.zone(at: now).identifier != zone.identifier else { return history }
    history.arrive(in: zone, at: now)
    try await keep(history)
    return history
  }

  private func keep(_ history: ZoneHistory) async throws {
    let bytes = Self.bytes(
      history.stays.map { Stay(start: $0.start, zone: $0.zone.identifier) })
    try await session.changeState(of: Self.source) { _ in [.fact(Self.zones, bytes)] }
  }

  // MARK: - Anchors

  /// How far the samples of a feed were read, and for whom.
  struct Position: Codable, Sendable {
    let session: Int64
    /// The start of the time that is read: the anchor belongs to it.
    let since: Date
    var anchor: Data?

    var queryAnchor: HKQueryAnchor? {
      anchor.flatMap {
        try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
      }
    }

    mutating func move(to anchor: HKQueryAnchor) {
      self.anchor = try? NSKeyedArchiver.archivedData(
        withRootObject: anchor, requiringSecureCoding: true)
    }
  }

  private static func position(_ feed: String) -> StateName {
    StateName(source: source, device: feed, key: "position")
  }

  /// How far a feed was read for a subscription; its beginning if it was not.
  func position(of feed: HealthFeed, session: Int64, since: Date) async throws -> Position {
    let kept = try await value(Self.position(feed.name), as: Position.self)
    guard let kept, kept.session == session, kept.since == since else {
      return Position(session: session, since: since)
    }
    return kept
  }

  /// The change that notes how far a feed was read; to be made with the records before it.
  static func change(_ position: Position, of feed: HealthFeed, in generation: [UInt8])
    -> StateChange
  {
    .position(self.position(feed.name), bytes(position), in: generation)
  }
}
