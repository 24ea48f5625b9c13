// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension DateTime: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("timestamp", .init(self))] }
}

extension CurrentTime: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("timestamp", .init(dateTime)),
      .init("day_of_week", .init(dayOfWeek.rawValue)),
      .init("fractions256", .init(fractions256)),
      .init("adjust_reason", .init(adjustReason.rawValue)),
    ]
  }
}

extension LocalTimeInformation: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("tz_minutes", .init(timeZoneMinutes)),
      .init("dst_minutes", .init(daylightSavingTimeMinutes)),
    ]
  }
}

extension ReferenceTimeInformation: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("source", .init(source.rawValue)),
      .init("accuracy_raw", .init(timeAccuracy)),
      .init("accuracy_s", timeAccuracy <= 253 ? .number(Double(timeAccuracy) / 8) : .null),
      .init("days", .init(daysSinceUpdate)),
      .init("hours", .init(hoursSinceUpdate)),
    ]
  }
}
