// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Scripts/compare-decoders lays out the folders.
let package = Package(
  name: "peer",
  platforms: [.macOS(.v13)],
  targets: [
    .target(name: "DecodeComparison"),
    .target(name: "Bluetooth", path: "library/Sources/Bluetooth"),
    .target(
      name: "BluetoothGATT", dependencies: ["Bluetooth"], path: "library/Sources/BluetoothGATT"),
    .executableTarget(
      name: "Peer", dependencies: ["DecodeComparison", "BluetoothGATT", "Bluetooth"]),
  ]
)
