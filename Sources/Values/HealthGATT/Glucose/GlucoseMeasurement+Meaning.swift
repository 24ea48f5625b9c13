// SPDX-License-Identifier: Apache-2.0

extension GlucoseMeasurement {
  /// What a record says about the glucose.
  public enum Outcome: Hashable, Sendable {
    /// A result within the range of the meter.
    case concentration(GlucoseConcentration)
    /// "HI": above the range of the meter, which may send the limit of its range.
    case aboveRange(limit: GlucoseConcentration?)
    /// "LO": below the range of the meter, which may send the limit of its range.
    case belowRange(limit: GlucoseConcentration?)
    /// The test went wrong; `sensorStatus` holds why. Whatever number was sent is no result.
    case failed
    /// There is no number, or a special value that says nothing.
    case absent
  }

  /// What the record says: a number, HI, LO, a failed test, or nothing.
  ///
  /// HI and LO come by bits 5 and 6 of the sensor status, by +INF and -INF, or by both. A record
  /// that says both HI and LO says nothing.
  public var outcome: Outcome {
    let status = sensorStatus ?? []
    guard status.isDisjoint(with: .testFaults) else { return .failed }
    let number = sample?.concentration.number
    let isHigh = status.contains(.resultTooHigh) || number == .positiveInfinity
    let isLow = status.contains(.resultTooLow) || number == .negativeInfinity
    switch (isHigh, isLow) {
    case (true, true): return .absent
    case (true, false): return .aboveRange(limit: sentConcentration)
    case (false, true): return .belowRange(limit: sentConcentration)
    case (false, false): return sentConcentration.map { .concentration($0) } ?? .absent
    }
  }

  /// The result; nil for HI, LO, a failed test, and a record without a number above 0.
  ///
  /// Check `isControlSolution` before you take this for a value of the user.
  public var concentration: GlucoseConcentration? {
    guard case .concentration(let concentration) = outcome else { return nil }
    return concentration
  }

  /// Whether control solution was tested, which is never a value of the user.
  public var isControlSolution: Bool { sample?.isControlSolution ?? false }

  /// The time as the device shows it: base time plus time offset, without a time zone.
  ///
  /// Nil when the base time is not a day of the calendar.
  public var userFacingTime: DateTime? {
    baseTime.dateTime?.advanced(byMinutes: Int(timeOffset ?? 0))
  }

  /// The number as sent, in the unit people use; nil for special values, and for 0 and less.
  private var sentConcentration: GlucoseConcentration? {
    sentDecimal.map { GlucoseConcentration($0.double, clinicalUnit) }
  }

  /// The unit that the meter displays, which is the one that it sends but for powers of ten.
  package var clinicalUnit: GlucoseUnit {
    unit == .kilogramPerLiter ? .milligramsPerDeciliter : .millimolesPerLiter
  }

  /// The number as sent, in the unit that the meter displays; nil for special values, and for 0 and
  /// less.
  package var sentDecimal: MedicalDecimal? {
    guard case .decimal(let decimal) = sample?.concentration.number, decimal.mantissa > 0 else {
      return nil
    }
    return decimal.shifted(by: unit == .kilogramPerLiter ? 5 : 3)
  }
}

extension MedicalNumber {
  /// The number times a power of ten, exactly; special values stay what they are.
  package func shifted(by exponent: Int) -> MedicalNumber {
    guard case .decimal(let decimal) = self else { return self }
    return .decimal(decimal.shifted(by: exponent))
  }
}

extension MedicalDecimal {
  func shifted(by places: Int) -> MedicalDecimal {
    MedicalDecimal(mantissa: mantissa, exponent: exponent + places)
  }
}
