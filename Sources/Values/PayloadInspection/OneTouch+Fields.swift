// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension OneTouchFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("direction_byte", .init(family.rawValue)),
      .init("payload", .init(hexadecimal: message)),
      .init("crc", .init(Checksum.crc16CCITT.value(of: payload.dropLast(2)))),
    ]
  }
}

extension OneTouchRecord: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("seconds_since_2000", .init(secondsSince2000)),
      .init("timestamp", .init(dateTime)),
      .init("mg_dl", .init(milligramsPerDeciliter)),
      .init("control_solution", .bool(isControlSolution)),
      .init("meal", meal.map { .text("\($0)") } ?? .null),
    ]
  }
}
