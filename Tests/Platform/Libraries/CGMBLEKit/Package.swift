// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "CGMBLEKit",
      dependencies: [.product(name: "CoreBluetooth", package: "santorio"), "os"],
      path: "library"),
    .target(name: "os", path: "Stubs/os"),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit"),
    .executableTarget(name: "Trial", dependencies: ["CGMBLEKit", "LibraryTrial"], path: "Trial"),
  ]
)
