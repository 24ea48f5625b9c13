// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a piece of work took.
package struct Cost {
  package var wall: Double
  package var cpu: Double

  /// Measures work in seconds.
  package static func of(_ work: () async throws -> Void) async rethrows -> Cost {
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
package func median(_ costs: [Cost]) -> Cost {
  Cost(wall: median(costs.map(\.wall)), cpu: median(costs.map(\.cpu)))
}

/// The middle of several numbers.
package func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

/// The table that is printed, and whether every gate held.
package struct Report {
  package private(set) var failures: [String] = []

  package init() {}

  package func heading(_ text: String) { line("\n## \(text)\n") }

  package func line(_ text: String) {
    print(text)
    fflush(nil)
  }

  package func row(_ cells: [String]) { line("| " + cells.joined(separator: " | ") + " |") }

  package func head(_ cells: [String]) {
    row(cells)
    line("|" + String(repeating: "---|", count: cells.count))
  }

  package mutating func gate(_ name: String, _ holds: Bool) {
    line("\n\(holds ? "holds" : "FAILS"): \(name)")
    if !holds { failures.append(name) }
  }
}

extension Double {
  /// With a number of decimals.
  package func rounded(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

/// A folder that vanishes with its owner.
package final class TemporaryFolder {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
