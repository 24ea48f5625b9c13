// swift-tools-version: 5.9
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Copied beside the library's files by Scripts/try-libraries.
let package = Package(
  name: "trial",
  dependencies: [.package(path: "santorio"), .package(path: "RxSwift")],
  targets: [
    .target(
      name: "RxBluetoothKit",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "RxSwift", package: "RxSwift"),
      ],
      path: "library/Source", exclude: ["Info.plist", "RxBluetoothKit.h"]),
    .testTarget(
      name: "RxBluetoothKitTests",
      dependencies: ["RxBluetoothKit", .product(name: "RxTest", package: "RxSwift")],
      path: "library/Tests",
      exclude: [
        "Info.plist", "ObservableTest+QueueSubscribeOn.swift",
        "PeripheralManagerTest+PublishL2CAP.swift", "PeripheralProviderTest.swift~HEAD",
        "PeripheralProviderTest.swift~e6967a37d7998faf8650211e0416d943d0c537df",
      ]),
    .target(
      name: "LibraryTrial",
      dependencies: [
        .product(name: "CoreBluetooth", package: "santorio"),
        .product(name: "CoreBluetoothSimulation", package: "santorio"),
      ],
      path: "Kit"),
    .executableTarget(
      name: "Trial",
      dependencies: [
        "LibraryTrial", "RxBluetoothKit", .product(name: "RxSwift", package: "RxSwift"),
      ],
      path: "Trial"),
  ]
)
