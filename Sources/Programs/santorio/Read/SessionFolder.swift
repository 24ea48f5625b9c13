// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hub
import SantorioCore

/// What a session's folder shows in addition to the session.
enum SessionFolder {
  private static let database = "outbox.sqlite"

  /// Opens a session, and reports when a damaged file was replaced.
  static func open(_ configuration: SantorioSession.Configuration) async throws -> SantorioSession {
    let known = Set(damagedFiles(in: configuration.directory))
    let session = SantorioSession(configuration)
    try await session.open()
    let new = damagedFiles(in: configuration.directory).filter { !known.contains($0) }
    guard !new.isEmpty else { return session }
    let count = try await session.pendingCount() + session.heldCount()
    printError(
      "santorio: the queue's file was damaged or not a queue, and was replaced; \(count) records "
        + "were recovered, the old file is kept as \(new.joined(separator: ", "))")
    return session
  }

  /// The configuration of a session from which nothing is sent.
  static func configuration(
    of folder: URL
  ) throws(CommandError) -> SantorioSession.Configuration {
    // So the destination does not matter.
    guard let nowhere = URL(string: "http://localhost") else {
      throw CommandError("this system cannot parse addresses")
    }
    return SantorioSession.Configuration(directory: folder, endpoint: nowhere)
  }

  /// The names of the damaged files that were set aside.
  static func damagedFiles(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { name in
      name.hasPrefix("\(database).bad.")
        && name.dropFirst(database.count + 5).allSatisfy(\.isNumber)
    }.sorted()
  }

  /// The names of the queues that were set aside for want of their key.
  static func setAsideQueues(in folder: URL) -> Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return Set(names.filter { $0.hasPrefix("set-aside-") })
  }

  /// Checks that a folder has a queue that this process may work on.
  static func check(_ folder: URL, named path: String, for command: String) throws {
    guard unsafe access("\(folder.path)/\(database)", R_OK | W_OK) != 0 else { return }
    let number = errno
    // The queue's file is lost; opening reports it.
    let hasSession = unsafe access("\(folder.path)/\(database).session", F_OK) == 0
    guard number != ENOENT || !hasSession else { return }
    switch number {
    case ENOENT, ENOTDIR:
      try refuseHub(folder, named: path, for: command)
      throw UsageError(
        "\"\(path)\" is not the folder of a session: it has no queue.", command: command)
    case let number:
      let reason = unsafe String(cString: strerror(number))
      throw CommandError("\"\(path)\" cannot be used: \(reason).\(advice(folder))")
    }
  }

  /// Refuses the folder of a hub, which has no session of its own but one in each patient's subfolder.
  ///
  /// A session that was there before the hub is not refused, so that its readings can be sent.
  ///
  /// - Throws: ``UsageError`` with the forms that name a patient.
  static func refuseHub(
    _ folder: URL, named path: String, for command: String
  ) throws(UsageError) {
    guard HubStore.exists(in: folder), !SantorioSession.hasFiles(in: folder) else { return }
    throw UsageError(
      "\"\(path)\" is the folder of a hub, which has a queue for each patient. \"santorio hub status\" "
        + "shows the patients; --data \(folder.path)/ALIAS names one patient's queue. Devices are "
        + "paired with \"santorio hub enroll\".", command: command)
  }

  private static func advice(_ folder: URL) -> String {
    let owner = try? FileManager.default.attributesOfItem(atPath: folder.path)[.ownerAccountName]
    let name = (owner as? String) ?? "OWNER"
    return " Run the command as the folder's owner: sudo -u \(name) santorio …"
  }

  /// What to do about the archive of an ended session.
  static func advice(on archive: URL, isWithoutUser: Bool = false) -> String {
    let folder = archive.deletingLastPathComponent().path
    let option = isWithoutUser ? " --any-user" : ""
    return "They are kept in \(archive.lastPathComponent); \"santorio queue retry "
      + "\(archive.lastPathComponent)\(option) --data \(folder)\" sends them, once there is a session "
      + "again."
  }

  /// The same for the last archive of a user; nil when there is none.
  static func archiveAdvice(
    _ session: SantorioSession, of account: (user: String, organization: String)
  ) async -> String? {
    let ended = try? await session.archives().last {
      ($0.userID, $0.organizationID) == account
    }
    return ended?.archive.map { archive in
      "\((ended?.unsentRecords.count ?? 0) + (ended?.heldRecords.count ?? 0)) records were not sent. \(advice(on: archive))"
    }
  }
}
