// SPDX-License-Identifier: Apache-2.0

/// What a simple unit measures.
package enum UnitKind: Int, Hashable, CaseIterable, Sendable {
  case length
  case temperature
  case pressure
  case volume
  case energy
  case power
  case time
  case frequency
  case mass
  case amountOfSubstance
  case conductance
  case electricPotential
  case angle
  case illuminance
  case opticalPower
  case prismPower
  case soundPressureLevel
  case hearingLevel
  case pharmacology
  case effortScore
  case scalar
}

/// Exponents of the kinds in a unit: `mg/dL` is mass to the 1 and volume to the -1.
package struct UnitDimension: Hashable, Sendable {
  private var exponents = SIMD32<Int32>(repeating: 0)

  /// The dimension of a pure number.
  package init() {}

  /// The exponent of the kind.
  package subscript(kind: UnitKind) -> Int {
    get { Int(exponents[kind.rawValue]) }
    set { exponents[kind.rawValue] = Int32(newValue) }
  }

  /// The same in the kinds that are independent of each other.
  ///
  /// A volume is a cubic length, a pressure is a mass per length and squared time, an energy is a
  /// mass times squared length per squared time, a frequency is the reciprocal of a time. Power
  /// stays what it is: Apple's framework does not convert between `W` and `J/s`. A count does not
  /// matter.
  package var reduced: UnitDimension {
    let (volume, pressure, energy) = (self[.volume], self[.pressure], self[.energy])
    var result = self
    result[.length] += 3 * volume - pressure + 2 * energy
    result[.mass] += pressure + energy
    result[.time] -= 2 * pressure + 2 * energy + self[.frequency]
    for kind: UnitKind in [.volume, .pressure, .energy, .frequency, .scalar] {
      result[kind] = 0
    }
    return result
  }

  /// What litres, pascals and joules are worth in metres, grams and seconds.
  package var coherence: Double {
    power(0.001, self[.volume]) * power(1000, self[.pressure] + self[.energy])
  }
}

/// The base raised to an integral power by multiplication, so that whole numbers stay exact.
func power(_ base: Double, _ exponent: Int) -> Double {
  var result = 1.0
  for _ in 0..<abs(exponent) { result *= base }
  return exponent < 0 ? 1 / result : result
}
