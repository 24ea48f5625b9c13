// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension BatteryLevel: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("percent", .integer(percent))] }
}

extension DeviceInformationString: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("text", .text(text))] }
}

extension SystemID: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let digits = String(rawValue, radix: 16)
    return [
      .init("eui64", .text(String(repeating: "0", count: 16 - digits.count) + digits)),
      .init("manufacturer_id", .init(manufacturerDefinedIdentifier)),
      .init("oui", .init(organizationallyUniqueIdentifier)),
    ]
  }
}

extension PnPID: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("vendor_source", .init(vendorIDSource.rawValue)),
      .init("vendor", .init(vendorID)),
      .init("product", .init(productID)),
      .init("version", .init(productVersion)),
    ]
  }
}
