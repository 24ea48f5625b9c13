// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// Devices whose layout is not public, so that they are not read.
extension DeviceModel {
  /// Remedy 72-HB151: broadcasts in a layout that is not public, so that it is not read.
  package static let remedy72HB151 = DeviceModel(
    id: 16, type: .weightScale, manufacturer: "Remedy", model: "72-HB151",
    instructions: standingStill,
    disabledReason: "The layout of its broadcasts is not public.",
    connectTimeout: .seconds(30), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FA01"], namePrefixes: ["CARESCALE"]))

  /// WiTscale S200: broadcasts in a layout that is not public, so that it is not read.
  package static let witscaleS200 = DeviceModel(
    id: 17, type: .weightScale, manufacturer: "WiTscale", model: "S200",
    instructions: standingStill,
    disabledReason: "The layout of its broadcasts is not public.",
    connectTimeout: .seconds(90), readTimeout: .seconds(30),
    advertisementFilter: AdvertisementFilter(services: ["FA01"], namePrefixes: ["Body Scale"]))

  /// Masimo MightySat Rx.
  package static let masimoMightySat = DeviceModel(
    id: 10309, type: .pulseOximeter, manufacturer: "Masimo", model: "MightySat Rx",
    instructions: clip, readingInstructions: holdStill,
    disabledReason: """
      What is known of its protocol comes from a confidential document of the manufacturer's.
      """,
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["54C21000-A720-4B4F-11E4-9FE20002A5D5"], namePrefixes: ["MightySat"]))

  /// Contec CMS50D-BT, CMS50F, CMS50K and relatives.
  package static let contecCMS50 = DeviceModel(
    id: 10310, type: .pulseOximeter, manufacturer: "Contec", model: "CMS50D-BT",
    instructions: clip, readingInstructions: holdStill,
    disabledReason: "The layout of its answers is not public.",
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["SpO2"]))

  static let unreadDevices = [remedy72HB151, witscaleS200, masimoMightySat, contecCMS50]
}
