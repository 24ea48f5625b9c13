// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .target(
      name: "Bluejay",
      dependencies: [.product(name: "CoreBluetooth", package: "santorio"), "UIKit"],
      path: "library/Bluejay/Bluejay", exclude: ["Bluejay.h", "Info.plist"]),
    .target(name: "UIKit", path: "Stubs/UIKit"),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit"),
    .executableTarget(name: "Trial", dependencies: ["Bluejay", "LibraryTrial"], path: "Trial"),
  ]
)
