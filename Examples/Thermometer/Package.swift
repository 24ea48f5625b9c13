// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// In a package of your own: .package(url: "<this repository>", branch: "main")
#if os(Linux)
  let bluetooth: [Target.Dependency] = [
    .product(name: "CoreBluetooth", package: "santorio"),
    .product(name: "CoreBluetoothSimulation", package: "santorio"),
  ]
#else
  // Apple platforms have a framework of that name, without simulated radios.
  let bluetooth: [Target.Dependency] = []
#endif

let package = Package(
  name: "Thermometer",
  dependencies: [.package(name: "santorio", path: "../..")],
  targets: [
    .executableTarget(
      name: "Thermometer",
      dependencies: bluetooth,
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
