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
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "santorio.ingest.media")

  init(
    files: any MediaStore, records: any RecordStore, commits: CommitQueue,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.files = files
    self.records = records
    self.commits = commits
    self.log = log
  }

  /// Runs `body` after all that was submitted before.
  func submit(_ body: @escaping @Sendable (MediaQueue) -> Void) { queue.async { body(self) } }

  /// Returns when all that was submitted has run.
  func drain() { queue.sync {} }

  /// Removes the files that no row names: what a crash may have left.
  func sweep() {
    submit { media in
      do throws(IngestError) {
        let removed = try media.removeUnneeded(media.files.tidy())
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
        _ = try media.removeUnneeded(digests)
      } catch {
        media.log("an image is kept until the next start: \(error)")
      }
      completion()
    }
  }

  /// Keeps an image of a record; for what `submit` runs.
  func keep(
    _ octets: [UInt8], _ description: MediaDescription, logID: String, of account: Account,
    at date: Date
  ) throws(IngestError) -> Change.Outcome {
    // Before the work; the commit looks again.
    guard try records.record(of: account, logID: logID) != nil else { return .absent }
    try files.write(octets, as: description.digest)
    let outcome = Result { () throws(IngestError) in
      try commits.commit(.attach(description, logID: logID, of: account, at: date))
    }
    if case .success(.attached) = outcome { return try outcome.get() }
    do throws(IngestError) {
      _ = try removeUnneeded([description.digest])
    } catch {
      log("an image is kept until the next start: \(error)")
    }
    return try outcome.get()
  }

  /// The octets of an image that a row named, or nil where it is gone; for any thread.
  func octets(of digest: MediaDigest) throws(IngestError) -> [UInt8]? {
    let octets = try files.read(digest)
    if octets == nil, try records.needsMedia(digest) {
      log("an image is missing from the folder of images, or is damaged")
    }
    return octets
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
