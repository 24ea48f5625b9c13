// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// QardioArm.
  package static let qardioArm = DeviceModel(
    id: 10106, type: .bloodPressure, manufacturer: "Qardio", model: "QardioArm",
    instructions: "Unroll the cuff, put it on and press its button. Keep the phone near.",
    connectTimeout: .seconds(120), readTimeout: .seconds(180),
    advertisementFilter: AdvertisementFilter(
      services: ["1810"], namePrefixes: ["QardioARM", "Qardio"]),
    drivers: [.qardioArm, .bloodPressureProfile])
}

extension Manufacturer {
  static let qardio = Manufacturer(devices: [.qardioArm], forbidden: ForbiddenCommand.qardio)
}
