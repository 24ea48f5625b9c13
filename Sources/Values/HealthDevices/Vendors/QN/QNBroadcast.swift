// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension BroadcastModel {
  /// QN's scales without a connection (sold as Renpho and others): the weight only.
  package static let qnScale = BroadcastModel(
    id: "qn-broadcast", name: "QN scale, broadcasting", confidence: .agreed,
    sources: ["openScale, QNHandlerBroadcast", "KristianP26/ble-scale-sync"],
    matches: { advertisement in
      advertisement.company == QNAdvertisement.company
        && advertisement.companyData.starts(with: [0xAA, 0xBB])
    },
    make: { context in
      ScaleBroadcastDriver(context) { advertisement, _ in
        guard let weight = try? QNAdvertisement(payload: advertisement.companyData) else {
          return nil
        }
        return .weight(weight.kilograms, isSettled: weight.isSettled, weight.payload)
      }
    })
}
