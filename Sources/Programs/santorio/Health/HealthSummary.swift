// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitImport

/// Prints what a health store has.
struct HealthSummary {
  let store: String

  func run() throws -> Int32 {
    guard FileManager.default.fileExists(atPath: store) else {
      throw UsageError(
        "there is no health store \"\(store.printable)\". \"santorio health import\" makes one.",
        command: "health")
    }
    let system = HealthSystem(path: store, isMade: false)
    let rows = try system.sync { try $0.contents() }
    try warnOfUnfinishedImport(system)
    guard !rows.isEmpty else {
      print("The store is empty.")
      return 0
    }
    let names = rows.map { Self.short($0.type) }
    let width = names.map(\.count).max() ?? 0
    let counts = rows.map { grouped($0.count) }
    let countWidth = counts.map(\.count).max() ?? 0
    for (index, row) in rows.enumerated() {
      let name = names[index] + String(repeating: " ", count: width - names[index].count)
      let count = String(repeating: " ", count: countWidth - counts[index].count) + counts[index]
      print("\(name)  \(count)  \(day(row.first)) – \(day(row.last))")
    }
    return 0
  }

  private static func short(_ identifier: String) -> String {
    for prefix in [
      "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier",
    ]
    where identifier.hasPrefix(prefix) {
      return String(identifier.dropFirst(prefix.count)).printable
    }
    return identifier == HKWorkoutTypeIdentifier ? "Workout" : identifier.printable
  }

  private func day(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))"
  }
}

/// Says on standard error that a store has only a part of an export.
func warnOfUnfinishedImport(_ system: HealthSystem) throws {
  guard try HealthImport.isUnfinished(system) else { return }
  FileHandle.standardError.write(
    Data(
      "santorio: an import was interrupted or is under way: the store has a part of it only.\n".utf8
    ))
}
