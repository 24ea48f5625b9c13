// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

extension PLXContinuousMeasurement: OximetryPayload {
  /// The values of the moment, which count when they are final and the signal is good.
  package var moment: OximetryMoment? {
    OximetryMoment(isSteady ? sample : nil, isOnFinger: isUsable, payload: payload)
  }

  private var sample: OximetrySample? {
    OximetrySample(
      saturation: normal.percent, pulseRate: normal.beatsPerMinute,
      perfusionIndex: pulseAmplitudeIndex?.double.flatMap { $0 > 0 ? $0 : nil })
  }

  private var isSteady: Bool {
    let isEstimate = measurementStatus?.contains(.earlyEstimateData) ?? false
    let isPoor = !(deviceAndSensorStatus ?? []).isDisjoint(with: [
      .inadequateSignalDetected, .erraticSignalDetected, .nonpulsatileSignalDetected,
      .questionablePulseDetected,
    ])
    return isUsable && !isEstimate && !isPoor
  }
}
