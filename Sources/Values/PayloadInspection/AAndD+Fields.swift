// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension AAndDWeightMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(layout.flags.rawValue)),
      .init("unit", .text(layout.units.massUnit.rawValue)),
      .init("weight", .init(weight?.value)),
      .init("unsuccessful", .bool(layout.isUnsuccessful)),
    ] + Timestamp.fields(layout.timestamp) + [.init("user_id", .init(layout.userID?.rawValue))]
  }

  package var trailingBytes: [UInt8] { layout.trailingBytes }
}
