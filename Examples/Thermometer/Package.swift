// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// For Linux. In a package of your own: .package(url: "<this repository>", branch: "main")
let package = Package(
  name: "Thermometer",
  dependencies: [.package(name: "santorio", path: "../..")],
  targets: [
    .executableTarget(
      name: "Thermometer",
      dependencies: [
        // Apple platforms have a framework of that name.
        .product(name: "CoreBluetooth", package: "santorio", condition: .when(platforms: [.linux])),
        .product(
          name: "CoreBluetoothSimulation", package: "santorio",
          condition: .when(platforms: [.linux])),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
