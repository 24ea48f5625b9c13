// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// What can be measured, each in one unit.
package enum Measurand: String, Hashable, Sendable, CaseIterable {
  /// mmHg.
  case systolicPressure, diastolicPressure, meanArterialPressure
  /// Beats per minute, felt as pulses (cuff, finger).
  case pulseRate
  /// Beats per minute, from the heart's own signal (strap).
  case heartRate
  /// mg/dL.
  case bloodGlucose
  /// mmol/L.
  case bloodKetone
  /// Per cent of total haemoglobin.
  case hba1c
  /// International normalised ratio, without a unit.
  case inr
  /// °C.
  case bodyTemperature
  /// Per cent.
  case oxygenSaturation, averageOxygenSaturation, minimumOxygenSaturation, maximumOxygenSaturation
  /// Beats per minute over a recording.
  case averagePulseRate, minimumPulseRate, maximumPulseRate
  /// Per cent.
  case perfusionIndex
  /// Breaths per minute.
  case respiratoryRate
  /// kg.
  case bodyWeight
  /// cm.
  case bodyHeight
  /// kg/m².
  case bodyMassIndex
  /// Per cent of the body weight.
  case bodyFat, muscle, bodyWater, bone
  /// kg.
  case muscleMass, fatFreeMass, softLeanMass, bodyWaterMass, boneMass
  /// kcal per day.
  case basalMetabolicRate
  /// Ω.
  case impedance
  /// Without a unit, as the manufacturer counts it.
  case visceralFat
}

/// A measured value in the unit of its measurand.
package struct MeasuredValue: Hashable, Sendable {
  package let measurand: Measurand
  package let value: Double

  package init(_ measurand: Measurand, _ value: Double) {
    self.measurand = measurand
    self.value = value
  }
}
