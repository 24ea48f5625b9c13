// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of its own, so that clients of Santorio never see it. `make bench` runs it.
let package = Package(
  name: "santorio-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "santorio", path: "..")],
  targets: [
    .target(name: "CInsertBaseline", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "SessionBenchmark",
      dependencies: [
        "CInsertBaseline",
        .product(name: "HealthRecords", package: "santorio"),
        .product(name: "IngestServer", package: "santorio"),
        .product(name: "SantorioCore", package: "santorio"),
      ]),
  ]
)
