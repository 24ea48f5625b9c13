// SPDX-License-Identifier: Apache-2.0

extension ByteView {
  /// The bytes as text: entities replaced, invalid UTF-8 repaired.
  var decoded: String {
    guard contains(UInt8(ascii: "&")) else { return text }
    return String(decoding: replacingEntities(), as: UTF8.self)
  }

  /// Replaces the entities that XML defines; others stay as they are.
  private func replacingEntities() -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var index = 0
    while index < count {
      let next = firstIndex(of: UInt8(ascii: "&"), from: index, to: count)
      result += self[index..<next].bytes
      index = next
      guard index < count else { break }
      // No entity is longer: `&#x10FFFF;` with some leading zeros.
      let limit = min(count, index + 16)
      let end = firstIndex(of: UInt8(ascii: ";"), from: index, to: limit)
      if end < limit, let scalar = self[index + 1..<end].entity {
        result += Array(String(Character(scalar)).utf8)
        index = end + 1
      } else {
        result.append(UInt8(ascii: "&"))
        index += 1
      }
    }
    return result
  }

  /// The character that an entity's name, `lt` or `#10`, stands for.
  private var entity: Unicode.Scalar? {
    if count > 1, self[0] == UInt8(ascii: "#") { return characterReference }
    return switch text {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default: nil
    }
  }

  private var characterReference: Unicode.Scalar? {
    let isHexadecimal = self[1] == UInt8(ascii: "x") || self[1] == UInt8(ascii: "X")
    let digits = self[(isHexadecimal ? 2 : 1)..<count].text
    guard digits.first?.isHexDigit == true,
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return number == 0 ? "\u{FFFD}" : Unicode.Scalar(number) ?? "\u{FFFD}"
  }
}
