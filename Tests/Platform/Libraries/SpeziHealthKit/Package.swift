// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let upcoming: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
]
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
    .testTarget(
      name: "SpeziHealthKitTests",
      dependencies: ["Algorithms", "RealModule", "SpeziFoundation", "SpeziHealthKit"],
      path: "library/Tests/SpeziHealthKitTests",
      sources: [
        "HKFactorizationTests.swift", "HKObjectTypeTests.swift", "HKUnitTests.swift",
        "SampleTypeProxyTests.swift", "SampleTypesCollectionTests.swift", "SampleTypesTests.swift",
        "UnitHelpers.swift",
      ],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
    .target(
      name: "SpeziFoundation", dependencies: ["Algorithms"],
      path: "SpeziFoundation/Sources/SpeziFoundation",
      sources: [
        "Collection Builders", "Locks.swift", "Misc/AnyArray.swift", "Misc/AnyOptional.swift",
        "Misc/BinarySearch.swift", "Misc/Calendar.swift", "Misc/Duration.swift",
        "Misc/OrderedArray.swift", "Misc/Other.swift", "Misc/SequenceExtensions.swift",
        "Misc/Sorting.swift",
      ]),
    .target(name: "Spezi", path: "Stubs/Spezi"),
    .target(name: "SpeziLocalStorage", dependencies: ["Spezi"], path: "Stubs/SpeziLocalStorage"),
    .target(name: "OSLog", path: "Stubs/os"),
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
      ], path: "Trial"),
  ]
)
