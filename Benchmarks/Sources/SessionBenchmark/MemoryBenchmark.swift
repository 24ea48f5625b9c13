// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import Foundation
import SantorioCore

/// The memory of a process that opens and drains a folder with a million records.
struct MemoryBenchmark {
  private static let limit = 64.0

  let server: ServerChild
  let count: Int

  func run(_ report: inout Report) async throws {
    report.heading("Memory with \(count) records waiting")
    let folder = try TemporaryFolder()
    let filling = try await Cost.of {
      try await fill(folder.url, count, try await server.makeUser(), server.endpoint) { filled in
        if filled % (count / 5) == 0 { report.line("filled \(filled)") }
      }
    }
    let drained = try ChildLines.of(
      ["drain", folder.url.path, server.endpoint.absoluteString, "\(count)"]
    ) { report.line($0) }
    let words = (drained.last ?? "").split(separator: " ").compactMap { Double($0) }
    guard words.count == 3 else { return report.gate("the child drains the folder", false) }
    report.line("")
    report.head(["", "records/s"])
    report.row(["submitting, 1000 a call", (Double(count) / filling.wall).rounded(0)])
    report.row(["draining", (Double(count) / words[2]).rounded(0)])
    report.line(
      "\nresident after opening \(words[0].rounded(1)) MiB, at most \(words[1].rounded(1)) MiB")
    report.gate("less than \(Int(Self.limit)) MiB resident", words[1] < Self.limit)
  }

  /// The child: drains a folder and tells its memory in MiB after opening, the most, and the
  /// seconds.
  static func drain(_ folder: URL, _ endpoint: URL, _ count: Int) async throws {
    var configuration = SantorioSession.Configuration(directory: folder, endpoint: endpoint)
    configuration.maximumBytes = 4 << 30
    let opened: Double
    do {
      let session = SantorioSession(configuration)
      _ = try await session.pendingCount()
      opened = residentMebibytes("VmRSS")
    }
    let cost = try await drainFolder(folder, count, endpoint) { submitted in
      guard submitted % (count / 5) == 0 else { return }
      print("drained \(submitted), \(residentMebibytes("VmHWM").rounded(1)) MiB")
      fflush(nil)
    }
    print(opened, residentMebibytes("VmHWM"), cost.wall)
  }

  private static func residentMebibytes(_ field: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    return (line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.first ?? 0) / 1024
  }
}
