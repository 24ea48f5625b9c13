// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
import Glibc
import HealthKit
import HealthKitImport
import SantorioConcurrency

/// Imports an export, with a progress bar on a terminal.
struct HealthImporting: Sendable {
  let store: String

  func run(_ file: String) async throws -> Int32 {
    let stop = await StopSignal()
    let bar = ProgressBar()
    let watch = Task {
      await stop.wait()
      guard !Task.isCancelled else { return }
      bar.finish()
      complain(
        "Interrupted. What was taken so far is in the store; the same command goes on from there.")
      _exit(Self.interrupted)
    }
    defer { watch.cancel() }
    do {
      let report = try await importing(file, bar)
      bar.finish()
      return show(report)
    } catch {
      bar.finish()
      throw error
    }
  }

  /// The status of a program that Ctrl-C has ended, as shells have it.
  private static let interrupted = 128 + SIGINT

  // On a thread of its own: the signal is waited for beside it.
  private func importing(_ file: String, _ bar: ProgressBar) async throws -> ImportReport {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try HealthImport.run(file, into: HealthSystem(path: store)) { progress in
              guard let total = progress.totalBytes else { return }
              bar.show(progress.bytes, of: total, "\(grouped(progress.samples)) samples")
            }
          })
      }
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
    let more = report.problems.count - report.problems.first.count
    if more > 0 { complain("and \(grouped(more)) more of that kind") }
    if report.problems.counts[.notUTF8] != nil {
      complain(
        "Texts that are not UTF-8 have \u{FFFD} where they cannot be read: the document was changed "
          + "after its export. Import the original.")
    }
    if !report.isComplete {
      complain("The document has no end: the file was cut. Export it once more.")
    }
    for name in report.otherDocuments {
      complain(
        "not taken: \(name.printable), another export beside the one that was taken. "
          + "Unpack it to import it.")
    }
    let isClean =
      report.refused.isEmpty && report.problems.count == 0 && report.otherDocuments.isEmpty
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
final class ProgressBar: Sendable {
  /// What is shown, in permille; nil without a bar.
  private let last = Locked<Int?>(nil)
  private static let (longest, shortest) = (30, 10)

  /// Shows how much is done.
  func show(_ done: Int, of total: Int, _ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let permille = total > 0 ? min(1000, done * 1000 / total) : 1000
    last.withLock { last in
      guard permille != last else { return }
      last = permille
      // The last column stays free: some terminals begin a new line after it.
      let columns = Terminal.columns(of: STDERR_FILENO) - 1
      write("\r\(Self.line(permille, text, columns: columns))\u{1b}[K")
    }
  }

  /// A bar and a text in a number of columns, without the bar where it has no room.
  static func line(_ permille: Int, _ text: String, columns: Int) -> String {
    let text = "\(permille / 10) %  \(text)"
    let length = min(longest, columns - text.count - 3)
    guard length >= shortest else { return String(text.prefix(max(0, columns))) }
    let filled = permille * length / 1000
    let bar =
      String(repeating: "=", count: filled) + String(repeating: " ", count: length - filled)
    return "[\(bar)] \(text)"
  }

  /// Removes the bar.
  func finish() {
    last.withLock { last in
      if last != nil { write("\r\u{1b}[K") }
      last = nil
    }
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
