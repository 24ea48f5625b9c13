// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of its own, so that clients of Santorio never see it. `Scripts/fuzz` runs it.
let package = Package(
  name: "santorio-fuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "santorio", path: "..")],
  targets: [
    .executableTarget(
      name: "FuzzHealthGATT",
      dependencies: [.product(name: "HealthGATT", package: "santorio")],
      // libFuzzer brings the main function.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]
)
