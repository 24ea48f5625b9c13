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

extension ScaleBroadcastDriver.Interpretation {
  /// A weight without a time; nobody on the scale when it is 0.
  fileprivate static func weight(
    _ kilograms: Double, _ ohms: Double? = nil, isSettled: Bool, _ payload: [UInt8]
  ) -> Self {
    let reading = DeviceReading(kilograms: kilograms, [(.impedance, ohms)], payload: payload)
    return reading.map { .sample(WeightSample($0, isSettled: isSettled)) } ?? .left
  }
}

extension Advertisement {
  /// What follows the company identifier.
  package var companyData: [UInt8] { Array(manufacturerData.dropFirst(2)) }
}
