// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioConcurrency
import SantorioSQLite

extension Outbox {
  /// Statements that insert 1, 2, … rows: one for many rows is a quarter faster than one for each.
  static let insertionSQL = (1...OutboxBatch.longest).map { count in
    let values = repeatElement("(?, ?, ?)", count: count).joined(separator: ", ")
    return "INSERT INTO q(log_id, sum, body) VALUES \(values) ON CONFLICT(log_id) DO NOTHING"
  }
  static let replacementSQL = """
    UPDATE q SET body = ?3, sum = ?2, attempts = 0, not_before = 0, held = 0 WHERE log_id = ?1
    """

  /// One call of ``submit(_:images:)``; its result is set once its commit has been tried.
  final class Submission: Sendable {
    let batches: [OutboxBatch]
    let images: [ImageItem]
    let deletions: [RecordDeletion]
    let changes: [StateChange]
    /// The session that must be current; nil for any.
    let session: Int64?
    /// Whether held records stay held.
    let leavesHeld: Bool
    /// Whether the default user may not submit them.
    let needsUser: Bool
    let result = Locked(Result<Void, SessionError>.success(()))

    init(
      _ batches: [OutboxBatch], _ images: [ImageItem], _ deletions: [RecordDeletion],
      _ changes: [StateChange], inSession session: Int64?, leavesHeld: Bool,
      needsUser: Bool
    ) {
      self.batches = batches
      self.images = images
      self.deletions = deletions
      self.changes = changes
      self.session = session
      self.leavesHeld = leavesHeld
      self.needsUser = needsUser
    }

    /// Encodes some of the batches ahead of the queue.
    ///
    /// If encryption fails here, it also fails in the queue, which reports the reason.
    func encode(_ batches: ArraySlice<OutboxBatch>, sealedBy seal: RowSeal?) {
      guard let seal else { return }
      for batch in batches { _ = try? batch.rows(sealedBy: seal) }
    }

    var isRefused: Bool {
      result.withLock { if case .failure = $0 { true } else { false } }
    }

    /// Throws what kept it from being stored.
    func check() throws(SessionError) {
      if case .failure(let error) = result.withLock({ $0 }) { throw error }
    }
  }

  /// Stores all items and changes of state or none; returns after their commit.
  ///
  /// Calls that arrive while a commit runs share the next one: the first of them to get its turn
  /// commits for all. An item replaces a waiting one of the same identifier; a held one is
  /// released, unless held records are left alone. One whose deletion waits is left out, unless it
  /// was changed later. The deletions are later than the items.
  nonisolated func submit(
    _ items: [some OutboxItem], images: [ImageItem] = [], deletions: [RecordDeletion] = [],
    changing changes: [StateChange] = [], inSession number: Int64? = nil,
    leavingHeld: Bool = false, needingUser: Bool = false
  ) async throws(SessionError) {
    let submission = Submission(
      OutboxBatch.batches(of: items), images, deletions, changes, inSession: number,
      leavesHeld: leavingHeld, needsUser: needingUser)
    let seal = currentSeal.withLock { $0 }
    if submission.batches.count > 1 {
      // Another core encodes the others while this call and the queue process the first.
      async let others: Void = submission.encode(submission.batches.dropFirst(), sealedBy: seal)
      await commit(submission, sealedBy: seal)
      await others
    } else {
      await commit(submission, sealedBy: seal)
    }
    try submission.check()
  }

  /// Stores all items or none; the caller's thread waits for their commit.
  nonisolated func submitAndWait(
    _ items: [some OutboxItem], images: [ImageItem], needingUser: Bool
  ) throws(SessionError) {
    let submission = Submission(
      OutboxBatch.batches(of: items), images, [], [], inSession: nil, leavesHeld: false,
      needsUser: needingUser)
    submission.encode(submission.batches[...], sealedBy: currentSeal.withLock { $0 })
    arrivals.withLock { $0.append(submission) }
    try wait { (outbox: isolated Outbox) throws(SessionError) in
      outbox.commitArrivals()
      try submission.check()
    }
  }

  private nonisolated func commit(_ submission: Submission, sealedBy seal: RowSeal?) async {
    submission.encode(submission.batches.prefix(1), sealedBy: seal)
    arrivals.withLock { $0.append(submission) }
    // A call that was served earlier may already have committed it.
    await commitArrivals()
  }

  private func commitArrivals() {
    var submissions = arrivals.withLock { arrivals in
      defer { arrivals = [] }
      return arrivals
    }
    // Those for which there is no space are left out, and the others are tried again.
    while !submissions.isEmpty {
      commit(submissions)
      guard submissions.contains(where: \.isRefused) else { break }
      submissions.removeAll(where: \.isRefused)
    }
  }

