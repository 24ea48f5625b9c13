// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio")],
  targets: [
    .systemLibrary(name: "CZLib", path: "ZIPFoundation/Sources/CZLib", pkgConfig: "zlib"),
    .target(
      name: "ZIPFoundation", dependencies: ["CZLib"], path: "ZIPFoundation/Sources/ZIPFoundation",
      exclude: ["Resources"], cSettings: [.define("_GNU_SOURCE", to: "1")]),
    .target(
      name: "NordicDFU",
      dependencies: [.product(name: "CoreBluetooth", package: "santorio"), "ZIPFoundation"],
      path: "library/Library/Classes"),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit"),
    .executableTarget(
      name: "Trial", dependencies: ["LibraryTrial", "NordicDFU", "ZIPFoundation"], path: "Trial"),
  ]
)
