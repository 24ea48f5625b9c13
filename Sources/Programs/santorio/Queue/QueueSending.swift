// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// Sends what a session's queue holds, until nothing is due or an error stops it.
struct QueueSending: Sendable {
  /// Why it ended.
  private enum End: Sendable {
    case settled(SessionError?)
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
    let error = try await upload(UploadReport(session, of: owner, isCounting: false))
    if let owner, await owner.hasEnded() {
      printError(await owner.endMessage())
      return 1
    }
    let after = try await Counts(session)
    print(Self.text(before, after))
    if let error { printError("santorio: not everything was sent: \(error)") }
    for line in after.leftovers { printError("santorio: \(line)") }
    return error == nil && after.isEmpty ? 0 : 1
  }

  /// Uploads while there is something to send, and returns what stopped it.
  private func upload(_ report: UploadReport) async throws -> SessionError? {
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
      group.addTask { .settled(await session.settledUpload()) }
      group.addTask {
        await stop.wait()
        return .stopped
      }
      defer { group.cancelAll() }
      for try await end in group {
        if case .settled(let error) = end { return error }
        if case .stopped = end { throw CommandError("interrupted") }
      }
      return nil
    }
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
