// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// Devices whose layout is not public, so that they are not read.
extension DeviceModel {
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

  /// Masimo MightySat Rx.
  public static let masimoMightySat = DeviceModel(
    id: 10309, type: .pulseOximeter, manufacturer: "Masimo", model: "MightySat Rx",
    instructions: clip, readingInstructions: holdStill,
    // What is public of its protocol goes back to a confidential document of the manufacturer's.
    isDisabled: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(
      services: ["54C21000-A720-4B4F-11E4-9FE20002A5D5"], namePrefixes: ["MightySat"]))

  /// Contec CMS50D-BT, CMS50F, CMS50K and relatives.
  public static let contecCMS50 = DeviceModel(
    id: 10310, type: .pulseOximeter, manufacturer: "Contec", model: "CMS50D-BT",
    instructions: clip, readingInstructions: holdStill,
    // The commands of its protocol are known, the layout of its answers is not public.
    isDisabled: true, connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: [], namePrefixes: ["SpO2"]))

  static let unreadDevices = [remedy72HB151, witscaleS200, masimoMightySat, contecCMS50]
}
