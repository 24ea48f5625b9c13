// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The running program as a source of data.
enum HealthProcess {
  /// The main bundle, or the program's name where the bundle has no identifier.
  static let source: HKSource = {
    let name = ProcessInfo.processInfo.processName
    return HKSource(
      name: Bundle.main.object(forInfoDictionaryKey: "CFBundleDisplayName") as? String ?? name,
      bundleIdentifier: Bundle.main.bundleIdentifier ?? "linux.\(name)")
  }()

  /// The program at its version.
  static let revision = HKSourceRevision(
    source: source,
    version: Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String,
    productType: "Linux",
    operatingSystemVersion: ProcessInfo.processInfo.operatingSystemVersion)

  /// This machine.
  static let device = HKDevice(
    name: ProcessInfo.processInfo.hostName, manufacturer: nil, model: "Linux",
    hardwareVersion: nil, firmwareVersion: nil,
    softwareVersion: ProcessInfo.processInfo.operatingSystemVersionString, localIdentifier: nil,
    udiDeviceIdentifier: nil)

  /// The store of programs that name none: `$HEALTHKIT_STORE`, or a file in the user's data folder.
  static var storePath: String {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["HEALTHKIT_STORE"], !path.isEmpty { return path }
    let home = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    return (home ?? NSHomeDirectory() + "/.local/share") + "/healthkit/health.sqlite"
  }
}
