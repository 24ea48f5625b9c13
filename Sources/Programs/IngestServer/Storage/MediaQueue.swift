// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import SantorioConcurrency

/// Keeps image files and the rows that name them consistent.
///
/// A file is written before its row and removed after it. So a crash in between may leave a file
/// without a row, which a later start removes, but never a row without its file. All writes and
/// removals of files run on one queue, so that no file is removed that another request is about to
/// need.
final class MediaQueue: Sendable {
  private let files: any MediaStore
  private let records: any RecordStore
  private let commits: CommitQueue
  private let now: @Sendable () -> Date
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "santorio.ingest.media")

  init(
    files: any MediaStore, records: any RecordStore, commits: CommitQueue,
    now: @escaping @Sendable () -> Date, log: @escaping @Sendable (String) -> Void
  ) {
    self.now = now
    self.files = files
    self.records = records
    self.commits = commits
    self.log = log
  }

  /// Runs `body` after everything submitted before.
  func submit(_ body: @escaping @Sendable (MediaQueue) -> Void) { queue.async { body(self) } }

  /// Returns when everything submitted has run.
  func drain() { queue.sync {} }

  /// Removes files left by deletions and interrupted writes, and old images without a row.
  ///
  /// A crash may leave images without a row; they are removed if they were written before `date`.
  /// They stay if the storage is new or not the one that the images belong to, because then no
  /// image has a row.
  func sweep(olderThan date: Date) {
    submit { media in
      do throws(IngestError) {
        try media.release(media.records.pendingRemovals())
        try media.files.removePartials()
        guard try media.files.belongs(to: media.records.identity()) else {
          return media.log(
            "the image folder belongs to another storage; images without a record are kept")
        }
        let removed = try media.removeUnneeded(media.files.images(olderThan: date))
        if removed > 0 { media.log("removed images without a record count=\(removed)") }
      } catch {
        media.log("cannot clean up the image folder: \(error)")
      }
    }
  }

  /// Removes images that no record has any more, then calls `completion` on any thread.
  ///
  /// Images that cannot be removed now are removed at the next start.
  func release(_ digests: [MediaDigest], completion: @escaping @Sendable () -> Void) {
    guard !digests.isEmpty else { return completion() }
    submit { media in
      do throws(IngestError) {
        try media.release(digests)
      } catch {
        media.log("an image is kept until the next start: \(error)")
      }
      completion()
    }
  }

  private func release(_ digests: [MediaDigest]) throws(IngestError) {
    guard !digests.isEmpty else { return }
    _ = try removeUnneeded(digests)
    commits.submit(Change(.removed(digests), at: now())) { _ in }
  }

  /// Creates the file of an image that is being received; may be called on any thread.
  func makePartial(_ digest: MediaDigest) throws(IngestError) -> PartialImage {
    try files.makePartial(digest)
  }

  /// Keeps an image of a record; to be called within `submit`.
  func keep(
    _ partial: PartialImage, _ description: MediaDescription, logID: String, of account: Account,
    by caller: Caller, at date: Date
  ) throws(IngestError) -> Change.Outcome {
    // Checked early; the commit checks again.
    guard try records.media(of: account, logID: logID) != nil else { return .absent }
    try files.keep(partial)
    let outcome = Result { () throws(IngestError) in
      try commits.commit(
        Change(.attach(description, logID: logID, of: account), by: caller, at: date))
    }
    if case .success(.attached) = outcome { return try outcome.get() }
    do throws(IngestError) {
      _ = try removeUnneeded([description.digest])
    } catch {
      log("an image is kept until the next start: \(error)")
    }
    return try outcome.get()
  }

  /// Opens an image that a row named; nil if it is gone; may be called on any thread.
  func open(_ digest: MediaDigest) throws(IngestError) -> OpenImage? {
    let image = try files.open(digest)
    if image == nil, try records.needsMedia(digest) {
      log("an image is missing from the image folder or damaged")
    }
    return image
  }

  private func removeUnneeded(_ digests: [MediaDigest]) throws(IngestError) -> Int {
    var removed = 0
    for digest in digests where try !records.needsMedia(digest) {
      try files.remove(digest)
      removed += 1
    }
    return removed
  }
}

extension CommitQueue {
  /// Commits a change and waits for it; must not be called on the server's threads.
  fileprivate func commit(_ change: Change) throws(IngestError) -> Change.Outcome {
    let done = DispatchSemaphore(value: 0)
    let result = Locked<Result<Change.Outcome, IngestError>?>(nil)
    submit(change) { outcome in
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    guard let outcome = result.withLock({ $0 }) else {
      throw IngestError(.unavailable, "the storage did not respond")
    }
    return try outcome.get()
  }
}
