// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio"), .package(path: "OpenCombine")],
  targets: [
    .target(
      name: "VitalLogging", path: "library/Sources/VitalLogging",
      exclude: ["LICENSE.txt", "README.txt"]),
    .target(
      name: "VitalCore",
      dependencies: [
        .product(name: "HealthKit", package: "santorio"), "Combine", "UIKit", "VitalLogging",
        "os",
      ],
      path: "library/Sources/VitalCore",
      exclude: ["Core/Log", "Core/Logs", "DataCompression", "Get/LICENSE", "Keychain"]),
    .target(
      name: "VitalHealthKit",
      dependencies: [
        .product(name: "BackgroundTasks", package: "santorio"),
        .product(name: "HealthKit", package: "santorio"), "Combine", "UIKit", "VitalCore", "os",
      ],
      path: "library/Sources/VitalHealthKit",
      exclude: [
        "HealthKit/HealthKitReads+Electrocardiogram.swift",
        "HealthKit/VitalHealthKitClient+Logs.swift", "UI",
      ]),
    .testTarget(
      name: "VitalHealthKitTests",
      dependencies: [.product(name: "HealthKitSimulation", package: "santorio"), "VitalHealthKit"],
      path: "library/Tests/VitalHealthKitTests"),
    .target(name: "UIKit", path: "UIKit"),
    .target(
      name: "Combine",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ],
      path: "Stubs/Combine"),
    .target(name: "os", path: "Stubs/os"),
    .executableTarget(name: "Trial", dependencies: ["VitalHealthKit"], path: "Trial"),
  ],
  swiftLanguageModes: [.v5]
)
