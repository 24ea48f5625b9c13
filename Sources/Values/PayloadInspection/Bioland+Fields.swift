// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension BiolandFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("direction", .text("\(direction)")),
      .init("kind", .init(kind.rawValue)),
      .init("body", .init(hexadecimal: body)),
    ]
  }
}

extension BiolandResult: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("timestamp", .init(dateTime)), .init("mg_dl", .init(milligramsPerDeciliter))]
  }
}
