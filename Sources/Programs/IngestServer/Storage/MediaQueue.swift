// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import SantorioConcurrency

/// Brings the files of images and the rows that name them together.
///
/// A file is written before its row and removed after it, so that a crash in between leaves a file
/// without a row, which the next start removes, and never a row without its file. Everything that
/// writes or removes files runs on one queue: no file is removed that another request is just
/// about to need.
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

  /// Runs `body` after all that was submitted before.
  func submit(_ body: @escaping @Sendable (MediaQueue) -> Void) { queue.async { body(self) } }

  /// Returns when all that was submitted has run.
  func drain() { queue.sync {} }

  /// Removes what deletions and interrupted writes have left, and the images that no row names and
  /// that were written before a date: what a crash may have left.
  ///
  /// To a storage that was made anew, or that is not the one the images belong to, all of them look
  /// like that; then they stay.
  func sweep(olderThan date: Date) {
    submit { media in
      do throws(IngestError) {
        try media.release(media.records.owedRemovals())
        try media.files.removePartials()
        guard try media.files.belongs(to: media.records.identity()) else {
          return media.log(
            "the folder of images belongs to another storage; images without a record stay")
        }
        let removed = try media.removeUnneeded(media.files.images(olderThan: date))
        if removed > 0 { media.log("removed images without a record count=\(removed)") }
      } catch {
        media.log("the folder of images cannot be tidied: \(error)")
      }
    }
  }

  /// Removes what a deletion left without a record, then calls `completion`, on any thread.
  ///
  /// What cannot be removed now goes at the next start.
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

  /// Makes a place for an image that is being received; for any thread.
  func makePartial(_ digest: MediaDigest) throws(IngestError) -> PartialImage {
    try files.makePartial(digest)
  }

  /// Keeps an image of a record; for what `submit` runs.
  func keep(
    _ partial: PartialImage, _ description: MediaDescription, logID: String, of account: Account,
    by caller: Caller, at date: Date
  ) throws(IngestError) -> Change.Outcome {
    // Before the work; the commit looks again.
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

  /// Opens an image that a row named, or nil where it is gone; for any thread.
  func open(_ digest: MediaDigest) throws(IngestError) -> OpenImage? {
    let image = try files.open(digest)
    if image == nil, try records.needsMedia(digest) {
      log("an image is missing from the folder of images, or is damaged")
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
  /// Commits a change and waits for it; not for the server's threads.
  fileprivate func commit(_ change: Change) throws(IngestError) -> Change.Outcome {
    let done = DispatchSemaphore(value: 0)
    let result = Locked<Result<Change.Outcome, IngestError>?>(nil)
    submit(change) { outcome in
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    guard let outcome = result.withLock({ $0 }) else {
      throw IngestError(.unavailable, "the storage gave no answer")
    }
    return try outcome.get()
  }
}
