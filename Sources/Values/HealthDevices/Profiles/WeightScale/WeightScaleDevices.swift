// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Any scale that keeps to the Weight Scale Profile of the Bluetooth SIG.
  public static let genericWeightScale = DeviceModel(
    id: 5000, type: .weightScale, manufacturer: "", model: "Weight scale",
    instructions: stepOn, pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181D"]), drivers: [.weightScaleProfile])

  /// Any scale with the Body Composition Service of the Bluetooth SIG.
  public static let genericBodyComposition = DeviceModel(
    id: 7000, type: .weightScale, manufacturer: "", model: "Body composition scale",
    instructions: stepOnBarefoot, pairingInstructions: genericPairing,
    requiresPairing: true, appearsAfterMeasurement: true,
    connectTimeout: .seconds(90), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181B"]),
    drivers: [.weightScaleProfile, .bodyCompositionProfile])

  static let weightScaleDevices = [genericWeightScale, genericBodyComposition]
}
