// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

extension KinsaMessage: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("message", .init(kind.rawValue)),
      .init("final", .bool(kind == .result)),
      .init("celsius", celsius.map { .number($0) } ?? .null),
    ]
  }
}

extension JumperTemperature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("celsius", celsius.map { .number($0) } ?? .null),
      .init("site", site.map { .text("\($0)") } ?? .null),
    ]
  }
}

extension AOJTemperature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("celsius", .number(celsius)),
      .init("mode", .init(mode.rawValue)),
      .init("body", .bool(isBodyTemperature)),
    ]
  }
}

extension AETTemperature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("celsius", celsius.map { .number($0) } ?? .null)]
  }
}
