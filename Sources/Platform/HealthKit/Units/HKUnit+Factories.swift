// SPDX-License-Identifier: Apache-2.0

// MARK: - Mass

extension HKUnit {
  /// Grams with a prefix.
  @discardableResult
  public class func gramUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.gram.prefixed(prefix)))
  }

  /// Grams.
  @discardableResult
  public class func gram() -> Self { Self(UnitProduct(.gram)) }

  /// Ounces of 28.349523125 g.
  @discardableResult
  public class func ounce() -> Self { Self(UnitProduct(.ounce)) }

  /// Pounds of 453.59237 g.
  @discardableResult
  public class func pound() -> Self { Self(UnitProduct(.pound)) }

  /// Stones of 6350.29318 g.
  @discardableResult
  public class func stone() -> Self { Self(UnitProduct(.stone)) }

  /// Moles of a substance with a prefix; they convert to grams by the molar mass.
  @discardableResult
  public class func moleUnit(
    with prefix: HKMetricPrefix, molarMass gramsPerMole: Double
  ) -> Self {
    Self(UnitProduct(SimpleUnit.mole(gramsPerMole: gramsPerMole).prefixed(prefix)))
  }

  /// Moles of a substance; they convert to grams by the molar mass.
  @discardableResult
  public class func moleUnit(withMolarMass gramsPerMole: Double) -> Self {
    Self(UnitProduct(.mole(gramsPerMole: gramsPerMole)))
  }
}

// MARK: - Length

extension HKUnit {
  /// Metres with a prefix.
  @discardableResult
  public class func meterUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.meter.prefixed(prefix)))
  }

  /// Metres.
  @discardableResult
  public class func meter() -> Self { Self(UnitProduct(.meter)) }

  /// Inches of 0.0254 m.
  @discardableResult
  public class func inch() -> Self { Self(UnitProduct(.inch)) }

  /// Feet of 0.3048 m.
  @discardableResult
  public class func foot() -> Self { Self(UnitProduct(.foot)) }

  /// Yards of 0.9144 m.
  @discardableResult
  public class func yard() -> Self { Self(UnitProduct(.yard)) }

  /// Miles of 1609.344 m.
  @discardableResult
  public class func mile() -> Self { Self(UnitProduct(.mile)) }
}

// MARK: - Volume

extension HKUnit {
  /// Litres with a prefix.
  @discardableResult
  public class func literUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.liter.prefixed(prefix)))
  }

  /// Litres.
  @discardableResult
  public class func liter() -> Self { Self(UnitProduct(.liter)) }

  /// US fluid ounces of 0.0295735295625 L.
  @discardableResult
  public class func fluidOunceUS() -> Self { Self(UnitProduct(.fluidOunceUS)) }

  /// Imperial fluid ounces of 0.0284130625 L.
  @discardableResult
  public class func fluidOunceImperial() -> Self { Self(UnitProduct(.fluidOunceImperial)) }

  /// US pints of 0.473176473 L.
  @discardableResult
  public class func pintUS() -> Self { Self(UnitProduct(.pintUS)) }

  /// Imperial pints of 0.56826125 L.
  @discardableResult
  public class func pintImperial() -> Self { Self(UnitProduct(.pintImperial)) }

  /// US cups of 0.2365882365 L.
  @discardableResult
  public class func cupUS() -> Self { Self(UnitProduct(.cupUS)) }

  /// Imperial cups of 0.284130625 L.
  @discardableResult
  public class func cupImperial() -> Self { Self(UnitProduct(.cupImperial)) }
}

// MARK: - Pressure and sound

extension HKUnit {
  /// Pascals with a prefix.
  @discardableResult
  public class func pascalUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.pascal.prefixed(prefix)))
  }

  /// Pascals.
  @discardableResult
  public class func pascal() -> Self { Self(UnitProduct(.pascal)) }

  /// Millimetres of mercury of 133.322387415 Pa.
  @discardableResult
  public class func millimeterOfMercury() -> Self { Self(UnitProduct(.millimeterOfMercury)) }

  /// Inches of mercury of 3386.38816 Pa.
  @discardableResult
  public class func inchesOfMercury() -> Self { Self(UnitProduct(.inchOfMercury)) }

  /// Centimetres of water of 98.0665 Pa.
  @discardableResult
  public class func centimeterOfWater() -> Self { Self(UnitProduct(.centimeterOfWater)) }

  /// Atmospheres of 101,325 Pa.
  @discardableResult
  public class func atmosphere() -> Self { Self(UnitProduct(.atmosphere)) }

  /// A-weighted decibels of sound pressure; they do not convert to pascals.
  @discardableResult
  public class func decibelAWeightedSoundPressureLevel() -> Self {
    Self(UnitProduct(.decibelSoundPressure))
  }

  /// Decibels of hearing level.
  @discardableResult
  public class func decibelHearingLevel() -> Self { Self(UnitProduct(.decibelHearing)) }
}

// MARK: - Time and frequency

