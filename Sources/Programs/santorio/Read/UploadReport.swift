// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCore

/// Tells what becomes of readings in a session's queue.
struct UploadReport: Sendable {
  /// How long the end of a command waits for the server.
  private static let patience = Duration.seconds(60)

  private let session: Session
  private let events: SessionEvents
  private let settled: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let isCounting: Bool

  /// Reports from now on; `isCounting` says whether ``wait(for:)`` will be called.
  init(_ session: Session, isCounting: Bool) {
    self.session = session
    self.isCounting = isCounting
    events = session.events
    (settled, continuation) = AsyncStream.makeStream(of: String.self)
  }

  /// Reports until the task is cancelled.
  func run() async {
    for await event in events {
      printError("\(event)")
      guard isCounting else { continue }
      switch event {
      case .recordSubmitted(let record, _), .recordFailed(let record, _):
        continuation.yield(record.logID)
      case .sessionEnded: continuation.finish()
      default: break
      }
    }
  }

  /// Waits until the server has answered for all records of these identifiers, for a while.
  func wait(for logIDs: Set<String>) async {
    guard isCounting, !logIDs.isEmpty else { return }
    let waiting = await withTaskGroup(of: Int.self) { group in
      group.addTask { await missing(of: logIDs) }
      group.addTask {
        try? await Task.sleep(for: Self.patience)
        return logIDs.count
      }
      defer { group.cancelAll() }
      return await group.next() ?? 0
    }
    guard waiting > 0 else { return }
    let reason = if case .waiting(let error) = session.uploadState { ": \(error)" } else { "" }
    printError("The readings are kept and will be sent by the next run\(reason)")
  }

  private func missing(of logIDs: Set<String>) async -> Int {
    var missing = logIDs
    for await logID in settled {
      missing.remove(logID)
      if missing.isEmpty { break }
    }
    return missing.count
  }
}
