// SPDX-License-Identifier: Apache-2.0

import HealthRecords

extension ScaleBroadcastDriver.Interpretation {
  /// A weight without a time; the scale is empty when it is 0.
  static func weight(
    _ kilograms: Double, _ ohms: Double? = nil, isSettled: Bool, _ payload: [UInt8]
  ) -> Self {
    let reading = DeviceReading(kilograms: kilograms, [(.bodyImpedance, ohms)], payload: payload)
    return reading.map { .sample(WeightSample($0, isSettled: isSettled)) } ?? .left
  }
}

extension Advertisement {
  /// What follows the company identifier.
  package var companyData: [UInt8] { Array(manufacturerData.dropFirst(2)) }
}
