// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// LifeScan's OneTouch Verio Flex, Verio Reflect, Ultra Plus Reflect and Select Plus Flex.
  package static let oneTouchVerio = DeviceModel(
    id: 10_250, type: .glucoseMeter, manufacturer: "LifeScan", model: "OneTouch Verio",
    instructions: """
      Test your blood glucose. Then leave the meter on with its Bluetooth switched on, near the phone.
      """,
    pairingInstructions: """
      Switch the meter on and its Bluetooth, too (on most models with the two arrow keys at once). \
      Enter the code that the meter shows.
      """,
    requiresPairing: true, connectTimeout: .seconds(60), readTimeout: .seconds(120),
    advertisementFilter: AdvertisementFilter(
      services: [GATTAttribute.oneTouchRequest.service], namePrefixes: ["OneTouch"]),
    drivers: [.oneTouch])
}

extension Manufacturer {
  static let lifeScan = Manufacturer(
    devices: [.oneTouchVerio], forbidden: ForbiddenCommand.lifeScan)
}