  private func commit(_ submissions: [Submission]) {
    do throws(SessionError) {
      try transaction {
        guard let session = try currentSession() else { throw SessionError.needsSession }
        for submission in submissions {
          guard submission.session == nil || submission.session == session.id else {
            submission.result.withLock { $0 = .failure(.otherSession) }
            throw SessionError.otherSession
          }
          guard !(submission.needsUser && session.isOffline) else {
            submission.result.withLock { $0 = .failure(.defaultUser) }
            throw SessionError.defaultUser
          }
          try insert(submission, session: session.id)
        }
      }
    } catch {
      let refused = submissions.first(where: \.isRefused).map { [$0] } ?? submissions
      for submission in refused { submission.result.withLock { $0 = .failure(error) } }
    }
    removeFilesOfDeleted()
    commitCount += 1
  }

  private func insert(_ submission: Submission, session: Int64) throws {
    let seal = try seal
    do {
      try takeRoom(submission.images.reduce(0) { $0 + $1.bytes.count })
      for batch in submission.batches {
        let rows = try batch.rows(sealedBy: seal)
        try takeRoom(rows.byteCount, inPlaceOf: rows)
        try insert(rows, seal, leavingHeld: submission.leavesHeld)
      }
      for deletion in submission.deletions { try store(deletion, session: session) }
    } catch let error as SessionError where error.code == .outboxFull {
      submission.result.withLock { $0 = .failure(error) }
      throw error
    }
    for image in submission.images { try insert(image, session: session) }
    for change in submission.changes { try write(change) }
  }

  /// Stores rows; each replaces one that waits under its identifier.
  private func insert(_ rows: SQLiteRows, _ seal: RowSeal, leavingHeld: Bool) throws {
    let inserted = try statement(Self.insertionSQL[rows.count - 1]).run(rows)
    guard inserted < rows.count else { return }
    for row in 0..<rows.count
    where try !isDecided(rows, row, seal) && !(leavingHeld && isHeld(rows.name(row))) {
      try statement(Self.replacementSQL).run(rows, row: row)
    }
  }

  /// Whether the same content is already waiting to be sent, or a deletion that is later.
  private func isDecided(_ rows: SQLiteRows, _ row: Int, _ seal: RowSeal) throws -> Bool {
    let name = rows.name(row)
    let found = try database.prepare("SELECT body, held FROM q WHERE log_id = ?")
      .first(.blob(name)) { ($0.blob(0), $0.integer(1) != 0) }
    guard let (sealed, isHeld) = found, !isHeld, let logID = seal.logID(of: name) else {
      return false
    }
    let place = SealedPlace.queued(logID)
    guard let waiting = seal.open(sealed, as: place),
      let new = seal.open(rows.bytes(row), as: place)
    else { return false }
    if let deletion = RecordDeletion(stored: waiting) {
      let isDeleted = deletion.supersedes(form: new)
      if isDeleted { SantorioSession.log(.outbox, "a deleted record came again and is left out") }
      return isDeleted
    }
    return waiting == new
  }

  private func isHeld(_ name: [UInt8]) throws -> Bool {
    try statement("SELECT held FROM q WHERE log_id = ?").first(.blob(name)) { $0.integer(0) != 0 }
      ?? false
  }

  /// Throws if there is not enough space; rows that replace others need less.
  ///
  /// The file is not measured each time, but again after a small part of the space may be used,
  /// since other processes fill it as well.
  func takeRoom(_ bytes: Int, inPlaceOf rows: SQLiteRows? = nil) throws {
    if bytes <= unmeasuredRoom {
      unmeasuredRoom -= bytes
      return
    }
    let room = maximumBytes - (try usedBytes())
    if bytes > room {
      let replaced = try rows.map(bytesWaiting) ?? 0
      guard replaced > 0, bytes - replaced <= max(room, 0) else {
        throw SessionError(
          .outboxFull,
          "the waiting records have reached \(maximumBytes) bytes; submit again after an upload")
      }
    }
    unmeasuredRoom = max(room - bytes, 0) / 16
  }

  /// The bytes that wait under the identifiers of the rows.
  private func bytesWaiting(under rows: SQLiteRows) throws -> Int {
    let size = try database.prepare(
      "SELECT length(log_id) + length(body) FROM q WHERE log_id = ?")
    return try (0..<rows.count).reduce(0) { sum, row in
      try sum + (size.first(.blob(rows.name(row))) { Int($0.integer(0)) } ?? 0)
    }
  }
}

extension RecordDeletion {
  /// The same as ``supersedes(_:)`` for a stored form.
  func supersedes(form: [UInt8]) -> Bool {
    (try? HealthRecord(informJSON: form)).map(supersedes) ?? true
  }
}
