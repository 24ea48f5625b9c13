// SPDX-License-Identifier: Apache-2.0

extension CGMRecord {
  /// What a record says about the glucose.
  public enum Outcome: Hashable, Sendable {
    /// A result within the range of the device.
    case concentration(GlucoseConcentration)
    /// "HI": above the range of the device, which may send the limit of its range.
    case aboveRange(limit: GlucoseConcentration?)
    /// "LO": below the range of the device, which may send the limit of its range.
    case belowRange(limit: GlucoseConcentration?)
    /// The sensor had a fault; `sensorStatus` holds which. Whatever number was sent is no result.
    case failed
    /// There is no number, or a special value that says nothing.
    case absent
  }

  /// What the record says: a number, HI, LO, a fault of the sensor, or nothing.
  ///
  /// HI and LO come by bits 23 and 22 of the sensor status, by +INF and -INF, or by both. A record
  /// that says both HI and LO says nothing.
  public var outcome: Outcome {
    guard sensorStatus.isDisjoint(with: .testFaults) else { return .failed }
    let number = concentration.number
    let isHigh = sensorStatus.contains(.resultTooHigh) || number == .positiveInfinity
    let isLow = sensorStatus.contains(.resultTooLow) || number == .negativeInfinity
    switch (isHigh, isLow) {
    case (true, true): return .absent
    case (true, false): return .aboveRange(limit: sentConcentration)
    case (false, true): return .belowRange(limit: sentConcentration)
    case (false, false): return sentConcentration.map { .concentration($0) } ?? .absent
    }
  }

  /// The number as sent; nil for special values, and for 0 and less.
  private var sentConcentration: GlucoseConcentration? {
    guard case .decimal(let decimal) = concentration.number, decimal.mantissa > 0 else {
      return nil
    }
    return .milligramsPerDeciliter(decimal.double)
  }
}
