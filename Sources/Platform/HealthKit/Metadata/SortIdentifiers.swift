// SPDX-License-Identifier: Apache-2.0

import Foundation

// MARK: - Properties of devices

/// The name.
public let HKDevicePropertyKeyName: String = "HKDevicePropertyName"
/// The manufacturer.
public let HKDevicePropertyKeyManufacturer: String = "HKDevicePropertyManufacturer"
/// The model.
public let HKDevicePropertyKeyModel: String = "HKDevicePropertyModel"
/// The version of the hardware.
public let HKDevicePropertyKeyHardwareVersion: String = "HKDevicePropertyHardwareVersion"
/// The version of the firmware.
public let HKDevicePropertyKeyFirmwareVersion: String = "HKDevicePropertyFirmwareVersion"
/// The version of the software.
public let HKDevicePropertyKeySoftwareVersion: String = "HKDevicePropertySoftwareVersion"
/// The identifier on the phone.
public let HKDevicePropertyKeyLocalIdentifier: String = "HKDevicePropertyLocalIdentifier"
/// The device part of a unique device identifier.
public let HKDevicePropertyKeyUDIDeviceIdentifier: String = "HKDevicePropertyUDIDeviceIdentifier"

// MARK: - Orders of samples

/// By the start.
public let HKSampleSortIdentifierStartDate: String = "HKSampleSortIdentifierStartDate"
/// By the end.
public let HKSampleSortIdentifierEndDate: String = "HKSampleSortIdentifierEndDate"
/// By the duration of a workout.
public let HKWorkoutSortIdentifierDuration: String = "HKWorkoutSortIdentifierDuration"
/// By the distance of a workout.
public let HKWorkoutSortIdentifierTotalDistance: String = "HKWorkoutSortIdentifierTotalDistance"
/// By the energy of a workout.
public let HKWorkoutSortIdentifierTotalEnergyBurned: String =
  "HKWorkoutSortIdentifierTotalEnergyBurned"
/// By the strokes of a workout.
public let HKWorkoutSortIdentifierTotalSwimmingStrokeCount: String = "totalSwimmingStrokeCount"
/// By the flights of a workout.
public let HKWorkoutSortIdentifierTotalFlightsClimbed: String = "totalFlightsClimbed"

extension NSNotification.Name {
  /// Apple's framework posts it when the preferred units have changed; on Linux nothing does.
  public static let HKUserPreferencesDidChange = NSNotification.Name(
    "HKUserPreferencesDidChangeNotification")
}
