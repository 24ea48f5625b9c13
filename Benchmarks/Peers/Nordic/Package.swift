// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Scripts/compare-decoders lays out the folders.
let package = Package(
  name: "peer",
  platforms: [.macOS(.v13)],
  targets: [
    .target(name: "DecodeComparison"),
    .target(
      name: "iOS_Common_Libraries", path: "common/Sources/iOS-Common-Libraries",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "Peer", dependencies: ["DecodeComparison", "iOS_Common_Libraries"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
