// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyntheticHealthExport

/// Writes an export that never was anybody's, and the truth about it.
struct HealthGenerating {
  private var options: SyntheticHealthExport.Options

  init(_ arguments: Arguments) throws(UsageError) {
    let days = try arguments.integer("days", in: 1...20_000)
    let megabytes = try arguments.integer("megabytes", in: 1...100_000)
    guard days == nil || megabytes == nil else {
      throw UsageError("--days and --megabytes exclude each other.", command: "health")
    }
    let size: SyntheticHealthExport.Options.Size =
      megabytes.map { .bytes($0 * 1_000_000) } ?? .days(days ?? 30)
    options = SyntheticHealthExport.Options(
      size: size, seed: UInt64(try arguments.integer("seed", in: 0...Int.max) ?? 1))
    if let zone = arguments["zone"] { options.timeZone = zone }
    if let version = try arguments.choice(
      "version", of: SyntheticHealthExport.Options.DocumentVersion.self)
    {
      options.version = version
    }
    if arguments.has("faults") {
      options.faults.controlCharacter = true
      options.faults.duplicateAttribute = true
      options.faults.duplicateRecords = 0.01
    }
  }

  func run(_ folder: String) throws -> Int32 {
    let truth = try SyntheticHealthExport(options).write(to: folder)
    print(
      "\(folder)/apple_health_export: \(grouped(truth.topLevelRecords)) records of "
        + "\(grouped(truth.dayCount)) days, \(grouped(truth.documentBytes)) bytes")
    print("\(folder)/truth.json: what a reader must find in it")
    return 0
  }
}
