// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// In a package of your own: .package(url: "<this repository>", branch: "main")
let package = Package(
  name: "LicensedMeters",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [.library(name: "LicensedMeters", targets: ["LicensedMeters"])],
  dependencies: [.package(name: "santorio", path: "../..")],
  targets: [
    .target(
      name: "LicensedMeters",
      dependencies: [
        .product(name: "HealthDevices", package: "santorio"),
        .product(name: "HealthGATT", package: "santorio"),
        .product(name: "HealthRecords", package: "santorio"),
        .product(name: "VirtualDevices", package: "santorio"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ]
)
