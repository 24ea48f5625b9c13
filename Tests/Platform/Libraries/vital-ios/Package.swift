// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "VitalLogging", path: "library/Sources/VitalLogging",
      exclude: ["LICENSE.txt", "README.txt"]),
    .target(
      name: "VitalCore",
      dependencies: [.product(name: "HealthKit", package: "santorio"), "VitalLogging"],
      path: "library/Sources/VitalCore",
      exclude: [
        "Core/Client/Current.swift", "Core/Client/Endpoints",
        "Core/Client/ProtectedBox+BackgroundTask.swift",
        "Core/Client/VitalClient+ControlPlane.swift", "Core/Client/VitalClient+JWT.swift",
        "Core/Client/VitalClient+Legacy.swift", "Core/Client/VitalClient+VitalConnect.swift",
        "Core/Client/VitalClient.swift", "Core/Client/VitalClientDelegates.swift",
        "Core/Extensions/APIClient+Extensions.swift", "Core/Log", "Core/Logs",
        "Core/Storage/SDKStartupParams.swift", "Core/Storage/VitalSecureStorage.swift",
        "DataCompression", "Get", "JWT", "Keychain",
      ]),
    .target(
      name: "VitalHealthKit",
      dependencies: [.product(name: "HealthKit", package: "santorio"), "VitalCore", "os"],
      path: "library/Sources/VitalHealthKit",
      exclude: [
        "HealthKit/AppStateTracker.swift", "HealthKit/HealthKitReads+Electrocardiogram.swift",
        "HealthKit/Models/BackgroundDeliveryPayload.swift",
        "HealthKit/Storage/SyncProgressReporter.swift",
        "HealthKit/Storage/SyncProgressStore.swift", "HealthKit/VitalHealthKitClient+Logs.swift",
        "HealthKit/VitalHealthKitClient.swift", "UI",
      ]),
    .testTarget(
      name: "VitalHealthKitTests", dependencies: ["VitalHealthKit"],
      path: "library/Tests/VitalHealthKitTests",
      exclude: [
        "SampleTypeTests.swift", "VitalHealthKitAnchorTests.swift",
        "VitalHealthKitClientTests.swift", "VitalResourceTests.swift", "XPlatSupportTests.swift",
      ]),
    .target(name: "os", path: "Stubs/os"),
    .executableTarget(name: "Trial", dependencies: ["VitalHealthKit"], path: "Trial"),
  ],
  swiftLanguageModes: [.v5]
)
