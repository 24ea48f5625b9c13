// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a piece of work took.
struct Cost {
  var wall: Double
  var cpu: Double

  /// Measures work in seconds.
  static func of(_ work: () async throws -> Void) async rethrows -> Cost {
    let (start, cpu) = (ContinuousClock.now, processorSeconds())
    try await work()
    let wall = start.duration(to: .now)
    return Cost(wall: wall / .seconds(1), cpu: processorSeconds() - cpu)
  }

  private static func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime]
      .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}

/// The middle of several costs.
func median(_ costs: [Cost]) -> Cost {
  func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  return Cost(wall: middle(costs.map(\.wall)), cpu: middle(costs.map(\.cpu)))
}

/// The table that is printed, and whether every gate held.
struct Report {
  private(set) var failures: [String] = []

  func heading(_ text: String) { line("\n## \(text)\n") }

  func line(_ text: String) {
    print(text)
    fflush(nil)
  }

  func row(_ cells: [String]) { line("| " + cells.joined(separator: " | ") + " |") }

  func head(_ cells: [String]) {
    row(cells)
    line("|" + String(repeating: "---|", count: cells.count))
  }

  mutating func gate(_ name: String, _ holds: Bool) {
    line("\n\(holds ? "holds" : "FAILS"): \(name)")
    if !holds { failures.append(name) }
  }
}

extension Double {
  /// With a number of decimals.
  func rounded(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

/// A folder that vanishes with its owner.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
