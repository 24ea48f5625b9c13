// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension TemperatureMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("value", .init(value.number)),
      .init("unit", .text(unit == .celsius ? "C" : "F")),
      .init("celsius", celsiusField),
    ] + Timestamp.fields(timestamp) + [.init("type", .init(temperatureType?.rawValue))]
  }

  /// Degrees Fahrenheit are shown with four decimals of a degree Celsius.
  private var celsiusField: DecodedPayload.FieldValue {
    guard let temperature else { return .init(value.number) }
    return .number(
      unit == .celsius ? temperature.celsius : temperature.celsius.roundedToFourDecimals)
  }
}

extension IntermediateTemperature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { measurement.fields }
}

extension TemperatureType: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("type", .init(rawValue))] }
}

extension MeasurementInterval: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("interval_s", .init(seconds))] }
}

extension Double {
  /// The nearest number with four decimals; numbers too large to have any stay as they are.
  var roundedToFourDecimals: Double {
    magnitude < 0x1p39 ? (self * 10_000).rounded(.toNearestOrEven) / 10_000 : self
  }
}
