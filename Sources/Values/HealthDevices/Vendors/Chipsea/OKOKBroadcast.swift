// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension BroadcastModel {
  /// The scales of the OKOK app with version 2.0 of its broadcasts.
  package static let okokV20 = BroadcastModel(
    id: "okok-v20", name: "OKOK scale (2.0)", confidence: .single,
    sources: ["openScale, OkOkHandler"],
    matches: { $0.company == OKOKAdvertisementV20.company && $0.companyData.count == 19 },
    make: { context in
      ScaleBroadcastDriver(context) { advertisement, _ in
        guard let weight = try? OKOKAdvertisementV20(payload: advertisement.companyData) else {
          return nil
        }
        return .weight(
          weight.kilograms, weight.ohms, isSettled: weight.isMeasurement, weight.payload)
      }
    })
}
