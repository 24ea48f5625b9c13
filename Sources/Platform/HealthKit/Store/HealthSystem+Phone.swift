// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// What a simulated phone does to its store.
extension HealthSystem {
  /// Saves what others than the app have measured; permissions concern the app alone.
  package func saveForOthers(_ objects: [HKObject], from revision: HKSourceRevision) throws {
    try queue.sync { try save(objects, from: revision) }
  }

  /// Deletes what a predicate holds for, of any source.
  package func deleteForUser(_ type: HKObjectType, _ predicate: NSPredicate?) throws -> Int {
    try queue.sync { try write { try $0.delete(SampleRequest(type, predicate)) } }
  }

  /// Forgets what was deleted.
  package func forgetDeletions() throws {
    try queue.sync { try write { try $0.pruneDeletions() } }
  }

  /// Makes one sample of several values of those of a workout that follow each other.
  package func condenseWorkouts(endingBefore date: Date) throws -> Int {
    try queue.sync { try write { try $0.condenseWorkouts(endingBefore: date) } }
  }

  // MARK: - The app and the time

  /// What the app is doing.
  package var appState: BackgroundDelivery.AppState { queue.sync { delivery.state } }

  /// Moves the app to the foreground or the background.
  package func moveApp(to state: BackgroundDelivery.AppState) {
    queue.sync { delivery.move(to: state, queries, on: self) }
  }

  /// How the system launches the app.
  package func onLaunch(_ launch: (@Sendable () -> Void)?) {
    queue.sync { delivery.onLaunch(launch) }
  }

  /// Whether the app runs, or can be launched.
  package var canRunApp: Bool { queue.sync { delivery.canRunApp } }

  /// Calls `body` in the background when the app runs; it is launched if need be.
  ///
  /// - Returns: Whether it runs, or is being launched.
  package func whenLaunched(_ body: @escaping @Sendable () -> Void) -> Bool {
    queue.sync { delivery.whenLaunched(body, on: self) }
  }

  /// Takes the time from a clock of a test.
  package func useClock(_ clock: @escaping @Sendable () -> Date) {
    queue.sync { delivery.use(clock: clock) }
  }

  /// Does what has become due.
  package func timePassed() { queue.sync { delivery.timePassed(queries, on: self) } }

  /// Waits until no call of the app is without an answer.
  package func answered() async {
    await withCheckedContinuation { continuation in
      queue.async { self.delivery.whenAnswered { continuation.resume() } }
    }
  }

  /// Waits until everything that was asked before is done.
  package func settle() { queue.sync {} }
}

extension HealthDatabase {
  /// The most values that become one sample.
  private static var mostCondensed: Int { 100 }

  /// Replaces the quantities of old workouts by series; in a transaction only.
  func condenseWorkouts(endingBefore date: Date) throws -> Int {
    let before = HKQuery.predicateForSamples(
      withStart: nil, end: date, options: .strictEndDate)
    var count = 0
    for workout in try samples(SampleRequest(.workoutType(), before)) {
      guard let whole = workout.row else { continue }
      count += try condense(parts(of: workout, whole), of: whole)
    }
    return count
  }

  private func parts(of workout: HKSample, _ whole: Int64) throws -> [SampleRow] {
    try connection.prepare(
      """
      SELECT \(SampleRow.columns) FROM sample
      WHERE id IN (SELECT part FROM member WHERE whole = ?) AND unit IS NOT NULL AND detail IS NULL
      ORDER BY type, revision, start
      """
    ).all(.integer(whole)) { (row) throws(SQLiteError) in SampleRow(row) }
  }

  private func condense(_ parts: [SampleRow], of whole: Int64) throws -> Int {
    var (count, rest) = (0, parts[...])
    while let first = rest.first {
      let group = rest.prefix(Self.mostCondensed).prefix {
        $0.type == first.type && $0.revision == first.revision && $0.unit == first.unit
          && $0.device == first.device
      }
      rest = rest.dropFirst(group.count)
      guard group.count > 1 else { continue }
      try join(try insert(series(Array(group), first)), to: whole)
      for row in group { try delete(row.id) }
      count += group.count
    }
    return count
  }

  private func series(_ rows: [SampleRow], _ first: SampleRow) -> SampleRow {
    let type = types[first.type]?.type as? HKQuantityType
    let values = rows.map(\.value)
    let sum = values.reduce(0, +)
    var row = first
    row.id = 0
    row.end = rows.map(\.end).max() ?? first.end
    row.value = type?.aggregationStyle == .cumulative ? sum : sum / Double(values.count)
    row.uuid = SampleIdentity.bytes(of: UUID())
    row.copy = nil
    let last = rows[rows.count - 1]
    row.detail = MetadataCoding.text(
      SeriesDetail(
        count: rows.count, minimum: values.min(), maximum: values.max(), latest: last.value,
        latestStart: last.start, latestEnd: last.end))
    return row
  }
}
