// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
@unsafe @preconcurrency import HealthKit
import SantorioCore

/// Reads what was added and deleted, and stores it with the anchor in one transaction.
struct FeedReader: Sendable {
  let store: HKHealthStore
  let session: SantorioSession
  let settings: HealthKitSettings
  let report: @Sendable (HealthKitEvent) -> Void

  var queries: HealthQueries { HealthQueries(store: store, now: settings.now) }
  var state: HealthKitState { HealthKitState(session: session) }

  /// A page of what has changed, and what has to be stored with it.
  struct Page {
    let added: [HKSample]
    let deleted: [HKDeletedObject]
    let position: HealthKitState.Position
    let generation: [UInt8]
    /// Whether nothing has changed since the last page.
    let isLast: Bool
  }

  /// The next page of a feed.
  func page(
    of feed: HealthFeed, at position: HealthKitState.Position
  ) async throws -> Page {
    let generation = try await session.storageGeneration()
    let anchor = position.queryAnchor
    let result = try await HKAnchoredObjectQueryDescriptor(
      predicates: [
        .sample(type: feed.type, predicate: feed.predicate(from: position.since))
      ], anchor: anchor, limit: settings.pageSize
    ).result(for: store)
    var next = position
    next.move(to: result.newAnchor)
    let isLast = result.newAnchor == anchor
    return Page(
      added: result.addedSamples,
      // What was deleted before anything was read is nothing that this session has sent.
      deleted: anchor == nil ? [] : result.deletedObjects, position: next,
      generation: generation, isLast: isLast)
  }

  /// Reads the samples of a feed that make a record each, a page at least.
  ///
  /// - Returns: Whether all of them were read.
  func readRecords(
    of feed: HealthFeed, _ kept: KeptSubscriptions, since: Date, within time: ReadingTime
  ) async throws -> Bool {
    var position = try await state.position(of: feed, session: kept.session, since: since)
    let zones = try await state.zones(now: settings.now(), zone: settings.zone())
    let conversion = SampleRecords(zones: zones)
    while true {
      let page = try await page(of: feed, at: position)
      guard !page.isLast else { return true }
      let records = try await queries.records(of: page.added, conversion)
      let deletions = deletions(of: page.deleted, feed)
      try await session.submit(
        records, deletions: deletions,
        changing: [HealthKitState.change(page.position, of: feed, in: page.generation)],
        inSession: kept.session)
      announce(records, deletions.count, of: feed.type)
      position = page.position
      if time.isOver { return false }
    }
  }

  /// The deletions of objects that have made a record each.
  ///
  /// The deletion of a sample that this app has written says nothing of the reading it was made of.
  private func deletions(of objects: [HKDeletedObject], _ feed: HealthFeed) -> [RecordDeletion] {
    objects.filter { !SampleRecords.isOwn($0) }.map { object in
      RecordDeletion(
        of: SampleIdentity.logID(of: object.uuid), noticed: settings.now(),
        kind: feed.recordKind, reason: .atSource, metrics: feed.metrics)
    }
  }

  func announce(_ records: [HealthRecord], _ deletions: Int, of type: HKSampleType) {
    for (kind, records) in Dictionary(grouping: records, by: \.kind) {
      report(.recordsProcessed(type: type.identifier, kind: kind, count: records.count))
    }
    if deletions > 0 {
      report(.deletionsProcessed(type: type.identifier, count: deletions))
    }
  }
}

extension HealthFeed {
  /// The kind of its records.
  var recordKind: RecordKind {
    switch type {
    case HKObjectType.workoutType(): .workout
    case HKCorrelationType(.food): .nutrition
    default:
      type.identifier.hasPrefix("HKQuantityTypeIdentifierDietary") ? .nutrition : .measurement
    }
  }

  /// The metrics of its records, where they are the same in each.
  var metrics: [MetricType] {
    if type == HKCorrelationType(.bloodPressure) { return [.systolic, .diastolic] }
    return SampleRole.metric(of: type).map { [$0] } ?? []
  }
}

extension SampleRecords {
  /// Whether a deleted sample was written by this app from a reading of its own.
  static func isOwn(_ object: HKDeletedObject) -> Bool {
    (object.metadata?[HKMetadataKeySyncIdentifier] as? String)?
      .hasPrefix(SampleIdentity.syncPrefix) ?? false
  }
}
