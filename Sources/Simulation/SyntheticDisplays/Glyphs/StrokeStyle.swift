// SPDX-License-Identifier: Apache-2.0

import DigitReader

/// Characters of smooth lines, as displays of many dots and prints on a housing have them.
struct StrokeStyle {
  /// How thick a line is, in heights.
  var thickness = 0.12
  /// How wide a character is, in heights.
  var width = 0.58
  /// How far the top is to the right of the bottom.
  var slant = 0.0
  var spacing = 0.14
  /// From 0, straight from point to point, to 1, round.
  var roundness = 1.0

  func shape(_ character: Character) -> GlyphShape? {
    if character == " " { return GlyphShape(width: width * 0.6, lit: []) }
    guard let lines = Self.lines[character] else { return nil }
    let points = lines.flatMap(\.self)
    let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
    // On a grid of four by six.
    let unit = width / 4
    let inset = thickness / 2
    func placed(_ point: Point) -> Point {
      let y = inset + point.y / 6 * (1 - thickness)
      return Point(inset + (point.x - left) * unit + (1 - y) * slant, y)
    }
    var shape = GlyphShape(width: (right - left) * unit + thickness, lit: [])
    for line in lines {
      let path = smooth(line).map(placed)
      shape.lit += path.map { .disc($0, inset) }
      for (from, to) in zip(path, path.dropFirst()) {
        shape.lit.append(.bar(from, to, thickness))
      }
    }
    return shape
  }

  /// Points on a curve through the points of a line (Catmull and Rom).
  private func smooth(_ line: [Point]) -> [Point] {
    guard line.count > 2, roundness > 0 else { return line }
    let isClosed = line[0] == line[line.count - 1]
    var points: [Point] = []
    for index in 0..<line.count - 1 {
      let (from, to) = (line[index], line[index + 1])
      let before = index > 0 ? line[index - 1] : isClosed ? line[line.count - 2] : from
      let after = index + 2 < line.count ? line[index + 2] : isClosed ? line[1] : to
      let (leaving, coming) = ((to - before) * (roundness / 2), (after - from) * (roundness / 2))
      for step in 0..<4 {
        let t = Double(step) / 4
        let (t2, t3) = (t * t, t * t * t)
        points.append(
          from * (2 * t3 - 3 * t2 + 1) + leaving * (t3 - 2 * t2 + t) + to * (3 * t2 - 2 * t3)
            + coming * (t3 - t2))
      }
    }
    points.append(line[line.count - 1])
    return points
  }

  /// Lines of points, each two digits on the grid: x and y.
  private static func glyph(_ text: String) -> [[Point]] {
    text.split(separator: " ").map { line in
      let digits = line.compactMap(\.wholeNumberValue)
      return stride(from: 0, to: digits.count - 1, by: 2).map {
        Point(Double(digits[$0]), Double(digits[$0 + 1]))
      }
    }
  }

  private static let lines: [Character: [[Point]]] = [
    "0": "204143452605030120", "1": "1120 2026", "2": "011030413306 0646",
    "3": "011030414223 234445361605", "4": "3036 3004 0444", "5": "4000 0003 032243452605",
    "6": "30110305163645331304", "7": "0040 4016", "8": "10304133130110 13334536160513",
    "9": "16354341301001133342", "-": "1333", ".": "2626", ":": "2222 2525", "/": "4006",
    "%": "4006 1021120110 3445362534", "°": "1021120110", "A": "0620 2046 1434",
    "C": "4130100105163645", "D": "0006 002042442606", "E": "4000 0006 0646 0333",
    "F": "4000 0006 0333", "G": "4130100105163645 4544 4424", "H": "0006 4046 0343", "I": "2026",
    "K": "0006 4003 0346", "L": "0006 0646", "M": "0600 0023 2340 4046", "N": "0600 0046 4640",
    "O": "204143452605030120", "P": "0006 003041423303", "R": "0006 003041423303 2346",
    "S": "41301001133345361605", "T": "0040 2026", "U": "000516364540", "V": "0026 2640",
    "W": "0016 1623 2336 3640", "X": "0046 4006", "Y": "0023 4023 2326",
    "B": "0006 003041322303 23344536 0636", "a": "22434526050322 4246", "b": "22434526050322 0006",
    "d": "22434526050322 4046", "e": "0444 44432203051645", "g": "22434425040322 42472807",
    "h": "0006 04224346", "i": "2226 2020", "k": "0006 4203 0346", "l": "2026",
    "m": "0206 03122326 23324346", "n": "0206 04224346", "o": "22434526050322",
    "p": "0206 022243452505", "r": "0206 042242", "s": "422203344606", "t": "2025 2546 0242",
    "u": "0205163543 4246",
  ].mapValues(glyph)
}
