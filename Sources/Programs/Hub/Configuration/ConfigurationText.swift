// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with a dot for each character that would change a terminal or a log, cut to 80.
  var shown: String {
    let scalars = unicodeScalars.prefix(80).map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        "·"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars)) + (unicodeScalars.count > 80 ? "…" : "")
  }

  /// Whether it is an identifier of 1 to so many of A-Z, a-z, 0-9, `.`, `_` and `-`.
  func isIdentifier(atMost count: Int) -> Bool {
    (1...count).contains(utf8.count) && self != "." && self != ".."
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// How many letters have to be changed, added or left out to make it another text.
  func distance(to other: String) -> Int {
    let (one, other) = (Array(self), Array(other))
    var row = Array(0...other.count)
    for i in one.indices {
      var next = [i + 1]
      for j in other.indices {
        next.append(Swift.min(row[j] + (one[i] == other[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1))
      }
      row = next
    }
    return row[other.count]
  }
}

extension [String] {
  /// The elements as a list in a sentence: "a, b or c".
  var alternatives: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }

  /// The element that was probably meant by a text; nil when none is like it.
  func nearest(to text: String) -> String? {
    let distances = map { (name: $0, distance: $0.distance(to: text)) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return nearest.distance <= Swift.max(1, text.count / 3) ? nearest.name : nil
  }
}
