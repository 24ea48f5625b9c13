// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with a dot for each character that would change a terminal or a log, cut to 80.
  var shown: String { shown(atMost: 80) }

  /// The text with a dot for each character that would change a terminal or a log.
  func shown(atMost count: Int) -> String {
    let scalars = unicodeScalars.prefix(count).map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        "·"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars)) + (unicodeScalars.count > count ? "…" : "")
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

  /// How many letters have to be changed, added, left out or swapped to make it another text.
  func distance(to other: String) -> Int {
    let (one, other) = (Array(self), Array(other))
    var rows = [Array(0...other.count)]
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        let replaced = rows[i][j] + (one[i] == other[j] ? 0 : 1)
        var least = Swift.min(replaced, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          least = Swift.min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
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
