// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let continuousGlucose = [
    CharacteristicCodec("2AA7", "CGM Measurement", CGMMeasurement.self),
    CharacteristicCodec("2AA8", "CGM Feature", CGMFeature.self),
    CharacteristicCodec("2AA9", "CGM Status", CGMStatus.self),
    CharacteristicCodec("2AAA", "CGM Session Start Time", CGMSessionStartTime.self),
    CharacteristicCodec("2AAB", "CGM Session Run Time", CGMSessionRunTime.self),
    CharacteristicCodec(
      "2AAC", "CGM Specific Ops Control Point", CGMSpecificOpsControlPoint.self),
  ]
}
