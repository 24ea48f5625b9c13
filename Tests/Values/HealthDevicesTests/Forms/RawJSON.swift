// SPDX-License-Identifier: Apache-2.0

/// JSON as it is written, digit by digit, without its blanks; only of what is valid.
struct RawJSON {
  let text: Substring

  init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self)[...] }

  private init(_ text: Substring) { self.text = text }

  /// The members of an object in their order; none of anything else.
  var members: [(name: String, value: RawJSON)] {
    guard text.first == "{" else { return [] }
    return parts.compactMap { part in
      guard let end = part.dropFirst().firstIndex(of: "\"") else { return nil }
      let name = String(part[part.index(after: part.startIndex)..<end])
      return (name, RawJSON(part[part.index(end, offsetBy: 2)...]))
    }
  }

  /// The elements of an array; none of anything else.
  var elements: [RawJSON] { text.first == "[" ? parts.map(RawJSON.init) : [] }

  subscript(name: String) -> RawJSON? { members.first { $0.name == name }?.value }

  /// The text of a string, without quotation marks.
  var string: String {
    text.first == "\"" ? String(text.dropFirst().dropLast()) : String(text)
  }

  /// What stands between the commas of an object or an array.
  private var parts: [Substring] {
    var parts: [Substring] = []
    var (depth, isQuoted, isEscaped) = (0, false, false)
    let inner = text.dropFirst().dropLast()
    var start = inner.startIndex
    for index in inner.indices {
      let character = inner[index]
      if isEscaped || isQuoted && character == "\\" {
        isEscaped.toggle()
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted {
        if "[{".contains(character) { depth += 1 }
        if "]}".contains(character) { depth -= 1 }
        if character == ",", depth == 0 {
          parts.append(inner[start..<index])
          start = inner.index(after: index)
        }
      }
    }
    return inner.isEmpty ? [] : parts + [inner[start...]]
  }
}
