// SPDX-License-Identifier: Apache-2.0

/// A number in the unit and with the digits that a device showed, for instance `5.5` `mmol/L`.
///
/// A record keeps it beside the value in the unit of the table of metrics, which is what is compared:
/// 5.5 mmol/L would come back from 99.09 mg/dL as 5.500132, and `2.0` from a number as `2`.
public struct ShownValue: Hashable, Sendable {
  /// The decimal with the digits that were shown, without an exponent: `5.5`, `98.6`, `2.0`, `-0.3`.
  public let text: String
  /// The unit as the Inform API writes it, for instance `mmol/L`, `°F`, `lb` or `kPa`.
  public let unit: String

  /// Takes a decimal as a display has it; nil when it is none, or the unit is empty.
  ///
  /// - Parameters:
  ///   - text: At most 24 characters: perhaps a minus sign, digits without a leading zero, perhaps a
  ///     point and digits after it.
  ///   - unit: The unit as the Inform API writes it.
  public init?(_ text: String, unit: String) {
    guard !unit.isEmpty, Self.isDecimal(text) else { return nil }
    self.text = text
    self.unit = unit
  }

  /// Takes a decimal as a device sends it; nil when it has more than 24 characters.
  ///
  /// - Parameters:
  ///   - mantissa: The digits, with their sign.
  ///   - exponent: The power of ten of the last digit that is shown: 20 and -1 are `2.0`, 2 and 1 are
  ///     `20`.
  ///   - unit: The unit as the Inform API writes it.
  public init?(mantissa: Int, exponent: Int, unit: String) {
    guard (-Self.maximumLength...Self.maximumLength).contains(exponent) else { return nil }
    var digits = String(mantissa.magnitude)
    if exponent > 0, mantissa != 0 { digits += String(repeating: "0", count: exponent) }
    if exponent < 0 {
      digits = String(repeating: "0", count: max(0, 1 - exponent - digits.utf8.count)) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
    }
    self.init(mantissa < 0 ? "-" + digits : digits, unit: unit)
  }

  /// The number, without the digits that it was shown with.
  public var number: Double { Double(text) ?? .nan }

  /// What one more in the last digit is worth: 0.1 for `5.5`.
  var step: Double {
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return 1 }
    let places = text.utf8.distance(from: point, to: text.utf8.endIndex) - 1
    return Double("1e-\(places)") ?? 0
  }

  private static let maximumLength = 24

  /// Whether a text is a number of JSON without an exponent.
  private static func isDecimal(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    let parts = (text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...])
      .split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy(isDigits) else { return false }
    return parts[0].utf8.count == 1 || parts[0].utf8.first != UInt8(ascii: "0")
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
