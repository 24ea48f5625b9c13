// SPDX-License-Identifier: Apache-2.0

import DigitReader

/// How a display and the housing around it look, in brightness from 0 to 1.
struct FrontLook {
  var background: Float
  var ink: Float
  /// How much of the difference unlit segments show.
  var ghost: Float
  /// How far light spreads from what is lit, in heights of the display.
  var bloom: Double
  /// How far and how strongly what is lit throws a shadow on what is behind, in heights.
  var shadow: Double
  var housing: Float
  var bezel: Float
  /// The width of the bezel, in heights of the display.
  var bezelWidth: Double
  var print: Float
}

/// The front of a device, drawn flat, and where its texts are.
struct Front {
  struct Text {
    let text: FrontText
    let glyphs: [(character: Character, quad: Quad)]
    let quad: Quad
  }

  let plane: Plane
  let display: Quad
  var outline: Quad {
    Quad(x: 0, y: 0, width: Double(plane.width), height: Double(plane.height))
  }
  let texts: [Text]
}

/// Draws the front of a device.
struct FrontRenderer {
  let look: FrontLook
  let content: DisplayContent
  /// The height of the display in pixels of the drawing.
  let scale: Double
  /// The housing around the display, in heights of it: left, top, right, bottom.
  let margins: (Double, Double, Double, Double)

  func render(_ random: inout SceneRandom) -> Front {
    let size = (
      Int((content.width + margins.0 + margins.2) * scale) + 1,
      Int((1 + margins.1 + margins.3) * scale) + 1
    )
    var plane = Plane(size.0, size.1, look.housing)
    decorate(&plane, &random)
    let display = Quad(
      x: margins.0 * scale, y: margins.1 * scale, width: content.width * scale, height: scale)
    plane.paint(display.grown(by: look.bezelWidth * scale).corners, look.bezel)
    plane.paint(display.corners, look.background)
    var (lit, unlit, printed) = (
      Plane(size.0, size.1), Plane(size.0, size.1), Plane(size.0, size.1)
    )
    var texts: [Front.Text] = []
    for text in content.texts {
      let drawn = text.isPrinted ? draw(text, &printed, &unlit) : draw(text, &lit, &unlit)
      if let drawn { texts.append(drawn) }
    }
    for icon in content.icons { lit.cover(icon.map(place)) }
    compose(&plane, lit, unlit, printed)
    return Front(plane: plane, display: display, texts: texts)
  }

  /// A point of the display in the drawing.
  private func place(_ point: Point) -> Point {
    Point((point.x + margins.0) * scale, (point.y + margins.1) * scale)
  }

  // MARK: - Texts

  private func draw(_ text: FrontText, _ lit: inout Plane, _ unlit: inout Plane) -> Front.Text? {
    let (shapes, spacing) = (text.shapes, text.style.spacing)
    var x = text.left
    var glyphs: [(character: Character, quad: Quad)] = []
    for (character, shape) in shapes {
      func drawn(_ polygon: [Point]) -> [Point] {
        polygon.map { place(Point(x + $0.x * text.height, text.y + $0.y * text.height)) }
      }
      for polygon in shape.lit { lit.cover(drawn(polygon), text.strength) }
      if look.ghost > 0 { for polygon in shape.unlit { unlit.cover(drawn(polygon)) } }
      let points = shape.lit.flatMap(drawn)
      if let box = Quad(around: points) { glyphs.append((character, box)) }
      x += (shape.width + spacing) * text.height
    }
    guard let quad = Quad(around: glyphs.flatMap(\.quad.corners)) else { return nil }
    return Front.Text(text: text, glyphs: glyphs, quad: quad)
  }

  // MARK: - Layers

  private func compose(_ plane: inout Plane, _ lit: Plane, _ unlit: Plane, _ printed: Plane) {
    let contrast = look.ink - look.background
    let bloom = look.bloom > 0 ? lit.blurred(look.bloom * scale) : lit
    let shift = Int(look.shadow * scale)
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        let index = y * plane.width + x
        var value = plane.values[index]
        value += (look.print - value) * printed.values[index]
        var covered = lit.values[index]
        if look.bloom > 0 { covered = max(covered, min(1, bloom.values[index] * 0.8)) }
        if shift > 0, x >= shift, y >= shift {
          value += contrast * 0.25 * lit.values[index - shift * (plane.width + 1)] * (1 - covered)
        }
        value += contrast * look.ghost * unlit.values[index] * (1 - covered)
        value += (look.ink - value) * covered
        plane.values[index] = value
      }
    }
  }

  /// Buttons, a brand and lines on the housing.
  private func decorate(_ plane: inout Plane, _ random: inout SceneRandom) {
    let (width, height) = (Double(plane.width), Double(plane.height))
    for _ in 0..<random.whole(0...3) {
      let shade = min(1, max(0, look.housing + Float(random.real(-0.35...0.35))))
      let (x, y) = (random.real(0...width), random.real(0...height))
      let size = random.real(0.05...0.22) * scale
      plane.paint(
        random.chance(0.6)
          ? .disc(Point(x, y), size)
          : .rectangle(x, y, size * random.real(1...4), size * random.real(0.4...1)), shade)
    }
    var print = Plane(plane.width, plane.height)
    for _ in 0..<random.whole(0...3) {
      let letters = Array("SYSDIAPULMEMORNACSTUBE")
      let text = String((0..<random.whole(2...8)).map { _ in random.pick(letters) })
      var shown = FrontText(
        text: text, kind: .other, style: .letters(&random), height: random.real(0.05...0.16), x: 0,
        y: 0)
      shown.x = random.real(0...max(0.1, content.width + margins.0 + margins.2 - 0.4)) - margins.0
      shown.y = random.chance(0.5) ? 1.04 + look.bezelWidth : -margins.1 + 0.03
      _ = drawPrint(shown, &print)
    }
    for index in plane.values.indices {
      plane.values[index] += (look.print - plane.values[index]) * print.values[index]
    }
  }

  private func drawPrint(_ text: FrontText, _ print: inout Plane) -> Front.Text? {
    var nothing = Plane(1, 1)
    return draw(text, &print, &nothing)
  }
}

extension Quad {
  /// An upright rectangle that is larger on each side.
  func grown(by margin: Double) -> Quad {
    Quad(
      x: topLeft.x - margin, y: topLeft.y - margin, width: width + 2 * margin,
      height: height + 2 * margin)
  }
}
