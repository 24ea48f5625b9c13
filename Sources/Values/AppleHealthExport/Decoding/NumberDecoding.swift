// SPDX-License-Identifier: Apache-2.0

extension ByteView {
  /// The bytes as a decimal number, correctly rounded; nil when they are not a finite one.
  var number: Double? {
    var index = 0
    let isNegative = count > 0 && self[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var (mantissa, digits, decimals): (UInt64, Int, Int) = (0, 0, 0)
    var hasPoint = false
    while index < count {
      let byte = self[index]
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits &+= 1
        if hasPoint { decimals &+= 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        return unusualNumber
      }
      index &+= 1
    }
    // Both are exact then, and the quotient is rounded once.
    guard digits > 0, digits <= 18, mantissa <= 1 << 53 else { return unusualNumber }
    let value = Double(mantissa) / Self.powersOfTen[decimals]
    return isNegative ? -value : value
  }

  private var unusualNumber: Double? {
    // What Double also reads but a number in XML is not: "nan", "0x1p3".
    for index in 0..<count {
      switch self[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    guard count <= 400, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18,
  ]

  /// Whether the first byte is one that a number can begin with.
  var beginsAsNumber: Bool {
    guard count > 0 else { return false }
    switch self[0] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      return true
    default: return false
    }
  }
}
