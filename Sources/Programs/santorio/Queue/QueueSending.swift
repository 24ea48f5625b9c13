// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// Sends the contents of a session's queue, until it is empty or nothing more can be sent for now.
struct QueueSending: Sendable {
  /// The longest time in which nothing leaves the queue, with the pauses between attempts.
  private static let patience = Duration.seconds(60)

  /// The reason why records or images stay in the queue.
  private enum Obstacle: Sendable {
    case error(SessionError)
    /// The server gave no result. The time is that until the next attempt, nil if none is planned.
    case pause(Duration?)
  }

  /// The reason why the command ends.
  private enum End: Sendable {
    case settled(Obstacle?)
    case stopped
    case other
  }

  /// The contents of the queue before and after.
  private struct Counts {
    let pending, images, quarantine, refusedImages, archives, held: Int

    init(_ session: SantorioSession) async throws(SessionError) {
      pending = try await session.pendingCount()
      images = try await session.pendingImageCount()
      quarantine = try await session.quarantinedCount()
      refusedImages = try await session.quarantinedImages().count
      archives = try await session.archives().count
      held = try await session.heldCount()
    }

    /// Whether the server has everything that may be sent.
    var isEmpty: Bool {
      [pending, images, quarantine, refusedImages, archives].allSatisfy { $0 == 0 }
    }

    /// What in the folder is not being sent to the server, and how to list it.
    var leftovers: [String] {
      var lines: [String] = []
      if quarantine + refusedImages > 0 {
        lines.append(
          "\(quarantine) records and \(refusedImages) images were refused or are damaged; \"santorio queue "
            + "list quarantine\" shows them")
      }
      if archives > 0 {
        lines.append(
          "\(archives) archives of earlier sessions have not been sent; \"santorio queue list archives\" "
            + "shows them")
      }
      if held > 0 {
        lines.append(
          "\(held) records are held until the user consents; \"santorio queue list held\" "
            + "shows them")
      }
      return lines
    }
  }

  private let session: SantorioSession

  init(_ session: SantorioSession) { self.session = session }

  func run() async throws -> Int32 {
    let owner = try await SessionOwner(session)
    let before = try await Counts(session)
    let obstacle = try await upload(UploadReport(session, of: owner, isCounting: false))
    if let owner, await owner.hasEnded() {
      printError(await owner.endMessage())
      return 1
    }
    let after = try await Counts(session)
    print(Self.text(before, after))
    let reason = Self.reason(obstacle, after)
    if let reason { printError("santorio: \(reason)") }
    for line in after.leftovers { printError("santorio: \(line)") }
    return reason == nil && after.isEmpty ? 0 : 1
  }

  /// Uploads while there is something to send, and returns the obstacle that stopped it.
  private func upload(_ report: UploadReport) async throws -> Obstacle? {
    let stop = await StopSignal()
    return try await withThrowingTaskGroup(of: End.self) { group in
      group.addTask {
        try await session.run()
        return .other
      }
      group.addTask {
        _ = await report.run()
        return .other
      }
      group.addTask { .settled(try await settled()) }
      group.addTask {
        await stop.wait()
        return .stopped
      }
      defer { group.cancelAll() }
      for try await end in group {
        if case .settled(let obstacle) = end { return obstacle }
        if case .stopped = end { throw CommandError("interrupted") }
      }
      return nil
    }
  }

  /// Waits until the queue is empty, an error stops the upload, or nothing leaves the queue for a while.
  ///
  /// The server may give results for some records of a batch only. The upload sends the others again by
  /// itself after a pause.
  private func settled() async throws(SessionError) -> Obstacle? {
    let clock = ContinuousClock()
    var (fewest, lastProgress) = (Int.max, clock.now)
    while !Task.isCancelled {
      if let error = await session.settledUpload() { return .error(error) }
      let waiting = try await session.pendingCount() + session.pendingImageCount()
      guard waiting > 0 else { return nil }
      if waiting < fewest { (fewest, lastProgress) = (waiting, clock.now) }
      let pause = try await session.timeUntilNextAttempt()
      guard let pause, clock.now + pause < lastProgress + Self.patience else {
        return .pause(pause)
      }
      // The upload looks for due records at the same time as this task.
      try? await clock.sleep(for: pause + .milliseconds(100))
    }
    return nil
  }

  /// The reason why records or images still wait, with the remedy; nil if none does.
  private static func reason(_ obstacle: Obstacle?, _ after: Counts) -> String? {
    if case .error(let error)? = obstacle { return "not everything was sent: \(error)" }
    guard after.pending + after.images > 0 else { return nil }
    let waiting = "\(after.pending) records and \(after.images) images"
    if case .pause(let pause?)? = obstacle {
      let seconds = Int((pause / .seconds(1)).rounded(.up))
      return "the server has given no result for \(waiting); they are due again in \(seconds) "
        + "seconds, so run the command again then"
    }
    return after.pending > 0
      ? "\(waiting) still wait; run the command again"
      : "\(after.images) images wait until the server has their records"
  }

  private static func text(_ before: Counts, _ after: Counts) -> String {
    let refused = max(0, after.quarantine - before.quarantine)
    let refusedImages = max(0, after.refusedImages - before.refusedImages)
    let sent = max(0, before.pending - after.pending - refused)
    let sentImages = max(0, before.images - after.images - refusedImages)
    return
      "\(sent) records and \(sentImages) images sent, \(refused) and \(refusedImages) refused; "
      + "\(after.pending) and \(after.images) wait"
  }
}
