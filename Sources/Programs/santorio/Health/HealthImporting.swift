// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
import Glibc
import HealthKit
import HealthKitImport

/// Imports an export, with a progress bar on a terminal.
struct HealthImporting {
  let store: String

  func run(_ file: String) throws -> Int32 {
    let bar = ProgressBar()
    do {
      let report = try HealthImport.run(file, into: HealthSystem(path: store)) { progress in
        guard let total = progress.totalBytes else { return }
        bar.show(progress.bytes, of: total, "\(grouped(progress.samples)) samples")
      }
      bar.finish()
      return show(report)
    } catch {
      bar.finish()
      throw error
    }
  }

  private func show(_ report: ImportReport) -> Int32 {
    print("\(grouped(report.added)) samples are new in \(store), \(grouped(report.known)) known.")
    if report.added > 0 {
      print(
        "Among the new ones: \(grouped(report.workouts)) workouts, \(grouped(report.correlations)) "
          + "correlations.")
    }
    if report.activitySummaries > 0 {
      print("\(grouped(report.activitySummaries)) days have an activity summary.")
    }
    if report.copies > 0 {
      print(
        "\(grouped(report.copies)) say exactly the same as the one before; sums leave them out.")
    }
    for (kind, count) in report.notImported.sorted(by: { $0.key < $1.key }) {
      print("not imported: \(grouped(count)) \(kind.printable)")
    }
    for (reason, count) in report.refused.sorted(by: { $0.key < $1.key }) {
      complain("not taken: \(grouped(count)) with \(reason.printable)")
    }
    for problem in report.problems.first { complain("\(problem)".printable) }
    if report.earlierProblems > 0 {
      complain("\(grouped(report.earlierProblems)) problems before the import was interrupted")
    }
    let more = report.problems.count - report.problems.first.count
    if more > 0 { complain("and \(grouped(more)) more of that kind") }
    if !report.isComplete {
      complain("The document has no end: the file was cut. Export it once more.")
    }
    let isClean =
      report.refused.isEmpty && report.problems.count == 0 && report.earlierProblems == 0
      && report.isComplete
    return isClean ? 0 : 1
  }

  private func complain(_ text: String) {
    FileHandle.standardError.write(Data("santorio: \(text)\n".utf8))
  }
}

/// A number with a comma between groups of three digits.
func grouped(_ number: Int) -> String {
  let digits = Array(String(number.magnitude))
  var text = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
    text.append(digit)
  }
  return text
}

/// A bar on standard error that shows how far a long work is; nothing if that is no terminal.
final class ProgressBar {
  private let isShown = isatty(STDERR_FILENO) == 1
  private var last = -1

  /// Shows how much is done.
  func show(_ done: Int, of total: Int, _ text: String) {
    let permille = total > 0 ? min(1000, done * 1000 / total) : 1000
    guard isShown, permille != last else { return }
    last = permille
    let filled = permille * 30 / 1000
    let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
    write("\r[\(bar)] \(permille / 10) %  \(text)\u{1b}[K")
  }

  /// Removes the bar.
  func finish() {
    if isShown, last >= 0 { write("\r\u{1b}[K") }
    last = -1
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
