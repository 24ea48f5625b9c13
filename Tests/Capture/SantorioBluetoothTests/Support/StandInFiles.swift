// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import Testing
import HealthGATT
import LicensedMeters
import VirtualDevices

@testable import SantorioBluetooth

/// Files of keys and licences that fit the virtual devices, in a folder that goes with this.
final class StandInFiles: Sendable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  /// Makes the folder, with a file for each licensed device or empty.
  init(isFilled: Bool = true) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard isFilled else { return }
    let key = #"{"key": "\#(StandInCryptography.exampleKey.hexadecimal)"}"#
    try write(key, to: "agamatrix-authkey.json")
    try write(key, to: "cvshealth-authkey.json")
    try write("stand-in licence", to: "validic.license")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Lets a controller use the files, and the plug-in of the licensed devices.
  func apply(to settings: inout BluetoothSettings) {
    settings.keyFolder = folder
    settings.catalogue = .withLicensedMeters
  }
}

extension DeviceCatalogue {
  /// The catalogue with the licensee's plug-in of the example.
  static let withLicensedMeters: DeviceCatalogue = {
    var catalogue = DeviceCatalogue.standard
    for entry in LicensedMeters.entries {
      do { try catalogue.register(entry) } catch { Issue.record(error) }
    }
    return catalogue
  }()
}

extension VirtualDeviceModel {
  /// The virtual devices of this package and those of the example's licensed meters.
  static let allAndLicensed = all + [jazzWireless2(), cvsHealthMeter(), coagulationMeter()]
}
