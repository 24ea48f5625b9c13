// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore

/// The readings that wait for a person, also after the app was ended; and those that were declined.
@MainActor public final class ReviewModel: ViewModel<ReviewModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The readings on which nobody has decided, the oldest first.
    public internal(set) var waiting: [ReviewItem] = []
    /// The readings that were declined and are still there, the oldest first.
    public internal(set) var declined: [ReviewItem] = []
    /// The readings from before their device was paired, which are not sent, the oldest first.
    public internal(set) var older: [ReviewItem] = []
    /// The declined or older readings whose deletion waits for a confirmation.
    public internal(set) var toDelete: Set<String> = []
    /// Why something did not work; the readings are where they were.
    public internal(set) var problem: Problem?
    /// Whether they were looked up.
    public internal(set) var isLoaded = false

    /// Whether there is nothing to show.
    public var isEmpty: Bool {
      isLoaded && waiting.isEmpty && declined.isEmpty && older.isEmpty
    }
  }

  private var context: CaptureContext
  private let decisions: PendingDecisions
  /// What was held back with the readings and is none.
  private var others: [HealthRecord] = []
  private var watch: SessionWatch?
  /// How often they were looked up.
  private var looks = 0

  /// A model of what is held back; ``load()`` looks it up.
  ///
  /// - Parameter context: Whose readings they are.
  public convenience init(_ context: CaptureContext) { self.init(context, .of(context.session)) }

  init(_ context: CaptureContext, _ decisions: PendingDecisions) {
    self.context = context
    self.decisions = decisions
    super.init(State())
    // What another person has seen is not shown on.
    watch = context.session.watchSessions { [weak self] in
      Task { @MainActor [weak self] in
        if (self?.looks ?? 0) > 0 { await self?.load() }
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

  /// Shows the values in other units, and looks up what waits.
  ///
  /// - Parameter units: The units.
  public func show(in units: UnitPreferences) async {
    context.units = units
    await load()
  }

  /// Sends readings that wait.
  ///
  /// - Parameter ids: The readings; all when nil.
  public func confirm(_ ids: Set<String>? = nil) async {
    await decide(chosen(ids, of: state.waiting), areSent: true) {
      _, records throws(SessionError) in
      try await context.receiver.releaseHeld(records, decidedBy: UserDecision.appUser)
    }
  }

  /// Keeps readings that wait from being sent; they are shown as declined from then on.
  ///
  /// - Parameter ids: The readings; all when nil.
  public func decline(_ ids: Set<String>? = nil) async {
    await decide(chosen(ids, of: state.waiting), areSent: false) {
      session, records throws(SessionError) in
      try await session.declineHeld(records)
    }
  }

  /// Sends readings that were declined.
  ///
  /// - Parameter ids: The readings; all when nil.
  public func sendDeclined(_ ids: Set<String>? = nil) async {
    await send(chosen(ids, of: state.declined))
  }

  /// Sends readings from before their device was paired.
  ///
  /// - Parameter ids: The readings; all when nil.
  public func sendOlder(_ ids: Set<String>? = nil) async {
    await send(chosen(ids, of: state.older))
  }

  private func send(_ records: [HealthRecord]) async {
    await decide(records, areSent: true) { _, records throws(SessionError) in
      try await context.receiver.releaseHeld(records, decidedBy: UserDecision.appUser)
    }
  }

  /// Asks whether declined or older readings are to be deleted.
  ///
  /// - Parameter ids: The readings.
  public func askToDelete(_ ids: Set<String>) {
    update { $0.toDelete = ids.intersection(($0.declined + $0.older).map(\.id)) }
  }

  /// Takes the question back.
  public func keepDeclined() { update { $0.toDelete = [] } }

  /// Deletes the readings that were asked about.
  public func confirmDeletion() async {
    let ids = state.toDelete
    update { $0.toDelete = [] }
    guard !ids.isEmpty else { return }
    // What nobody has decided on stays.
    await decide(chosen(ids, of: state.declined + state.older), areSent: false, takesOthers: false)
    {
      session, records throws(SessionError) in
      try await session.discardHeld(records)
    }
  }

  private func chosen(_ ids: Set<String>?, of items: [ReviewItem]) -> [HealthRecord] {
    items.map(\.record).filter { ids?.contains($0.logID) ?? true }
  }

  private func decide(
    _ records: [HealthRecord], areSent: Bool, takesOthers: Bool = true,
    _ act: (SantorioSession, [HealthRecord]) async throws(SessionError) -> Void
  ) async {
    guard !records.isEmpty else { return }
    // What is no reading goes where the readings of its device go, of the same of its users.
    let users = Set(records.compactMap(DeviceUser.init))
    let others = others.filter { DeviceUser($0).map(users.contains) ?? false }
    let all = takesOthers ? records + others : records
    do throws(SessionError) {
      try await act(context.session, all)
      decisions.settle(Set(all.map(\.logID)), areSent: areSent)
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
    looks += 1
    let look = looks
    let held = try await context.session.heldRecords()
    let names = try await context.session.declined(among: held.map(\.logID))
    let undecided = held.filter { !names.contains($0.logID) }
    let (units, now) = (context.units, context.now())
    let olderNames = Set(try await context.session.olderRecords().map(\.logID))
    let waiting = await Self.items(undecided, units, now)
    let older = await Self.items(held.filter { olderNames.contains($0.logID) }, units, now)
    let declined = await Self.items(
      held.filter { names.contains($0.logID) && !olderNames.contains($0.logID) }, units, now)
    // What was looked up before another person has signed in is not shown after that.
    guard look == looks else { return }
    others = undecided.filter { !$0.kind.isReading }
    update {
      ($0.waiting, $0.declined, $0.older, $0.isLoaded) = (waiting, declined, older, true)
      $0.toDelete.formIntersection((declined + older).map(\.id))
    }
  }

  /// Elsewhere than on the main thread: there may be thousands.
  @concurrent private nonisolated static func items(
    _ records: [HealthRecord], _ units: UnitPreferences, _ now: Date
  ) async -> [ReviewItem] {
    records.filter(\.kind.isReading).map { ReviewItem($0, in: units, now: now) }
  }
}
