// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Xiaomi Mi Smart Scale, first and second: broadcasts the weight.
  package static let xiaomiMiScale = DeviceModel(
    id: 10500, type: .weightScale, manufacturer: "Xiaomi", model: "Mi Smart Scale",
    instructions: standingStill, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(
      services: ["181D"], namePrefixes: ["MI_SCALE", "MI SCALE"]),
    broadcast: .miScale)

  /// Xiaomi Mi Body Composition Scale, first and second: broadcasts weight and impedance.
  package static let xiaomiMiBodyScale = DeviceModel(
    id: 10501, type: .weightScale, manufacturer: "Xiaomi", model: "Mi Body Composition Scale",
    instructions: standingBarefoot, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: ["181B"], namePrefixes: ["MIBCS", "MIBFS"]),
    broadcast: .miBodyScale)

  /// Xiaomi Body Composition Scale S400: its broadcasts are encrypted, so that its bind key and its
  /// address must be stored for it, see `PeripheralDataKey.bindKey`.
  package static let xiaomiS400: DeviceModel = {
    var entry = DeviceModel(
      id: 10502, type: .weightScale, manufacturer: "Xiaomi", model: "Body Composition Scale S400",
      instructions: standingBarefoot, readingInstructions: standingOn,
      connectTimeout: .seconds(90), readTimeout: .seconds(45),
      advertisementFilter: AdvertisementFilter(services: ["FE95"]), broadcast: .xiaomiS400)
    entry.userKey = .bindKey
    return entry
  }()
}

extension Manufacturer {
  static let xiaomi = Manufacturer(devices: [.xiaomiMiScale, .xiaomiMiBodyScale, .xiaomiS400])
}
