// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// In a package of your own: .package(url: "<this repository>", branch: "main")
let package = Package(
  name: "CustomDevice",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [.library(name: "AcmeThermometer", targets: ["AcmeThermometer"])],
  // `swift test --traits Simulated` runs the tests on a Mac; on Linux they need no trait.
  traits: [.trait(name: "Simulated", description: "Simulated Bluetooth, for tests.")],
  dependencies: [
    .package(
      name: "santorio", path: "../..",
      traits: [.trait(name: "SimulatedBluetooth", condition: .when(traits: ["Simulated"]))])
  ],
  targets: [
    .target(
      name: "AcmeThermometer",
      dependencies: [
        .product(name: "Santorio", package: "santorio"),
        .product(name: "HealthGATT", package: "santorio"),
        .product(name: "VirtualDevices", package: "santorio"),
      ]),
    .testTarget(
      name: "AcmeThermometerTests",
      dependencies: [
        "AcmeThermometer",
        .product(name: "SimulatedCoreBluetooth", package: "santorio"),
      ]),
  ]
)
