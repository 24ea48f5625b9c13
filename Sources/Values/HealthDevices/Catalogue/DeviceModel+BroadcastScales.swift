// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Xiaomi Mi Smart Scale, first and second: broadcasts the weight.
  public static let xiaomiMiScale = DeviceModel(
    id: 10500, type: .weightScale, manufacturer: "Xiaomi", model: "Mi Smart Scale",
    instructions: standingStill, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(
      services: ["181D"], namePrefixes: ["MI_SCALE", "MI SCALE"]),
    broadcast: .miScale)

  /// Xiaomi Mi Body Composition Scale, first and second: broadcasts weight and impedance.
  public static let xiaomiMiBodyScale = DeviceModel(
    id: 10501, type: .weightScale, manufacturer: "Xiaomi", model: "Mi Body Composition Scale",
    instructions: standingBarefoot, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: ["181B"], namePrefixes: ["MIBCS", "MIBFS"]),
    broadcast: .miBodyScale)

  /// Xiaomi Body Composition Scale S400: its broadcasts are encrypted, so that its bind key and its
  /// address must be stored for it, see ``PeripheralDataKey/bindKey``.
  public static let xiaomiS400 = DeviceModel(
    id: 10502, type: .weightScale, manufacturer: "Xiaomi", model: "Body Composition Scale S400",
    instructions: standingBarefoot, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: ["FE95"]), broadcast: .xiaomiS400)

  /// QN's scales without a connection, sold as Renpho and others.
  public static let qnBroadcastScale = DeviceModel(
    id: 10503, type: .weightScale, manufacturer: "Renpho", model: "Scale (broadcasting)",
    instructions: standingStill, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: [], companies: [0xFFFF]), broadcast: .qnScale
  )

  /// Etekcity Fit 8S: broadcasts weight and impedance.
  public static let etekcityFit8S = DeviceModel(
    id: 10504, type: .weightScale, manufacturer: "Etekcity", model: "Fit 8S",
    instructions: standingBarefoot, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: ["FFD0"], companies: [0x06D0]),
    broadcast: .etekcity)

  /// Scales of the OKOK app that broadcast by its version 2.0.
  public static let okokScale = DeviceModel(
    id: 10505, type: .weightScale, manufacturer: "", model: "OKOK scale",
    instructions: standingBarefoot, readingInstructions: standingOn,
    connectTimeout: .seconds(90), readTimeout: .seconds(45),
    advertisementFilter: AdvertisementFilter(services: [], companies: [0x20CA]), broadcast: .okokV20
  )

  /// Remedy 72-HB151: broadcasts in a layout that is not public, so that it is not read.
  public static let remedy72HB151 = DeviceModel(
    id: 16, type: .weightScale, manufacturer: "Remedy", model: "72-HB151",
    instructions: standingStill, isDisabled: true,
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FA01"], namePrefixes: ["CARESCALE"]))

  /// WiTscale S200: broadcasts in a layout that is not public, so that it is not read.
  public static let witscaleS200 = DeviceModel(
    id: 17, type: .weightScale, manufacturer: "WiTscale", model: "S200",
    instructions: standingStill, isDisabled: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FA01"], namePrefixes: ["Body Scale"]))

  static let broadcastScales = [
    xiaomiMiScale, xiaomiMiBodyScale, xiaomiS400, qnBroadcastScale, etekcityFit8S, okokScale,
    remedy72HB151, witscaleS200,
  ]

  static let standingStill =
    "Put the scale on a hard floor, step on it and stand still until the display no longer changes."
  static let standingBarefoot =
    "Put the scale on a hard floor, step on it barefoot and stand still until it is done."
  static let standingOn = "Stand still until the weight has been received."
}
