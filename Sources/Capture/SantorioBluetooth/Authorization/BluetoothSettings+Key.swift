// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT

/// What a driver finds among its secrets beside those of the device.
typealias AppKeys = [DeviceSecret: [UInt8]]

extension BluetoothSettings {
  /// The entry by which a device is read: for a number of this package what the catalogue has, for
  /// one of the app's own the one given.
  func readable(_ peripheral: DeviceModel) throws(BluetoothError) -> DeviceModel {
    guard let registered = catalogue.entry(id: peripheral.id) else {
      throw BluetoothError(
        .unsupportedDevice,
        "\(peripheral.name) is not registered. Add it to BluetoothSettings.catalogue with register(_:)."
      )
    }
    let entry = peripheral.id < DeviceCatalogue.firstFreeNumber ? registered : peripheral
    if let reason = entry.disabledReason {
      throw BluetoothError(.unsupportedDevice, "\(peripheral.name) cannot be read. \(reason)")
    }
    do throws(DeviceRegistrationError) {
      try entry.validate()
    } catch {
      throw BluetoothError(.unsupportedDevice, error.description)
    }
    return entry
  }

  /// The app's key or licence for a device, checked before the radio is touched; empty for one that
  /// needs none.
  func keys(for peripheral: DeviceModel) throws(BluetoothError) -> AppKeys {
    switch peripheral.authorization {
    case nil: return [:]
    case .keyFile(let name)?:
      return [.applicationKey: try KeyFile(name, in: keyFolder).key()]
    case .license(let name)?:
      let license = try KeyFile(name, in: keyFolder).bytes()
      do {
        try peripheral.validate(license: license)
      } catch {
        throw BluetoothError(.notAuthorized, "The licence \"\(name)\" does not hold: \(error)")
      }
      return [.license: license]
    }
  }
}
