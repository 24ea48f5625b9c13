// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A result of the AET-WD thermometers.
///
/// ```
/// // 000000000000000000  24   05
/// // ?                   INT  FRACTION
/// ```
///
/// Whole degrees Celsius and the digits behind the point as a number: 5 are five tenths, 55 are 55
/// hundredths. The nine bytes before are not known and kept as sent. Source:
/// weliem/LivecareBluetoothSDK.
package struct AETTemperature: CharacteristicValue {
  private static let headerLength = 9
  private static let failures: Set<UInt8> = [0xE0, 0xF0]

  private let header: [UInt8]
  private let wholeDegrees: UInt8
  private let fraction: UInt8
  /// What follows, as sent.
  package let trailingBytes: [UInt8]

  /// Creates a result in tenths of a degree.
  package init(deciCelsius: UInt8) {
    self.init(wholeDegrees: deciCelsius / 10, fraction: deciCelsius % 10)
  }

  /// Creates a result by its two numbers.
  package init(wholeDegrees: UInt8, fraction: UInt8) {
    header = Array(repeating: 0, count: Self.headerLength)
    self.wholeDegrees = wholeDegrees
    self.fraction = fraction
    trailingBytes = []
  }

  /// Reads both numbers.
  ///
  /// - Throws: `outOfRange` when the fraction has more than two digits.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    header = try reader.bytes(Self.headerLength, field: "Header")
    wholeDegrees = try reader.uint8(field: "Whole Degrees")
    let offset = reader.offset
    fraction = try reader.uint8(field: "Fraction")
    guard fraction < 100 || Self.failures.contains(wholeDegrees) else {
      throw PayloadError(
        .outOfRange, field: "Fraction", offset: offset,
        message: "It has one or two digits. Refuse the result.")
    }
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the result.
  package func encode(to writer: inout PayloadWriter) {
    writer.append(header)
    writer.append([wholeDegrees, fraction])
    writer.append(trailingBytes)
  }

  /// The temperature in °C; nil when the measurement failed.
  package var celsius: Double? {
    guard !Self.failures.contains(wholeDegrees) else { return nil }
    let hundredths = Int(wholeDegrees) * 100 + Int(fraction) * (fraction < 10 ? 10 : 1)
    return Double(hundredths) / 100
  }
}
