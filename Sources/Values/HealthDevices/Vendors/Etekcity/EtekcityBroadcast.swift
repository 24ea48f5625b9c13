// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension BroadcastModel {
  /// Etekcity Fit 8S: weight and impedance at once.
  package static let etekcity = BroadcastModel(
    id: "etekcity-fit-8s", name: "Etekcity Fit 8S", confidence: .agreed,
    sources: ["ronnnnnnnnnnnnn/etekcity_esf551_ble", "openScale, EtekcityFit8SHandler"],
    matches: {
      $0.company == EtekcityAdvertisement.company && $0.companyData.count == 20
    },
    make: { context in
      ScaleBroadcastDriver(context) { advertisement, _ in
        guard let weight = try? EtekcityAdvertisement(payload: advertisement.companyData) else {
          return nil
        }
        return .weight(
          weight.kilograms, weight.ohms.map(Double.init), isSettled: weight.isMeasurement,
          weight.payload)
      }
    })
}
