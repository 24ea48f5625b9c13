// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries. The library is in Swift 6 mode.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "ActorCoreBluetooth",
      dependencies: [.product(name: "CoreBluetooth", package: "santorio"), "os"],
      path: "library/Sources/ActorCoreBluetooth"),
    .target(name: "os", path: "Stubs/os"),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit", swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "Trial", dependencies: ["ActorCoreBluetooth", "LibraryTrial"], path: "Trial",
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
