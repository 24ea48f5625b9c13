// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HealthKit
import TestSupport
import Testing

@Suite struct `The command health` {
  private let fixture: HealthFixture

  init() throws { fixture = try HealthFixture() }

  private func store(_ name: String) -> String { fixture.folder.path(name) }

  private func run(_ words: String...) async throws -> CommandProcess {
    try await CommandProcess(["health"] + words)
  }

  // MARK: - Importing

  static let noExports: [(name: String, bytes: [UInt8], says: String)] = [
    ("page.xml", Array("<html><body/></html>".utf8), "not an export of Apple Health"),
    ("empty.xml", [], "not an export of Apple Health"),
    ("notes.txt", Array(repeating: UInt8(ascii: "a"), count: 3 << 20), "not an export of Apple"),
    ("wide.xml", HealthFixture.wide(HealthFixture.steps(["2025-03-01"])), "UTF-16"),
    ("cut.zip", [0x50, 0x4B, 0x03, 0x04, 1, 2, 3], "damaged"),
  ]

  @Test(arguments: noExports)
  func `makes no store for what is no export`(
    name: String, bytes: [UInt8], says: String
  ) async throws {
    let file = try fixture.write(bytes, name)
    let result = try await CommandProcess(fixture.importing(file, "new/health.sqlite"))
    #expect(result.status == 1)
    #expect(result.error.contains(says))
    #expect(try fixture.files() == [name])
  }

  @Test func `makes no store for a file that is not there`() async throws {
    let result = try await CommandProcess(
      fixture.importing(fixture.folder.path("export.zip"), "new/health.sqlite"))
    #expect(result.status == 1)
    #expect(result.error == "santorio: There is no such file or folder.\n")
    #expect(try fixture.files() == [])
  }

  @Test func `makes a store in a folder that it makes`() async throws {
    let export = try fixture.write(HealthFixture.steps(["2025-03-01"]).utf8, "export.xml")
    let result = try await CommandProcess(fixture.importing(export, "new/one/health.sqlite"))
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(result.output.hasPrefix("1 samples are new"))
  }

