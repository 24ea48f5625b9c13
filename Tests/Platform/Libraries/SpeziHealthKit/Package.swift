// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let upcoming: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
]
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "SpeziHealthKit",
      dependencies: [.product(name: "HealthKit", package: "santorio"), "SpeziFoundation"],
      path: "library/Sources/SpeziHealthKit", swiftSettings: upcoming),
    .testTarget(
      name: "SpeziHealthKitTests",
      dependencies: ["Algorithms", "RealModule", "SpeziFoundation", "SpeziHealthKit"],
      path: "library/Tests/SpeziHealthKitTests",
      sources: ["HKFactorizationTests.swift", "HKUnitTests.swift", "UnitHelpers.swift"],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
    .target(name: "SpeziFoundation", path: "Stubs/SpeziFoundation"),
    .target(
      name: "Algorithms", dependencies: ["RealModule"],
      path: "swift-algorithms/Sources/Algorithms", exclude: ["Documentation.docc"]),
    .target(
      name: "RealModule", dependencies: ["_NumericsShims"],
      path: "swift-numerics/Sources/RealModule", exclude: ["CMakeLists.txt", "README.md"]),
    .target(
      name: "_NumericsShims", path: "swift-numerics/Sources/_NumericsShims",
      exclude: ["CMakeLists.txt"]),
    .executableTarget(name: "Trial", dependencies: ["SpeziHealthKit"], path: "Trial"),
  ]
)
