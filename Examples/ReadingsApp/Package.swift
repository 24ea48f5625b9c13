// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The radio, the phone and the server with which the app is tested are on Linux only. TARGET_APPLE=1
// means that a Linux machine builds for iOS.
#if os(Linux)
  let hasSimulations = Context.environment["TARGET_APPLE"] == nil
#else
  let hasSimulations = false
#endif

func santorio(_ product: String) -> Target.Dependency {
  .product(name: product, package: "santorio")
}

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// What has Apple's names where there is no framework of Apple's.
let standIns = hasSimulations ? [santorio("BackgroundTasks"), santorio("HealthKit")] : []

// In a package of your own: .package(url: "<this repository>", branch: "main")
let package = Package(
  name: "ReadingsApp",
  defaultLocalization: "en",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [.library(name: "ReadingsAppModel", targets: ["ReadingsAppModel"])],
  dependencies: [.package(name: "santorio", path: "../..")],
  targets: [
    // What the app does, without a screen.
    .target(
      name: "ReadingsAppModel",
      dependencies: [
        santorio("Santorio"), santorio("SantorioHealthKit"), santorio("SantorioUI"),
      ] + standIns,
      swiftSettings: settings),
    // The app's screens, which the Xcode project in the folder App builds together with the rest of
    // that folder. Here they are compiled only.
    .target(
      name: "ReadingsAppScreens",
      dependencies: [
        "ReadingsAppModel", santorio("Santorio"), santorio("SantorioUI"),
      ],
      path: "App/ReadingsApp",
      exclude: [
        "Assets.xcassets", "InfoPlist.xcstrings", "Localizable.xcstrings", "PrivacyInfo.xcprivacy",
      ],
      swiftSettings: settings),
  ]
)

if hasSimulations {
  package.targets.append(
    .testTarget(
      name: "ReadingsAppModelTests",
      dependencies: [
        "ReadingsAppModel", santorio("CoreBluetoothSimulation"), santorio("HealthKitSimulation"),
        santorio("IngestServer"), santorio("VirtualDevices"),
      ],
      swiftSettings: settings))
}
