// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio"), .package(path: "OpenCombine")],
  targets: [
    .target(
      name: "AsyncBluetooth",
      dependencies: [.product(name: "CoreBluetooth", package: "santorio"), "Combine", "os"],
      path: "library/Sources", exclude: ["PrivacyInfo.xcprivacy"]),
    .testTarget(
      name: "AsyncBluetoothTests", dependencies: ["AsyncBluetooth"], path: "library/Tests"),
    .target(
      name: "Combine",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ],
      path: "Stubs/Combine"),
    .target(name: "os", path: "Stubs/os"),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit"),
    .executableTarget(
      name: "Trial", dependencies: ["AsyncBluetooth", "Combine", "LibraryTrial"], path: "Trial"),
  ]
)