extension HKUnit {
  /// Seconds with a prefix.
  @discardableResult
  public class func secondUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.second.prefixed(prefix)))
  }

  /// Seconds.
  @discardableResult
  public class func second() -> Self { Self(UnitProduct(.second)) }

  /// Minutes of 60 s.
  @discardableResult
  public class func minute() -> Self { Self(UnitProduct(.minute)) }

  /// Hours of 3600 s.
  @discardableResult
  public class func hour() -> Self { Self(UnitProduct(.hour)) }

  /// Days of 86,400 s.
  @discardableResult
  public class func day() -> Self { Self(UnitProduct(.day)) }

  /// Hertz with a prefix.
  @discardableResult
  public class func hertzUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.hertz.prefixed(prefix)))
  }

  /// Hertz.
  @discardableResult
  public class func hertz() -> Self { Self(UnitProduct(.hertz)) }
}

// MARK: - Energy and power

extension HKUnit {
  /// Joules with a prefix.
  @discardableResult
  public class func jouleUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.joule.prefixed(prefix)))
  }

  /// Joules.
  @discardableResult
  public class func joule() -> Self { Self(UnitProduct(.joule)) }

  /// Kilocalories of 4184 J.
  @discardableResult
  public class func kilocalorie() -> Self { Self(UnitProduct(.kilocalorie)) }

  /// Calories of 4.184 J.
  @discardableResult
  public class func smallCalorie() -> Self { Self(UnitProduct(.smallCalorie)) }

  /// Calories of 4184 J.
  @discardableResult
  public class func largeCalorie() -> Self { Self(UnitProduct(.largeCalorie)) }

  /// Calories of 4.184 J.
  @available(
    iOS, introduced: 8.0, deprecated: 11.0,
    message: "Use smallCalorieUnit or largeCalorieUnit, depending on which you mean"
  )
  @discardableResult
  public class func calorie() -> Self { Self(UnitProduct(.smallCalorie)) }

  /// Watts with a prefix.
  @discardableResult
  public class func wattUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.watt.prefixed(prefix)))
  }

  /// Watts.
  @discardableResult
  public class func watt() -> Self { Self(UnitProduct(.watt)) }
}

// MARK: - Temperature

extension HKUnit {
  /// Degrees Celsius.
  @discardableResult
  public class func degreeCelsius() -> Self { Self(UnitProduct(.degreeCelsius)) }

  /// Degrees Fahrenheit.
  @discardableResult
  public class func degreeFahrenheit() -> Self { Self(UnitProduct(.degreeFahrenheit)) }

  /// Kelvins.
  @discardableResult
  public class func kelvin() -> Self { Self(UnitProduct(.kelvin)) }
}

// MARK: - Electricity

extension HKUnit {
  /// Siemens with a prefix.
  @discardableResult
  public class func siemenUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.siemen.prefixed(prefix)))
  }

  /// Siemens.
  @discardableResult
  public class func siemen() -> Self { Self(UnitProduct(.siemen)) }

  /// Volts with a prefix.
  @discardableResult
  public class func voltUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.volt.prefixed(prefix)))
  }

  /// Volts.
  @discardableResult
  public class func volt() -> Self { Self(UnitProduct(.volt)) }
}

// MARK: - Numbers and doses

extension HKUnit {
  /// A number of things.
  @discardableResult
  public class func count() -> Self { Self(UnitProduct(.count)) }

  /// A share of 1: 0.97 is 97 %.
  @discardableResult
  public class func percent() -> Self { Self(UnitProduct(.percent)) }

  /// International units of a drug.
  @discardableResult
  public class func internationalUnit() -> Self { Self(UnitProduct(.internationalUnit)) }
}

// MARK: - Optics and angles

extension HKUnit {
  /// Dioptres.
  @discardableResult
  public class func diopter() -> Self { Self(UnitProduct(.diopter)) }

  /// Prism dioptres.
  @discardableResult
  public class func prismDiopter() -> Self { Self(UnitProduct(.prismDiopter)) }

  /// Radians with a prefix.
  @discardableResult
  public class func radianAngleUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.radian.prefixed(prefix)))
  }

  /// Radians.
  @discardableResult
  public class func radianAngle() -> Self { Self(UnitProduct(.radian)) }

  /// Degrees of an angle.
  @discardableResult
  public class func degreeAngle() -> Self { Self(UnitProduct(.degreeAngle)) }
}

// MARK: - Light and effort

extension HKUnit {
  /// Lux with a prefix.
  @discardableResult
  public class func luxUnit(with prefix: HKMetricPrefix) -> Self {
    Self(UnitProduct(SimpleUnit.lux.prefixed(prefix)))
  }

  /// Lux.
  @discardableResult
  public class func lux() -> Self { Self(UnitProduct(.lux)) }

  /// How hard a workout was, from 1 to 10.
  @discardableResult
  public class func appleEffortScore() -> Self { Self(UnitProduct(.appleEffortScore)) }
}
