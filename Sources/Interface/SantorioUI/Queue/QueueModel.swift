// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
public import SantorioCore

/// What waits for the server, what the server has refused, and what is kept of earlier sessions.
@MainActor public final class QueueModel: ViewModel<QueueModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// How many readings wait for the server.
    public internal(set) var waitingCount = 0
    /// How many readings wait for the person's decision.
    public internal(set) var heldCount = 0
    /// When the oldest of the waiting readings was measured; nil when none waits.
    public internal(set) var oldest: Date?
    /// What happens to the queue, and what to do.
    public internal(set) var upload = Problem(.uploadStopped)
    /// What the server has refused, the oldest first.
    public internal(set) var refused: [Refused] = []
    /// What is kept of earlier sessions, the oldest first.
    public internal(set) var archives: [Archive] = []
    /// What is asked before something is deleted; nil when nothing is.
    public internal(set) var question: Question?
    /// Why something did not work; nothing is lost by it.
    public internal(set) var problem: Problem?
  }

  /// A refused reading.
  public struct Refused: Hashable, Sendable, Identifiable {
    /// Its number in the quarantine.
    public let id: Int64
    /// When it was refused.
    public let date: Date
    /// Its values in the person's units; empty when it cannot be read, and for another person's.
    public let values: [ShownMetric]
    /// What it is, where it is no reading of the person.
    public let note: Phrase?
    /// Whether it may be the person's, who then decides about it.
    public let isOwn: Bool
    /// Why it was refused.
    public let reason: Phrase
  }

  /// What is kept of a session that has ended.
  public struct Archive: Hashable, Sendable, Identifiable {
    /// The file.
    public let id: URL
    /// How many readings there are, and why the session has ended.
    public let content: Phrase
    /// Whether it may be the person's, who then decides about it.
    public let isOwn: Bool
  }

  /// A question before something is deleted for good.
  public enum Question: Hashable, Sendable {
    /// Whether a refused reading is to be deleted.
    case discard(Int64)
    /// Whether the archive of a session is to be deleted.
    case removeArchive(URL)

    /// The question.
    public var text: Phrase {
      switch self {
      case .discard: Phrase(.confirmDiscard)
      case .removeArchive: Phrase(.confirmRemoveArchive)
      }
    }
  }

  private let session: SantorioSession
  private var units: UnitPreferences
  private var watch: SessionWatch?
  /// How often it was looked up.
  private var looks = 0

  /// A model of a session's queue.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - units: The person's units.
  public init(_ session: SantorioSession, units: UnitPreferences = UnitPreferences()) {
    self.session = session
    self.units = units
    super.init(State())
    // What another person has seen is not shown on.
    watch = session.watchSessions { [weak self] in
      Task { @MainActor [weak self] in await self?.load() }
    }
  }

  /// Looks up how it is now.
  public func load() async {
    do throws(SessionError) {
      try await reload()
      update { $0.problem = nil }
    } catch {
      update { $0.problem = Problem(error) }
    }
  }

  /// Shows the values in other units, and looks up how it is now.
  ///
  /// - Parameter units: The units.
  public func show(in units: UnitPreferences) async {
    self.units = units
    await load()
  }

  /// Shows how it is, until the task is cancelled.
  public func follow() async {
    for await _ in session.uploadStates { await load() }
  }

  /// Sends what waits now, without the pause after a failure.
  public func uploadNow() { session.processQueue() }

  /// Puts refused readings back into the queue.
  ///
  /// - Parameter id: Which; all when nil.
  public func retry(_ id: Int64? = nil) async {
    await act { session throws(SessionError) in
      try await session.retryQuarantined(id.map { [$0] })
    }
  }

  /// Puts the readings of an earlier session back into the queue.
  ///
  /// - Parameter archive: The session's file.
  public func returnArchive(_ archive: URL) async {
    await act { session throws(SessionError) in
      _ = try await session.retryArchive(archive)
    }
  }

  /// Asks whether something is to be deleted.
  ///
  /// - Parameter question: What.
  public func ask(_ question: Question) {
    switch isOwn(question) {
    case true?: update { $0.question = question }
    case false?: update { $0.problem = Problem(.notYours, .signIn) }
    case nil: update { $0.problem = Problem(.notFound) }
    }
  }

  /// Nobody deletes what another person has measured; nil for what is no longer there.
  private func isOwn(_ question: Question) -> Bool? {
    switch question {
    case .discard(let id): state.refused.first { $0.id == id }?.isOwn
    case .removeArchive(let file): state.archives.first { $0.id == file }?.isOwn
    }
  }

  /// Takes the question back.
  public func keep() { update { $0.question = nil } }

  /// Deletes what was asked about.
  public func confirmDeletion() async {
    guard let question = state.question else { return }
    keep()
    // The person may be another one by now.
    await load()
    guard state.problem == nil, isOwn(question) == true else { return }
    await act { session throws(SessionError) in
      switch question {
      case .discard(let id): _ = try await session.discardQuarantined([id])
      case .removeArchive(let archive): try await session.removeArchive(archive)
      }
    }
  }

  private func act(_ act: (SantorioSession) async throws(SessionError) -> Void) async {
    do throws(SessionError) {
      try await act(session)
      try await reload()
      update { $0.problem = nil }
    } catch {
      update { $0.problem = Problem(error) }
    }
  }

  private func reload() async throws(SessionError) {
    looks += 1
    let look = looks
    let pending = try await session.pendingRecords()
    let held = try await session.undecidedRecords().filter(\.kind.isReading).count
    let user = try await session.storedUser()
    let refused = try await session.quarantinedRecords().map { self.refused($0, for: user) }
    let archives = try await session.archives().compactMap { Self.archive($0, for: user) }
    // What was looked up before another person has signed in is not shown after that.
    guard look == looks else { return }
    let upload = Self.upload(session.uploadState, isEmpty: pending.isEmpty)
    update {
      ($0.waitingCount, $0.heldCount) = (pending.count, held)
      $0.oldest = pending.map(\.time.start).min()
      ($0.upload, $0.refused, $0.archives) = (upload, refused, archives)
    }
  }

  private static func upload(_ state: UploadState, isEmpty: Bool) -> Problem {
    switch state {
    case .stopped: Problem(.uploadStopped)
    case .idle: Problem(isEmpty ? .uploadIdle : .uploadUnderway)
    case .uploading: Problem(.uploadUnderway)
    case .waiting(let error): Problem(error)
    }
  }

  private typealias User = (userID: String, organizationID: String)

  private static func isOwn(_ owner: User, of user: User?) -> Bool {
    // Nobody knows whose a damaged one is.
    owner.userID.isEmpty || user.map { $0 == owner } ?? false
  }

  private func refused(_ record: QuarantinedRecord, for user: User?) -> Refused {
    let isOwn = Self.isOwn((record.userID, record.organizationID), of: user)
    let reading =
      isOwn && !record.userID.isEmpty ? try? HealthRecord(informJSON: record.bytes) : nil
    let isDeletion = record.deletion != nil
    return Refused(
      id: record.id, date: record.date,
      values: isDeletion ? [] : reading?.metrics.map { ShownMetric($0, in: units) } ?? [],
      note: isOwn ? isDeletion ? Phrase(.quarantinedDeletion) : nil : Phrase(.notYours),
      isOwn: isOwn, reason: Phrase(record.failure))
  }

  private static func archive(_ ended: EndedSession, for user: User?) -> Archive? {
    guard let file = ended.archive else { return nil }
    let why: TextKey =
      switch ended.reason {
      case .replaced: .archiveReplaced
      case .credentialsRefused: .archiveRefused
      case .storageDamaged: .archiveDamaged
      default: .archiveEnded
      }
    let count = ended.unsentRecords.count + ended.heldRecords.count
    return Archive(
      id: file, content: Phrase(.archiveContent, .count(count), .text(why)),
      isOwn: isOwn((ended.userID, ended.organizationID), of: user))
  }
}

extension Phrase {
  /// Why the server does not have a reading; without a failure it was damaged here.
  init(_ failure: RecordFailure?) {
    switch failure {
    case nil: self.init(.quarantineDamaged)
    case let failure? where failure.code == RecordFailure.duplicate:
      self.init(.quarantineDuplicate)
    case let failure? where failure.code == RecordFailure.notConvertible:
      self.init(.quarantineNotConvertible)
    case let failure?:
      self.init(.quarantineRefused, .verbatim(failure.status.map(String.init) ?? failure.code))
    }
  }
}
