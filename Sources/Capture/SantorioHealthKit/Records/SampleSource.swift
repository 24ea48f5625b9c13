// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import HealthKit

extension HKObject {
  /// Whether a person typed it in.
  var isUserEntered: Bool { metadata?[HKMetadataKeyWasUserEntered] as? Bool ?? false }

  /// The device that measured, and what saved it.
  var recordSource: RecordSource {
    RecordSource(type: .appleHealth, device: sourceDevice)
  }

  /// What is known of the device; nil where that is nothing.
  private var sourceDevice: SourceDevice? {
    let serial = text(HKMetadataKeyDeviceSerialNumber)
    let found = SourceDevice(
      id: serial ?? device?.udiDeviceIdentifier ?? device?.localIdentifier,
      manufacturer: device?.manufacturer ?? text(HKMetadataKeyDeviceManufacturerName),
      model: device?.model ?? device?.name ?? text(HKMetadataKeyDeviceName)
        ?? sourceRevision.productType,
      serialNumber: serial, firmwareRevision: device?.firmwareVersion ?? device?.softwareVersion)
    return found == SourceDevice() ? nil : found
  }

  /// What a record has no other place for: the app, and what kind of device it ran on.
  ///
  /// The source's name is left out: that of a watch is its owner's.
  var sourceExtras: [String: ExtraValue] {
    let source = sourceRevision.source.bundleIdentifier
    var extras: [String: ExtraValue] = ["source_bundle_id": .text(source)]
    extras["source_version"] = sourceRevision.version.map(ExtraValue.text)
    extras["product_type"] = sourceRevision.productType.map(ExtraValue.text)
    extras["hardware_version"] = device?.hardwareVersion.map(ExtraValue.text)
    return extras
  }

  func text(_ key: String) -> String? {
    guard let text = metadata?[key] as? String, !text.isEmpty else { return nil }
    return text
  }

  func number(_ key: String) -> Int? {
    (metadata?[key] as? NSNumber)?.intValue ?? metadata?[key] as? Int
  }

  func flag(_ key: String) -> Bool? { metadata?[key] as? Bool }
}
