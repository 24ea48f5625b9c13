// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioCore

extension Queue {
  /// The formats of an export.
  enum ExportForm: String, CaseIterable {
    case inform
    case openMHealth = "open-mhealth"

    static let names = allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// Prints the records of a part; the exit status is 1 when one cannot be converted.
  func export(_ part: Part) async throws -> Int32 {
    let stored = try await stored(part)
    switch exportForm {
    case .inform:
      for record in stored { print(String(decoding: record.bytes, as: UTF8.self)) }
      for deletion in try await deletions(of: part) {
        print(String(decoding: try deletion.json(), as: UTF8.self))
      }
      return 0
    case .openMHealth: return convert(stored)
    }
  }

  private func convert(_ stored: [(name: String, bytes: [UInt8])]) -> Int32 {
    var lines = OpenMHealthLines()
    var status: Int32 = 0
    for (name, bytes) in stored {
      do throws(RecordError) {
        try lines.write(HealthRecord(informJSON: bytes), from: "record \(name)")
      } catch {
        printError("santorio: record \(name): \(error)".printable)
        status = 1
      }
    }
    if let summary = lines.summary { printError("santorio: \(summary)") }
    return status
  }

  /// The deletions of a part; those in the quarantine are among its records.
  private func deletions(of part: Part) async throws -> [RecordDeletion] {
    switch part {
    case .pending: try await session.pendingDeletions()
    case .archives: try await session.archives().flatMap(\.unsentDeletions)
    case .held, .older, .quarantine: []
    }
  }

  /// The Inform v2 form of the records of a part, by their names in the list.
  private func stored(_ part: Part) async throws -> [(name: String, bytes: [UInt8])] {
    guard part == .quarantine else {
      return try await records(of: part).map { ($0.logID, try $0.informJSON()) }
    }
    // As they were stored: the server may have refused what this version can no longer read.
    return try await session.quarantinedRecords().compactMap { record in
      guard record.failure != nil else {
        printError("santorio: record \(record.id) is damaged and left out")
        return nil
      }
      guard record.deletion == nil || exportForm == .inform else {
        printError("santorio: record \(record.id) is a deletion and left out")
        return nil
      }
      return ("\(record.id)", record.bytes)
    }
  }
}
