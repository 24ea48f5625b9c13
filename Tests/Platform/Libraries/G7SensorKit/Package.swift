// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "G7SensorKit",
      dependencies: [.product(name: "CoreBluetooth", package: "santorio"), "LoopKit", "os"],
      path: "library"),
    .target(name: "LoopKit", path: "LoopKit"),
    .target(name: "os", path: "Stubs/os"),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit"),
    .executableTarget(name: "Trial", dependencies: ["G7SensorKit", "LibraryTrial"], path: "Trial"),
  ]
)
