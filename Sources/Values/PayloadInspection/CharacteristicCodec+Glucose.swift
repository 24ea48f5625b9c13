// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let glucose = [
    CharacteristicCodec("2A18", "Glucose Measurement", GlucoseMeasurement.self),
    CharacteristicCodec("2A34", "Glucose Measurement Context", GlucoseMeasurementContext.self),
    CharacteristicCodec("2A51", "Glucose Feature", GlucoseFeature.self),
    CharacteristicCodec("2A52", "Record Access Control Point", RecordAccessControlPoint.self),
  ]
}
