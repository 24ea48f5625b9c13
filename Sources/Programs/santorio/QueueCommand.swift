// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

extension Command {
  static let queue = Command(
    name: "queue",
    summary: "Look at the records that a session keeps, and work on those that were refused.",
    forms: [
      "[status] --data FOLDER", "list [PART] --data FOLDER", "export [PART] --data FOLDER",
      "retry [ID ...] --data FOLDER", "discard ID ... --data FOLDER",
      "remove ARCHIVE --data FOLDER",
    ],
    options: [CommandOption("data", "FOLDER", help: "The folder of the session.")],
    details: """
      status   How much there is of everything.
      list     One line a record.
      export   The records as NDJSON in the Inform v2 form, to be piped into «santorio convert».
      retry    Puts records of the quarantine back into the queue; all of the user's unless told.
      discard  Removes records from the quarantine for good.
      remove   Removes the archive of an ended session for good.

      PART is pending (waiting for the server; what is meant unless told), held (waiting for a
      person's consent), quarantine (refused by the server or damaged) or archives (left behind by
      sessions that ended). ID is the number that «list quarantine» shows. The session may run in
      another process meanwhile.

      example: santorio queue export quarantine --data hub | santorio convert --to csv
      """
  ) { arguments in
    let queue = try Queue(arguments)
    return try await queue.run()
  }
}

/// Works on the folder of a session, beside the process that uploads from it.
private struct Queue {
  enum Part: String {
    case pending, held, quarantine, archives
  }

  private let session: Session
  private let verb: String
  private let operands: [String]

  init(_ arguments: Arguments) throws {
    verb = arguments.operands.first ?? "status"
    operands = Array(arguments.operands.dropFirst())
    guard let path = arguments["data"] else {
      throw UsageError("«queue» needs --data FOLDER, the folder of a session.", command: "queue")
    }
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    guard FileManager.default.fileExists(atPath: folder.path + "/outbox.sqlite") else {
      throw UsageError("«\(path)» is no folder of a session: it has no queue.", command: "queue")
    }
    // Nothing is sent from here, so the destination does not matter.
    guard let nowhere = URL(string: "http://localhost") else {
      throw UsageError("this system makes no addresses", command: "queue")
    }
    session = try Session(.init(directory: folder, endpoint: nowhere))
  }

  func run() async throws -> Int32 {
    switch verb {
    case "status": try await status()
    case "list": try await list(part())
    case "export": try await export(part())
    case "retry": try await retry()
    case "discard": try await discard()
    case "remove": try await remove()
    default:
      throw UsageError(
        "«\(verb)» is nothing to do with a queue; there are status, list, export, retry, discard, "
          + "remove.", command: "queue")
    }
    return 0
  }

  private func part() throws(UsageError) -> Part {
    guard operands.count <= 1, let part = Part(rawValue: operands.first ?? "pending") else {
      throw UsageError(
        "«\(verb)» takes one of pending, held, quarantine, archives.", command: "queue")
    }
    return part
  }

  private func identifiers() throws(UsageError) -> [Int64] {
    var ids: [Int64] = []
    for operand in operands {
      guard let id = Int64(operand) else {
        throw UsageError(
          "«\(operand)» is no number of a record in the quarantine; «list quarantine» shows them.",
          command: "queue")
      }
      ids.append(id)
    }
    return ids
  }

  // MARK: - Looking

  private func status() async throws {
    let images = (
      waiting: try await session.pendingImageCount(),
      refused: try await session.quarantinedImages().count
    )
    let rows = [
      ("session", try await sessionText()),
      ("pending", "\(try await session.pendingCount()) records, \(images.waiting) images"),
      ("held", "\(try await session.heldCount()) records"),
      ("quarantine", "\(try await session.quarantinedCount()) records, \(images.refused) images"),
      ("archives", "\(try await session.archives().count)"),
    ]
    for (name, text) in rows { print("\(name.padded(to: 12))\(text)") }
  }

  private func sessionText() async throws -> String {
    guard let user = try await session.user() else { return "none" }
    return user.isDefault
      ? "of the default user, whose records are not sent"
      : "of user \(user.userID), organisation \(user.organizationID)"
  }

  private func list(_ part: Part) async throws {
    switch part {
    case .quarantine:
      for record in try await session.quarantinedRecords() { print(line(record)) }
    case .archives:
      for ended in try await session.archives() {
        print(
          "\(ended.archive?.lastPathComponent ?? "–")  \(ended.unsentRecords.count) records of "
            + "\(ended.userID), \(ended.reason.rawValue)")
      }
    case .pending, .held:
      for record in try await records(of: part) { print(ReadingLine(record).text) }
    }
  }

  private func line(_ record: QuarantinedRecord) -> String {
    let place = record.failure?.path.map { " at \($0)" } ?? ""
    let reason =
      record.failure.map { failure in
        [failure.status.map(String.init), failure.code, failure.message].compactMap { $0 }
          .joined(separator: " ") + place
      } ?? "damaged on the disk"
    return "\(record.id)  \(record.date.formatted(.iso8601))  \(record.logID)  \(reason)"
  }

  private func records(of part: Part) async throws -> [HealthRecord] {
    switch part {
    case .pending: try await session.pendingRecords()
    case .held: try await session.heldRecords()
    case .archives: try await session.archives().flatMap(\.unsentRecords)
    case .quarantine: []
    }
  }

  private func export(_ part: Part) async throws {
    guard part == .quarantine else {
      for record in try await records(of: part) {
        print(String(decoding: try record.informJSON(), as: UTF8.self))
      }
      return
    }
    // As they were stored: the server may have refused what this version can no longer read.
    for record in try await session.quarantinedRecords() {
      guard record.failure != nil else {
        printError("santorio: record \(record.id) is damaged and left out")
        continue
      }
      print(String(decoding: record.octets, as: UTF8.self))
    }
  }

  // MARK: - Working

  private func retry() async throws {
    let ids = try identifiers()
    let count = try await session.retryQuarantined(ids.isEmpty ? nil : ids)
    let images = ids.isEmpty ? try await session.retryQuarantinedImages() : 0
    print("\(count) records and \(images) images wait for the server again")
  }

  private func discard() async throws {
    let ids = try identifiers()
    guard !ids.isEmpty else {
      throw UsageError("«discard» needs the numbers of the records.", command: "queue")
    }
    print("\(try await session.discardQuarantined(ids)) records removed")
  }

  private func remove() async throws {
    guard operands.count == 1 else {
      throw UsageError("«remove» needs the name of one archive.", command: "queue")
    }
    let known = try await session.archives().compactMap(\.archive)
    guard let archive = known.first(where: { $0.lastPathComponent == operands[0] }) else {
      throw UsageError(
        "there is no archive «\(operands[0])»; «list archives» shows them.", command: "queue")
    }
    try await session.removeArchive(archive)
    print("\(operands[0]) removed")
  }
}
