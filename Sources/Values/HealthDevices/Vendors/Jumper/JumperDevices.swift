// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Jumper JPD-HA120.
  package static let jumperJPDHA120 = DeviceModel(
    id: 10110, type: .bloodPressure, manufacturer: "Jumper", model: "JPD-HA120",
    instructions: measureAndWait,
    connectTimeout: .seconds(120), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(services: ["FFF0"], namePrefixes: ["JPD-HA"]),
    drivers: [.jumperBloodPressure])

  /// Jumper JPD-500E/F/G and the many oximeters built alike, whatever their name.
  package static let jumperJPD500 = DeviceModel(
    id: 10304, type: .pulseOximeter, manufacturer: "Jumper", model: "JPD-500",
    instructions: clip, readingInstructions: holdStill,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [GATTAttribute.jumperOximetry.service]),
    drivers: [.jumperOximeter])

  /// Jumper's JPD-FR thermometers.
  package static let jumperJPDFR = DeviceModel(
    id: 10_401, type: .thermometer, manufacturer: "Jumper", model: "JPD-FR",
    instructions: takeTemperature, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["My Thermometer"]),
    drivers: [.jumperThermometer])
}

extension Manufacturer {
  static let jumper = Manufacturer(devices: [.jumperJPDHA120, .jumperJPD500, .jumperJPDFR])
}
