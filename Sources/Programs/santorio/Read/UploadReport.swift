// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

/// Reports what happens to readings in a session's queue.
struct UploadReport: Sendable {
  /// How long the end of a command waits for the server.
  private static let timeout = Duration.seconds(60)

  private let session: SantorioSession
  private let owner: SessionOwner?
  private let events: SessionEvents
  private let settled: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let isCounting: Bool

  /// Reports from now on; `isCounting` says whether ``wait(for:)`` will be called.
  init(_ session: SantorioSession, of owner: SessionOwner?, isCounting: Bool) {
    self.session = session
    self.owner = owner
    self.isCounting = isCounting
    events = session.events
    (settled, continuation) = AsyncStream.makeStream(of: String.self)
  }

  /// Reports until the task is cancelled, or the session of the command's user has ended.
  ///
  /// - Returns: Whether it has ended.
  func run() async -> Bool {
    for await event in events {
      printError(Self.text(event))
      switch event {
      case .recordSubmitted(let record, _), .recordFailed(let record, _):
        if isCounting { continuation.yield(record.logID) }
      // A reading that was deleted before is not sent again.
      case .deletionDelivered(let deletion), .deletionFailed(let deletion, _):
        if isCounting { continuation.yield(deletion.logID) }
      case .sessionEnded:
        // An older session's end may be reported late.
        guard await owner?.hasEnded() ?? false else { continue }
        continuation.finish()
        return true
      default: break
      }
    }
    return false
  }

  /// Reports each change of what blocks the upload, until the task is cancelled.
  func watch() async {
    var lines = UploadStateLines()
    for await state in session.uploadStates {
      if let line = lines.line(for: state) { printError(line) }
    }
  }

  /// An event for display, with the files that it is about.
  static func text(_ event: SessionEvent) -> String {
    switch event {
    case .storageRecovered(let damage): "\(event), see \(damage.damagedFile.lastPathComponent)"
    case .sessionEnded(let ended):
      ended.archive.map { archive in
        let isWithoutUser = ["", SantorioUser.default.userID].contains(ended.userID)
        return "\(event). \(SessionFolder.advice(on: archive, isWithoutUser: isWithoutUser))"
      } ?? "\(event)"
    default: "\(event)"
    }
  }

  /// Waits until the server has answered for all records of these identifiers, for a while.
  func wait(for logIDs: Set<String>) async {
    guard isCounting, !logIDs.isEmpty else { return }
    let waiting = await Self.withTimeout(orElse: logIDs.count) { await missing(of: logIDs) }
    // The caller reports a session that has ended.
    guard waiting > 0, await owner?.hasEnded() != true else { return }
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

  /// Waits until nothing of the queue is due, for a while.
  func waitUntilSettled() async {
    await Self.withTimeout(orElse: ()) { _ = await session.settledUpload() }
  }

  private static func withTimeout<Value: Sendable>(
    orElse fallback: Value, _ body: @escaping @Sendable () async -> Value
  ) async -> Value {
    await withTaskGroup(of: Value.self) { group in
      group.addTask { await body() }
      group.addTask {
        try? await Task.sleep(for: timeout)
        return fallback
      }
      defer { group.cancelAll() }
      return await group.next() ?? fallback
    }
  }
}

extension SantorioSession {
  /// Waits until the upload, which another task runs, has nothing to send now or is blocked.
  ///
  /// - Returns: Why it is blocked; nil when nothing is due, or the task was cancelled.
  func settledUpload() async -> SessionError? {
    for await state in uploadStates {
      switch state {
      case .idle: return nil
      case .waiting(let error): return error
      case .stopped, .uploading: break
      }
    }
    return nil
  }
}
