// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let plugin = Context.packageDirectory + "/plugins/libHealthKitOnFHIRMacrosImpl.so"
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio"), .package(path: "FHIRModels")],
  targets: [
    .target(name: "HealthKitOnFHIRMacros", path: "library/Sources/HealthKitOnFHIRMacros"),
    .target(
      name: "FHIRModelsExtensions",
      dependencies: [.product(name: "ModelsR4", package: "FHIRModels")],
      path: "FHIRModelsExtensions/Sources/FHIRModelsExtensions",
      exclude: [
        "FHIRModelsExtensions.docc", "Questionnaire+Extensions+UI.swift",
        "Questionnaire+Extensions.swift", "Questionnaire+ValueSets.swift",
      ]),
    .target(
      name: "HealthKitOnFHIR",
      dependencies: [
        .product(name: "HealthKit", package: "santorio"),
        .product(name: "ModelsR4", package: "FHIRModels"), "FHIRModelsExtensions",
        "HealthKitOnFHIRMacros",
      ],
      path: "library/Sources/HealthKitOnFHIR",
      exclude: [
        "HealthKit Extensions/HKClinicalRecord+ResourceProxy.swift",
        "HealthKit Extensions/HKElectrocardiogram+Observation.swift",
        "HealthKit Extensions/HKStateOfMind+Observation.swift", "HealthKitOnFHIR.docc",
      ],
      resources: [.process("Resources")],
      swiftSettings: [.unsafeFlags(["-load-plugin-library", plugin])]),
    .testTarget(
      name: "HealthKitOnFHIRTests",
      dependencies: ["FHIRModelsExtensions", "HealthKitOnFHIR", "SpeziFoundation"],
      path: "library/Tests/HealthKitOnFHIRTests",
      exclude: ["HKElectrocardiogramTests.swift", "HKStateOfMindTests.swift"]),
    .target(name: "SpeziFoundation", path: "Stubs/SpeziFoundation"),
    .executableTarget(
      name: "Trial",
      dependencies: [
        "HealthKitOnFHIR", .product(name: "HealthKitSimulation", package: "santorio"),
        .product(name: "ModelsR4", package: "FHIRModels"),
      ],
      path: "Trial"),
  ]
)
