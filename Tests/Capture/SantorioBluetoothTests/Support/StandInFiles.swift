// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import VirtualDevices

@testable import SantorioBluetooth

/// Files of keys and licences that fit the virtual devices, in a folder that goes with this.
final class StandInFiles: Sendable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  /// Makes the folder, with a file for each licensed device or empty.
  init(isFilled: Bool = true) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard isFilled else { return }
    let key = #"{"key": "\#(FakeVendorCryptography.exampleKey.hexadecimal)"}"#
    try write(key, to: "agamatrix-authkey.json")
    try write(key, to: "cvshealth-authkey.json")
    try write("stand-in licence", to: "validic.license")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Lets a controller use the files, and the cryptography of the licensed devices.
  func apply(to settings: inout BluetoothPeripheralController.Settings) {
    settings.keyFolder = folder
    for entry in DeviceModel.licensedDevices {
      settings.cryptography[entry.id] = FakeVendorCryptography()
    }
  }
}