  @Test func `says which texts are not UTF-8`() async throws {
    let text = HealthFixture.steps(["2025-03-01"], source: "Jos@")
    let bytes = text.utf8.map { $0 == UInt8(ascii: "@") ? 0xE9 : $0 }
    let export = try fixture.write(bytes, "export.xml")
    let result = try await CommandProcess(fixture.importing(export, "health.sqlite"))
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("1 samples are new"))
    #expect(result.error.contains("bytes that are not UTF-8: Record (byte "))
    #expect(result.error.contains("Import the original."))
  }

  @Test func `names the export that it has not taken`() async throws {
    let days = ["2025-03-01", "2025-03-02"]
    _ = try fixture.write(HealthFixture.steps(days).utf8, "both/2025/export.xml")
    _ = try fixture.write(HealthFixture.steps(["2024-03-01"]).utf8, "both/2024/export.xml")
    let result = try await CommandProcess(
      fixture.importing(fixture.folder.path("both"), "health.sqlite"))
    #expect(result.status == 1)
    #expect(result.output.contains("2 samples are new"))
    #expect(result.error.contains("2024/export.xml"))
  }

  // MARK: - Stores

  @Test(arguments: ["summary", "export"])
  func `makes no store to look into`(verb: String) async throws {
    let missing = try await run(verb, "--store", store("none"))
    #expect(missing.status != 0 && missing.error.contains("there is no health store"))
    let empty = try fixture.write([], "empty")
    let noStore = try await run(verb, "--store", empty)
    #expect(noStore.status == 1 && noStore.error.contains("There is no health store"))
    let text = try fixture.write("Not a database, but a text.".utf8, "text")
    let noDatabase = try await run(verb, "--store", text)
    #expect(noDatabase.status == 1 && noDatabase.error.contains("is no health store"))
    let folder = try await run(verb, "--store", fixture.folder.path(""))
    #expect(folder.status == 1 && folder.error.contains("is a folder"))
    #expect(try fixture.files() == ["empty", "text"])
    #expect(FileManager.default.contents(atPath: empty)?.isEmpty == true)
  }

  /// Runs the program without the privilege of root to write everything.
  private func runUnprivileged(_ words: String...) async throws -> (Int32, String) {
    let process = Process()
    let output = Pipe.make()
    let program = [try CommandProcess.executable.path, "health"] + words
    let words = geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override"] + program : program
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.environment = CommandProcess.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    var text = Data()
    try await process.runToEnd {
      try output.fileHandleForWriting.close()
      text = output.fileHandleForReading.readDataToEndOfFile()
    }
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  @Test(arguments: [(0o555, 0o600), (0o755, 0o400), (0o555, 0o400)])
  func `reads a store that may not be written`(folder: Int, file: Int) async throws {
    let export = try fixture.write(HealthFixture.steps(["2025-03-01"]).utf8, "export.xml")
    let path = store("kept/health.sqlite")
    #expect(try await CommandProcess(fixture.importing(export, "kept/health.sqlite")).status == 0)
    let options = ["--store", path, "--zone", "UTC", "--kind", "day"]
    let summary = try await run("summary", "--store", path).output
    let records = try await CommandProcess(["health", "export"] + options).output
    #expect(summary.contains("StepCount") && records.contains("steps"))
    let files = try fixture.files()
    unsafe chmod(path, mode_t(file))
    unsafe chmod(store("kept"), mode_t(folder))
    defer { unsafe chmod(store("kept"), 0o755) }
    let readSummary = try await runUnprivileged("summary", "--store", path)
    #expect(readSummary == (0, summary))
    let readRecords = try await runUnprivileged(
      "export", "--store", path, "--zone", "UTC", "--kind", "day")
    #expect(readRecords.0 == 0)
    #expect(Self.withoutTimes(readRecords.1) == Self.withoutTimes(records))
    #expect(try fixture.files() == files)
    let imported = try await runUnprivileged("import", export, "--store", path)
    #expect(imported.0 == 1 && imported.1.contains("may not be written"))
  }

  /// Records without the time at which they were made.
  private static func withoutTimes(_ records: String) -> String {
    records.replacing(/"([a-z]+_at|received)":"[^"]*"/, with: "")
  }

  @Test func `says that a store may not be read`() async throws {
    let path = try fixture.write([1], "health.sqlite")
    unsafe chmod(path, 0)
    // Root may read every file unless it gives up that privilege.
    guard geteuid() != 0 else { return }
    let result = try await runUnprivileged("summary", "--store", path)
    #expect(result.0 == 1 && result.1.contains("may not be read"))
  }

  // MARK: - Other verbs

  @Test func `says why an export cannot be generated`() async throws {
    let file = try fixture.write([], "file")
    let result = try await run("generate", file + "/below", "--days", "1")
    #expect(result.status == 1)
    #expect(result.error.hasSuffix("export.xml cannot be written: choose another folder.\n"))
  }

  @Test func `exports a workout of a store without heart rates`() async throws {
    let workout = """
       <Workout workoutActivityType="HKWorkoutActivityTypeWalking" sourceName="S" \
      startDate="2025-03-01 10:00:00 +0000" endDate="2025-03-01 11:00:00 +0000"></Workout>
      </HealthData>
      """
    let text = HealthFixture.steps([]).replacing("</HealthData>", with: workout)
    let export = try fixture.write(text.utf8, "export.xml")
    #expect(try await CommandProcess(fixture.importing(export, "health.sqlite")).status == 0)
    let records = try await run("export", "--store", store("health.sqlite"), "--kind", "workout")
    #expect(records.status == 0 && records.error == "")
    #expect(records.output.split(separator: "\n").count == 1)
  }

  @Test func `exports days and measurements on both sides of a long gap`() async throws {
    let days = ["2004-03-01", "2025-03-01"]
    let export = try fixture.write(HealthFixture.steps(days).utf8, "export.xml")
    #expect(try await CommandProcess(fixture.importing(export, "health.sqlite")).status == 0)
    let records = try await run("export", "--store", store("health.sqlite"), "--zone", "UTC")
    #expect(records.status == 0)
    let lines = records.output.split(separator: "\n")
    #expect(lines.count == 2)
    for (line, day) in zip(lines, days) { #expect(line.contains(day)) }
  }
}

@Suite struct `The bar of an import` {
  private static let long = Task {
    let fixture = try HealthFixture()
    return (fixture, try fixture.write(HealthFixture.fullDocument(bytes: 6 << 20), "export.xml"))
  }

  @Test(arguments: [20, 40, 80, 200])
  func `stays in its line and vanishes`(columns: Int) async throws {
    let (fixture, export) = try await Self.long.value
    let run = try await TerminalProcess(
      fixture.importing(export, "store \(columns)"), columns: UInt16(columns))
    let bars = TerminalProcess.steps(run.shown).filter { $0.contains(" %") }
    #expect(bars.count >= 5)
    #expect(bars.allSatisfy { $0.count < columns })
    #expect(bars.allSatisfy { $0.hasPrefix("[") } == (columns >= 40))
    // What is said at the end begins where the bar was.
    #expect(run.shown.contains("\r\u{1b}[Ksantorio: "))
    #expect(run.output.contains("samples are new in"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `says that an interrupted import can go on`(signal: Int32) async throws {
    let (fixture, export) = try await Self.long.value
    let words = fixture.importing(export, "interrupted \(signal)")
    let run = try await TerminalProcess(words, signal: signal) {
      TerminalProcess.steps($0).count >= 2
    }
    #expect(run.status == 130)
    #expect(run.shown.hasSuffix("the same command goes on from there.\r\n"))
    #expect(run.output == "")
    let rest = try await CommandProcess(words)
    #expect(rest.output.contains("samples are new in"))
    #expect(!rest.error.contains("%"))
  }
}
