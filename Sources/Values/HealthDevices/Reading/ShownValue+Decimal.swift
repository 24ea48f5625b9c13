// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension ShownValue {
  /// What a device shows that sends a FLOAT or an SFLOAT: the exponent says how many digits.
  init?(_ number: MedicalNumber?, unit: String) {
    guard case .decimal(let decimal)? = number else { return nil }
    self.init(mantissa: decimal.mantissa, exponent: decimal.exponent, unit: unit)
  }

  /// A weight that a scale sends in steps of a power of ten of the unit that it shows.
  ///
  /// - Parameters:
  ///   - steps: The number of steps.
  ///   - exponent: The power of ten of a step: -1 for tenths.
  ///   - unit: The unit.
  init?(steps: UInt16, exponent: Int, _ unit: MassUnit) {
    self.init(mantissa: Int(steps), exponent: exponent, unit: unit.rawValue)
  }
}

extension MeasurementUnits {
  /// What a scale shows of a mass.
  ///
  /// - Parameters:
  ///   - steps: The mass as sent.
  ///   - massFactor: The scale's step as a multiple of the specification's 0.01 lb: 1 or 10.
  /// - Returns: The mass in pounds; nil in kilograms, since steps of 5 g say nothing of the digits.
  func shownMass(steps: UInt16?, massFactor: Double = 1) -> ShownValue? {
    guard self == .imperial, let steps, massFactor == 1 || massFactor == 10 else { return nil }
    return ShownValue(steps: steps, exponent: massFactor == 10 ? -1 : -2, .pounds)
  }
}
