// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Foundation
import HealthKit

/// Metadata of an export, in which every value is a text.
enum ExportMetadata {
  /// Keys whose value is a text, though it may look like a number.
  private static let texts: Set<String> = [
    HKMetadataKeyTimeZone, HKMetadataKeySyncIdentifier, HKMetadataKeyExternalUUID,
    HKMetadataKeyFoodType, HKMetadataKeyUDIDeviceIdentifier, HKMetadataKeyUDIProductionIdentifier,
    HKMetadataKeyDigitalSignature, HKMetadataKeyDeviceSerialNumber, HKMetadataKeyDeviceName,
    HKMetadataKeyDeviceManufacturerName, HKMetadataKeyWorkoutBrandName,
    HKMetadataKeyReferenceRangeLowerLimit, HKMetadataKeyReferenceRangeUpperLimit,
  ]

  /// Keys whose value is true or false.
  private static let flags: Set<String> = [
    HKMetadataKeyWasUserEntered, HKMetadataKeyWasTakenInLab, HKMetadataKeyIndoorWorkout,
    HKMetadataKeyCoachedWorkout, HKMetadataKeyGroupFitness, HKMetadataKeyMenstrualCycleStart,
    HKMetadataKeySexualActivityProtectionUsed,
  ]

  /// The value that a client of HealthKit sees.
  static func value(_ text: String, of key: String) -> Any {
    if flags.contains(key) { return text == "1" || text.lowercased() == "true" }
    if texts.contains(key) { return text }
    if let integer = Int(text) { return integer }
    if let number = Double(text), number.isFinite { return number }
    return quantity(text) ?? text
  }

  /// A number with a unit behind it, such as `418 cm`.
  private static func quantity(_ text: String) -> HKQuantity? {
    guard let space = text.firstIndex(of: " "), let value = Double(text[..<space]),
      value.isFinite,
      let unit = try? HKUnit(parsing: String(text[text.index(after: space)...]))
    else { return nil }
    return HKQuantity(unit: unit, doubleValue: value)
  }
}
