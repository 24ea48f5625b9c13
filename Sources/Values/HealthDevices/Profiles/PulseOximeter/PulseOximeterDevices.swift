// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Any oximeter that keeps to the Pulse Oximeter Profile of the Bluetooth SIG.
  public static let genericPulseOximeter = DeviceModel(
    id: 2000, type: .pulseOximeter, manufacturer: "", model: "Pulse oximeter",
    instructions: "Warm your hand, put a finger into the oximeter and sit still.",
    readingInstructions: "Keep the finger still until the value has settled.",
    connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["1822"]),
    drivers: [.pulseOximeterSpotCheck, .pulseOximeterContinuous])

  static let pulseOximeterDevices = [genericPulseOximeter]
}
