// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let existential: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]
let upcoming = existential + [.enableUpcomingFeature("InternalImportsByDefault")]
let package = Package(
  name: "trial",
  defaultLocalization: "en",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "SpeziHealthKit",
      dependencies: [
        .product(name: "HealthKit", package: "santorio"), "Algorithms", "OSLog", "Spezi",
        "SpeziFoundation", "SpeziLocalStorage",
      ],
      path: "library/Sources/SpeziHealthKit",
      exclude: [
        "HealthKit Extensions/HKElectrocardiogram+RelatedData.swift",
        "Sample Types/SampleTypeDefs.py", "Sample Types/SampleTypes.swift.gyb",
        "SpeziHealthKit.docc",
      ],
      resources: [.process("Resources")], swiftSettings: upcoming),
    .target(
      name: "SpeziHealthKitBulkExport",
      dependencies: ["Spezi", "SpeziFoundation", "SpeziHealthKit", "SpeziLocalStorage"],
      path: "library/Sources/SpeziHealthKitBulkExport", swiftSettings: upcoming),
    .testTarget(
      name: "SpeziHealthKitTests",
      dependencies: [
        .product(name: "HealthKitSimulation", package: "santorio"), "Algorithms", "RealModule",
        "Spezi", "SpeziFoundation", "SpeziHealthKit",
        "SpeziHealthKitBulkExport", "SpeziTesting",
      ],
      path: "library/Tests/SpeziHealthKitTests",
      exclude: [
        "__Snapshots__", "LoopingIterator.swift", "MockQueryResults.swift",
        "SpeziHealthKitUITests.swift", "Utils.swift",
      ],
      swiftSettings: existential),
    .target(
      name: "Spezi", dependencies: ["OrderedCollections", "RuntimeAssertions", "SpeziFoundation"],
      path: "Spezi/Sources/Spezi", exclude: ["Spezi.docc"], swiftSettings: existential),
    .target(name: "SpeziTesting", dependencies: ["Spezi"], path: "Spezi/Sources/SpeziTesting"),
    .target(
      name: "SpeziFoundation", dependencies: ["Algorithms", "Logging", "RuntimeAssertions"],
      path: "SpeziFoundation/Sources/SpeziFoundation",
      exclude: [
        "Compression", "Concurrency/RWLock/AtomicPThread.swift",
        "Concurrency/RWLock/RecursiveRWLock.swift",
        "Misc/BidirectionalCollection.swift", "Resources", "SpeziFoundation.docc",
      ],
      swiftSettings: upcoming),
    .target(
      name: "SpeziLocalStorage", dependencies: ["Spezi"],
      path: "SpeziLocalStorage"),
    .target(name: "OSLog", dependencies: ["SpeziFoundation"], path: "OSLog"),
    .target(
      name: "RuntimeAssertions", path: "XCTRuntimeAssertions/Sources/RuntimeAssertions",
      exclude: ["RuntimeAssertions.docc"]),
    .target(
      name: "Logging", path: "swift-log/Sources/Logging", exclude: ["CMakeLists.txt", "Docs.docc"]),
    .target(
      name: "OrderedCollections", dependencies: ["InternalCollectionsUtilities"],
      path: "swift-collections/Sources/OrderedCollections",
      exclude: ["CMakeLists.txt", "OrderedCollections.docc"]),
    .target(
      name: "InternalCollectionsUtilities",
      path: "swift-collections/Sources/InternalCollectionsUtilities",
      exclude: ["CMakeLists.txt"]),
    .target(
      name: "Algorithms", dependencies: ["RealModule"],
      path: "swift-algorithms/Sources/Algorithms", exclude: ["Documentation.docc"]),
    .target(
      name: "RealModule", dependencies: ["_NumericsShims"],
      path: "swift-numerics/Sources/RealModule", exclude: ["CMakeLists.txt", "README.md"]),
    .target(
      name: "_NumericsShims", path: "swift-numerics/Sources/_NumericsShims",
      exclude: ["CMakeLists.txt"]),
    .executableTarget(
      name: "Trial",
      dependencies: [
        .product(name: "HealthKitSimulation", package: "santorio"), "Spezi", "SpeziHealthKit",
        "SpeziHealthKitBulkExport", "SpeziTesting",
      ],
      path: "Trial"),
  ]
)
