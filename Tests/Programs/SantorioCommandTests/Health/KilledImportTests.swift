// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import HealthKitImport
import TestSupport
import Testing

/// An import that nothing has interrupted.
private struct WholeImport {
  let fixture: HealthFixture
  let export: String
  let content: [String]
  let summary: String
  /// What the import has printed, without the store's name.
  let report: String

  init() async throws {
    fixture = try HealthFixture()
    export = try fixture.write(
      HealthFixture.fullDocument(bytes: 6 << 20), "export/apple_health_export/export.xml")
    let run = try await CommandProcess(fixture.importing(fixture.folder.path("export"), "whole"))
    report = Self.report(run, fixture.folder.path("whole"))
    content = try HealthFixture.content(of: fixture.folder.path("whole"))
    summary = try await Self.summary(fixture.folder.path("whole"))
  }

  static func report(_ run: CommandProcess, _ store: String) -> String {
    "\(run.status)\n\(run.output)\n\(run.error)".replacing(store, with: "STORE")
  }

  static func summary(_ store: String) async throws -> String {
    try await CommandProcess(["health", "summary", "--store", store]).output
  }

  /// Compares a store, and what the last import into it has said; nil if the kill came after its end.
  func compare(_ store: String, _ last: String?) async throws {
    if let last { #expect(last == report) }
    #expect(try HealthFixture.content(of: store) == content)
    #expect(try await Self.summary(store) == summary)
  }
}

@Suite struct `A killed import` {
  private static let whole = Task { try await WholeImport() }

  /// Imports once more, unless the killed process has come to the end of its work.
  private func goOn(_ whole: WholeImport, _ store: String) async throws {
    let path = whole.fixture.folder.path(store)
    let system = HealthSystem(path: path)
    let isDone = try !HealthImport.isUnfinished(system) && !system.sync { try $0.isEmpty() }
    let run = try await CommandProcess(
      whole.fixture.importing(whole.fixture.folder.path("export"), store))
    if isDone { #expect(run.output.hasPrefix("0 samples are new")) }
    try await whole.compare(path, isDone ? nil : WholeImport.report(run, path))
  }

  @Test func `has what can be lost`() async throws {
    let report = try await Self.whole.value.report
    for part in [
      "clinical records", "audiograms", "vision prescriptions", "elements NewThing",
      "elements Unheard", "positions of workout routes", "missing attribute", "not UTF-8",
      "say exactly the same", "not taken", "more of that kind",
    ] { #expect(report.contains(part), "\(part)") }
  }

  @Test(arguments: 1...5)
  func `goes on after any of its steps, nothing lost and nothing twice`(_ step: Int) async throws {
    let whole = try await Self.whole.value
    let store = "step \(step)"
    let killed = try await TerminalProcess(
      whole.fixture.importing(whole.fixture.folder.path("export"), store)
    ) { TerminalProcess.steps($0).count >= step }
    #expect(killed.status == 128 + SIGKILL)
    try await goOn(whole, store)
  }

  // At the byte that makes a file larger than its limit the system ends the process, or the write
  // fails where the system has no signal for that.
  @Test(arguments: [0, 8, 40, 100, 200, 400, 700, 1000, 1300, 1600, 1900])
  func `goes on after any write, nothing lost and nothing twice`(_ blocks: Int) async throws {
    let whole = try await Self.whole.value
    let store = "write \(blocks)"
    let process = Process()
    let output = Pipe.make()
    // A signal that the parent ignores stays ignored otherwise.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "--default-signal=XFSZ", "sh", "-c", "ulimit -f \(blocks); exec \"$@\"", "sh",
        try CommandProcess.executable.path,
      ] + whole.fixture.importing(whole.fixture.folder.path("export"), store)
    process.environment = CommandProcess.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try await process.runToEnd()
    #expect(output.fileHandleForReading.availableData.isEmpty)
    try await goOn(whole, store)
  }

  @Test func `comes to its end however often it is killed`() async throws {
    let whole = try await Self.whole.value
    let path = whole.fixture.folder.path("often")
    // At 99 % only the end of the document is left, which a kill may always come before.
    var kills = 0
    repeat {
      let killed = try await TerminalProcess(
        whole.fixture.importing(whole.fixture.folder.path("export"), "often")
      ) { $0.contains(" %") && !$0.contains("99 %") }
      guard killed.status == 128 + SIGKILL else { break }
      kills += 1
    } while try HealthImport.isUnfinished(HealthSystem(path: path)) && kills < 100
    #expect(kills >= 5 && kills < 100)
    try await whole.compare(path, nil)
  }
}
