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
    .target(name: "BenchmarkReport"),
    .executableTarget(
      name: "BluetoothBenchmark",
      dependencies: [
        "BenchmarkReport",
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ]),
    .target(name: "DecodeComparison"),
    .executableTarget(
      name: "DecodeBenchmark",
      dependencies: ["DecodeComparison", .product(name: "HealthGATT", package: "santorio")]),
    .executableTarget(
      name: "SessionBenchmark",
      dependencies: [
        "BenchmarkReport", "CInsertBaseline",
        .product(name: "HealthRecords", package: "santorio"),
        .product(name: "IngestServer", package: "santorio"),
        .product(name: "SantorioCore", package: "santorio"),
      ]),
  ]
)
