// SPDX-License-Identifier: Apache-2.0

/// The error text for a name that is not one of a set.
enum Suggestion {
  /// Suggests the name that was probably meant, or lists all names.
  ///
  /// - Parameters:
  ///   - kind: The kind of name, in the singular ("command").
  ///   - name: The unknown name.
  ///   - known: All names of that kind.
  /// - Returns: A sentence with its final punctuation mark.
  static func text(unknown kind: String, _ name: String, among known: [String]) -> String {
    let unknown = "unknown \(kind) '\(name.printable)'; "
    guard let suggested = similar(to: name, among: known) else {
      return unknown + "the \(kind)s are \(known.joined(separator: ", "))."
    }
    return unknown + "did you mean '\(suggested)'?"
  }

  /// The most similar name; nil when none is similar.
  ///
  /// A name is similar when at most a third of the characters differ, or when it is the only one
  /// that begins with the given text.
  static func similar(to name: String, among known: [String]) -> String? {
    let distances = known.map { (name: $0, distance: distance(name, $0)) }
    let nearest = distances.min { $0.distance < $1.distance }
    if let nearest, nearest.distance <= max(1, name.count / 3), nearest.distance < name.count {
      return nearest.name
    }
    let longer = known.filter { $0.hasPrefix(name) }
    return name.count > 1 && longer.count == 1 ? longer.first : nil
  }

  /// The number of characters to insert, remove, replace or swap (optimal string alignment).
  static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var rows = [Array(0...other.count)]
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        let replaced = rows[i][j] + (one[i] == other[j] ? 0 : 1)
        var least = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}

extension Array<String> {
  /// The elements as a list in a sentence: "a, b or c".
  var alternatives: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
