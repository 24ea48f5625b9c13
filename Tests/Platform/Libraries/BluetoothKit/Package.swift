// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "BluetoothKit",
      dependencies: [.product(name: "CoreBluetooth", package: "santorio")],
      path: "library/Source"),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit"),
    .executableTarget(
      name: "Trial", dependencies: ["LibraryTrial", "BluetoothKit"], path: "Trial"),
  ]
)
