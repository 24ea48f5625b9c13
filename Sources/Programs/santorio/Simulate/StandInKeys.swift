// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth
import VirtualDevices
import HealthDevices

/// The keys that a reader needs for a virtual device with restricted access.
///
/// They are the device's own keys, and stand-ins for a manufacturer's licence and cryptography.
struct StandInKeys: Sendable {
  private let entry: DeviceModel
  private let folder: URL

  /// Writes the files to a separate folder.
  ///
  /// - Returns: Nil for a device that needs no keys.
  init?(for model: VirtualDeviceModel) throws {
    guard let entry = DeviceModel(id: model.peripheralID) else { return nil }
    self.entry = entry
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("santorio-stand-in-\(UUID().uuidString)")
    guard entry.authorization != nil || storedKey != nil else { return nil }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch entry.authorization {
    case .keyFile(let name)?:
      try write(#"{"key": "\#(Self.digits(FakeVendorCryptography.exampleKey))"}"#, to: name)
    case .license(let name)?: try write("stand-in licence", to: name)
    case nil: break
    }
  }

  /// Settings that find the files.
  var settings: BluetoothPeripheralController.Settings {
    var settings = BluetoothPeripheralController.Settings()
    settings.keyFolder = folder
    if entry.authorization != nil { settings.cryptography[entry.id] = FakeVendorCryptography() }
    return settings
  }

  /// Stores the device's own key, as a user who has found it would.
  func store(
    in controller: BluetoothPeripheralController, for identifier: UUID
  ) throws(BluetoothError) {
    guard let (key, bytes) = storedKey else { return }
    try controller.store(Self.digits(bytes), for: key, ofPeripheralUUID: identifier)
  }

  /// Removes the files.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  private var storedKey: (key: PeripheralDataKey, bytes: [UInt8])? {
    switch entry.id {
    case DeviceModel.coaguChek.id: (.encryptionKey, FakeVendorCryptography.exampleKey)
    case DeviceModel.xiaomiS400.id: (.bindKey, VirtualDeviceModel.s400Secret)
    default: nil
    }
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
