// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioCore

extension Queue {
  func status() async throws {
    let images = (
      waiting: try await session.pendingImageCount(),
      refused: try await session.quarantinedImages().count
    )
    let deletions = try await session.pendingDeletions().count
    let records = try await session.pendingCount() - deletions
    var rows = [
      ("session", try await sessionText()),
      (
        "pending",
        "\(max(0, records)) records, \(images.waiting) images"
          + (deletions > 0 ? ", \(deletions) deletions" : "")
      ),
      ("held", try await heldText()),
      ("quarantine", "\(try await session.quarantinedCount()) records, \(images.refused) images"),
      ("archives", "\(try await session.archives().count)"),
    ]
    let damaged = SessionFolder.damagedFiles(in: session.directory)
    if !damaged.isEmpty { rows.append(("damaged", damaged.joined(separator: ", "))) }
    for queue in try await session.setAsideQueues() { rows.append(("set aside", Self.text(queue))) }
    for (name, text) in rows { print("\(name.padded(to: 12))\(text)") }
  }

  private func heldText() async throws -> String {
    let older = try await session.olderCount()
    let held = try await session.heldCount() - older
    let declined = held - (try await session.undecidedRecords().count)
    return "\(held) records" + (declined > 0 ? ", \(declined) of them declined" : "")
      + (older > 0 ? "; \(older) older than the pairing of their device" : "")
  }

  private func sessionText() async throws -> String {
    guard let user = try await session.storedUser() else { return "none" }
    return user == (SantorioUser.default.userID, SantorioUser.default.organizationID)
      ? "of the default user, whose records are not sent"
      : "of user \(user.userID), organisation \(user.organizationID)"
  }

  static func text(_ queue: SetAsideQueue) -> String {
    let count = queue.records.map { "\($0) records" } ?? "an unknown number of records"
    return "\(count) in \(queue.folder.lastPathComponent), which need their key"
  }

  func list(_ part: Part) async throws {
    switch part {
    case .quarantine:
      for record in try await session.quarantinedRecords() { print(line(record)) }
      for image in try await session.quarantinedImages() { print(line(image)) }
    case .archives:
      for ended in try await session.archives() {
        let user = ended.userID.isEmpty ? "an unknown user" : ended.userID
        let held = ended.heldRecords.isEmpty ? "" : ", \(ended.heldRecords.count) more held"
        print(
          "\(ended.archive?.lastPathComponent ?? "–")  \(ended.unsentRecords.count) records of "
            + "\(user)\(held)\(Self.text(of: ended.unsentDeletions)), \(ended.reason)")
      }
    case .held, .older:
      for record in try await records(of: part) {
        let slot =
          record.source.device?.userSlot.map { slot in
            "  \(record.deviceModel?.name(ofUserIn: slot) ?? "slot \(slot)")"
          } ?? ""
        print("\(record.logID.printable)  \(ReadingLine(record).text)\(slot)")
      }
    case .pending:
      for record in try await records(of: part) { print(ReadingLine(record).text) }
      for deletion in try await session.pendingDeletions() { print(Self.line(deletion)) }
    }
  }

  /// A deletion in a list; nothing is known of the record but its identifier.
  static func line(_ deletion: RecordDeletion) -> String {
    "\(deletion.noticed.formatted(.iso8601))  \(deletion), \(deletion.logID)".printable
  }

  private static func text(of deletions: [RecordDeletion]) -> String {
    deletions.isEmpty ? "" : ", \(deletions.count) deletions"
  }

  private func line(_ record: QuarantinedRecord) -> String {
    let reason = record.failure.map(text) ?? "damaged on the disk"
    let what = record.deletion.map { "\($0): " } ?? ""
    return "\(record.id)  \(record.date.formatted(.iso8601))  \(record.logID)  \(what)\(reason)"
      .printable
  }

  private func line(_ image: QuarantinedImage) -> String {
    let name = ImageOperand.prefix + image.media.sha256.prefix(12)
    return "\(name)  \(image.logID)  \(text(image.failure))".printable
  }

  private func text(_ failure: RecordFailure) -> String {
    [failure.status.map(String.init), failure.code, failure.message].compactMap { $0 }
      .joined(separator: " ") + (failure.path.map { " at \($0)" } ?? "")
  }

  /// The held records, without those that are older than the pairing of their device.
  private func heldRecords() async throws -> [HealthRecord] {
    let older = Set(try await session.olderRecords().map(\.logID))
    return try await session.heldRecords().filter { !older.contains($0.logID) }
  }

  func records(of part: Part) async throws -> [HealthRecord] {
    switch part {
    case .pending: try await session.pendingRecords()
    case .held: try await heldRecords()
    case .older: try await session.olderRecords()
    case .archives: try await session.archives().flatMap { $0.unsentRecords + $0.heldRecords }
    case .quarantine: []
    }
  }
}
