// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension HeartRateMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let intervals = rrIntervals ?? []
    return [
      .init("flags", .init(flags.rawValue)),
      .init("hr", .init(beatsPerMinute)),
      .init("contact", .text(sensorContact.rawValue)),
      .init("energy_kj", .init(energyExpended)),
      .init("rr_1024", .list(intervals.map { .init($0.rawValue) })),
      .init("rr_ms", .list(intervals.map { .number($0.milliseconds.roundedToFourDecimals) })),
    ]
  }
}

extension BodySensorLocation: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("location", .init(rawValue))] }
}

extension HeartRateControlPoint: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("command", .init(rawValue))] }
}
