// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCore

/// The readings that wait for a person, also after the app was ended; and those that were declined.
@MainActor public final class ReviewModel: ViewModel<ReviewModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The readings on which nobody has decided, the oldest first.
    public internal(set) var waiting: [ReviewItem] = []
    /// The readings that were declined and are still there, the oldest first.
    public internal(set) var declined: [ReviewItem] = []
    /// The declined readings whose deletion waits for a confirmation.
    public internal(set) var toDelete: Set<String> = []
    /// Why something did not work; the readings are where they were.
    public internal(set) var problem: Problem?
    /// Whether they were looked up.
    public internal(set) var isLoaded = false

    /// Whether there is nothing to show.
    public var isEmpty: Bool { isLoaded && waiting.isEmpty && declined.isEmpty }
  }

  private let context: CaptureContext
  private let decisions: PendingDecisions
  /// What was held back with the readings and is none.
  private var others: [HealthRecord] = []
  private var watch: SessionWatch?

  /// A model of what is held back; ``load()`` looks it up.
  ///
  /// - Parameter context: Whose readings they are.
  public convenience init(_ context: CaptureContext) { self.init(context, .shared) }

  init(_ context: CaptureContext, _ decisions: PendingDecisions) {
    self.context = context
    self.decisions = decisions
    super.init(State())
    // What another person has seen is not shown on.
    watch = context.session.watchSessions { [weak self] in
      Task { @MainActor [weak self] in
        if self?.state.isLoaded ?? false { await self?.load() }
      }
    }
  }

  /// Looks up what waits; to be called at each launch, and whenever the screen appears.
  public func load() async {
    do throws(SessionError) {
      try await reload()
      update { $0.problem = nil }
    } catch {
      update { $0.problem = Problem(error) }
    }
  }

  /// Sends readings that wait.
  ///
  /// - Parameter ids: The readings; all when nil.
  public func confirm(_ ids: Set<String>? = nil) async {
    await decide(chosen(ids, of: state.waiting)) { session, records throws(SessionError) in
      try await session.releaseHeld(records)
    }
  }

  /// Keeps readings that wait from being sent; they are shown as declined from then on.
  ///
  /// - Parameter ids: The readings; all when nil.
  public func decline(_ ids: Set<String>? = nil) async {
    await decide(chosen(ids, of: state.waiting)) { session, records throws(SessionError) in
      try await session.declineHeld(records)
    }
  }

  /// Sends readings that were declined.
  ///
  /// - Parameter ids: The readings; all when nil.
  public func sendDeclined(_ ids: Set<String>? = nil) async {
    await decide(chosen(ids, of: state.declined)) { session, records throws(SessionError) in
      try await session.releaseHeld(records)
    }
  }

  /// Asks whether declined readings are to be deleted.
  ///
  /// - Parameter ids: The readings.
  public func askToDelete(_ ids: Set<String>) {
    update { $0.toDelete = ids.intersection($0.declined.map(\.id)) }
  }

  /// Takes the question back.
  public func keepDeclined() { update { $0.toDelete = [] } }

  /// Deletes the declined readings that were asked about.
  public func confirmDeletion() async {
    let ids = state.toDelete
    update { $0.toDelete = [] }
    guard !ids.isEmpty else { return }
    // What nobody has decided on stays.
    await decide(chosen(ids, of: state.declined), takesOthers: false) {
      session, records throws(SessionError) in
      try await session.discardHeld(records)
    }
  }

  private func chosen(_ ids: Set<String>?, of items: [ReviewItem]) -> [HealthRecord] {
    items.map(\.record).filter { ids?.contains($0.logID) ?? true }
  }

  private func decide(
    _ records: [HealthRecord], takesOthers: Bool = true,
    _ act: (SantorioSession, [HealthRecord]) async throws(SessionError) -> Void
  ) async {
    guard !records.isEmpty else { return }
    // What is no reading goes where the readings of its device go, of the same of its users.
    let users = Set(records.compactMap(DeviceUser.init))
    let others = others.filter { DeviceUser($0).map(users.contains) ?? false }
    let all = takesOthers ? records + others : records
    do throws(SessionError) {
      try await act(context.session, all)
      decisions.settle(Set(all.map(\.logID)))
      try await reload()
      update { $0.problem = nil }
    } catch {
      update { $0.problem = Problem(error) }
    }
  }

  /// A user of a device.
  private struct DeviceUser: Hashable {
    let device: String
    let slot: Int?

    init?(_ record: HealthRecord) {
      guard let device = record.source.device, let id = device.id else { return nil }
      (self.device, slot) = (id, device.userSlot)
    }
  }

  private func reload() async throws(SessionError) {
    let undecided = try await context.session.undecidedRecords()
    let held = try await context.session.heldRecords()
    let names = Set(undecided.map(\.logID))
    let (units, now) = (context.units, context.now())
    func items(_ records: [HealthRecord]) -> [ReviewItem] {
      records.filter(\.kind.isReading).map { ReviewItem($0, in: units, now: now) }
    }
    others = undecided.filter { !$0.kind.isReading }
    let (waiting, declined) = (items(undecided), items(held.filter { !names.contains($0.logID) }))
    update {
      ($0.waiting, $0.declined, $0.isLoaded) = (waiting, declined, true)
      $0.toDelete.formIntersection(declined.map(\.id))
    }
  }
}
