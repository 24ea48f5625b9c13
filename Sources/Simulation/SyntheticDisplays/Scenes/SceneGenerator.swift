// SPDX-License-Identifier: Apache-2.0

public import DigitReader

/// Renders photos of displays that no device shows, for tests and for training: the same seed gives the
/// same scenes.
public struct SceneGenerator: Sendable {
  private var random: SceneRandom

  /// Scenes that follow from a seed.
  public init(seed: UInt64) { random = SceneRandom(seed: seed) }

  /// The next scene.
  ///
  /// - Parameters:
  ///   - width: Columns of the image, at least 64.
  ///   - height: Rows of the image, at least 64.
  ///   - difficulty: How hard it is to read.
  ///   - layout: The kind of display; nil for any.
  /// - Returns: The scene.
  /// - Throws: `ImageError` for a size of which no image can be made.
  public mutating func next(
    width: Int = 480, height: Int = 360, difficulty: SceneDifficulty = .medium,
    layout: Scene.Layout? = nil
  ) throws(ImageError) -> Scene {
    let shot = try shot(width, height, difficulty, layout)
    return try shot.scene(&random)
  }

  /// Photos of one display, as a camera in a hand takes them one after the other.
  ///
  /// The hand trembles and drifts, reflections move, and noise and blur are others in each frame; what the
  /// display shows stays.
  ///
  /// - Parameters:
  ///   - count: How many frames.
  ///   - width: Columns of each, at least 64.
  ///   - height: Rows of each, at least 64.
  ///   - difficulty: How hard they are to read.
  ///   - layout: The kind of display; nil for any.
  /// - Returns: The frames.
  /// - Throws: `ImageError` for a size of which no image can be made.
  public mutating func burst(
    _ count: Int, width: Int = 480, height: Int = 360, difficulty: SceneDifficulty = .medium,
    layout: Scene.Layout? = nil
  ) throws(ImageError) -> [Scene] {
    var shot = try shot(width, height, difficulty, layout)
    var frames: [Scene] = []
    for _ in 0..<count {
      frames.append(try shot.scene(&random))
      shot = shot.next(&random)
    }
    return frames
  }

  private mutating func shot(
    _ width: Int, _ height: Int, _ difficulty: SceneDifficulty, _ layout: Scene.Layout?
  ) throws(ImageError) -> Shot {
    _ = try GrayImage(width: width, height: height)
    let layout = layout ?? random.pick(Scene.Layout.allCases)
    while true {
      var writer = DisplayWriter(SceneRandom(seed: random.next()))
      let content = writer.content(layout)
      let pose = Pose(content, (width, height), difficulty, &random)
      let renderer = FrontRenderer(
        look: FrontLook(difficulty, &random), content: content, scale: pose.scale,
        margins: pose.margins)
      let front = renderer.render(&random)
      let background = Plane.background(width, height, &random)
      // A pose that cannot be drawn has corners on a line, which no pose has.
      guard pose.mapping(of: front)?.inverse != nil else { continue }
      return Shot(
        layout: layout, difficulty: difficulty, front: front, background: background, pose: pose,
        photography: Photography(difficulty, (width, height), &random))
    }
  }
}

/// A display before a camera.
private struct Shot {
  let layout: Scene.Layout
  let difficulty: SceneDifficulty
  let front: Front
  let background: Plane
  var pose: Pose
  var photography: Photography

  /// What the camera sees.
  func scene(_ random: inout SceneRandom) throws(ImageError) -> Scene {
    var plane = background
    guard let mapping = pose.mapping(of: front), let back = mapping.inverse else {
      preconditionFailure("a pose that cannot be drawn")
    }
    plane.draw(front.plane, back, mapping)
    return try Self.scene(layout, front, mapping, photography.take(plane, &random), photography)
  }

  /// The same a moment later.
  func next(_ random: inout SceneRandom) -> Shot {
    var shot = self
    shot.pose.move(&random)
    let other = Photography(difficulty, (background.width, background.height), &random)
    shot.photography.drift(to: other, &random)
    return shot.pose.mapping(of: front)?.inverse == nil ? self : shot
  }

  private static func scene(
    _ layout: Scene.Layout, _ front: Front, _ mapping: Homography, _ plane: Plane,
    _ photography: Photography
  ) throws(ImageError) -> Scene {
    let image = try GrayImage(
      width: plane.width, height: plane.height,
      pixels: plane.values.map { UInt8(min(255, max(0, $0 * 255 + 0.5))) })
    let rows = front.texts.map { text in
      let quad = mapping(text.quad)
      return Scene.Row(
        text: text.text.text, kind: text.text.kind, label: text.text.label, quad: quad,
        glyphs: text.glyphs.map { Scene.Glyph(character: $0.character, quad: mapping($0.quad)) },
        isLegible: plane.isLegible(quad, photography))
    }
    let glare = photography.glare.filter { $0.strength > 0.5 }.map {
      Quad(
        x: $0.middle.x - $0.radius.x, y: $0.middle.y - $0.radius.y, width: 2 * $0.radius.x,
        height: 2 * $0.radius.y)
    }
    return Scene(
      image: image, layout: layout, display: mapping(front.display),
      device: mapping(front.outline), rows: rows, glare: glare)
  }
}

// MARK: - Where the device is

/// How large a device is in a photo, and how it lies.
private struct Pose {
  /// The height of the display in pixels of the drawing.
  let scale: Double
  let margins: (Double, Double, Double, Double)
  private var displayHeight: Double
  private var middle: Point
  private var turn: (cosine: Double, sine: Double)
  private let taper: Point
  private let size: (Int, Int)
  /// How far what is level and what is upright lean: a device that is seen from the side.
  private let lean: Point

  init(
    _ content: DisplayContent, _ size: (Int, Int), _ difficulty: SceneDifficulty,
    _ random: inout SceneRandom
  ) {
    self.size = size
    let (width, height) = (Double(size.0), Double(size.1))
    // Small digits are as frequent as large ones: each doubling has the same share.
    let range = (least: 8.0, most: 0.8 * height)
    var digit = range.least
    let doublings = random.real(0...(range.most / range.least).binaryLogarithm)
    digit *= doublings.powerOfTwo
    let fitting = min(height * 0.98, width * 0.98 / content.width)
    displayHeight = min(digit / content.valueHeight, fitting)
    scale = min(max(displayHeight * 1.25, 40), 620)
    margins = (
      random.real(0.05...0.8), random.real(0.05...0.9), random.real(0.05...0.8),
      random.real(0.05...1.2)
    )
    let (w, h) = (displayHeight * content.width, displayHeight)
    let (roomX, roomY) = (max(0, (width - w) / 2), max(0, (height - h) / 2))
    middle = Point(
      width / 2 + random.real(-1...1) * roomX, height / 2 + random.real(-1...1) * roomY)
    let strain = difficulty == .easy ? 0.3 : difficulty == .medium ? 0.7 : 1
    let angle = random.chance(0.25) ? random.real(-0.45...0.45) : random.normal(0.07)
    let half = angle * strain / 2
    turn = ((1 - half * half) / (1 + half * half), 2 * half / (1 + half * half))
    taper = Point(random.normal(0.08 * strain), random.normal(0.08 * strain))
    lean = Point(random.normal(0.14 * strain), random.normal(0.08 * strain))
  }

  /// Moves as a hand does from one frame to the next.
  mutating func move(_ random: inout SceneRandom) {
    let tremble = 0.004 * Double(size.0)
    middle = middle + Point(random.normal(tremble), random.normal(tremble))
    displayHeight *= 1 + random.normal(0.004)
    let angle = random.normal(0.006)
    // A small turn more; the length of the direction stays one.
    let (cosine, sine) = (turn.cosine - turn.sine * angle, turn.sine + turn.cosine * angle)
    let length = (cosine * cosine + sine * sine).squareRoot()
    turn = (cosine / length, sine / length)
  }

  /// From the drawing to the photo.
  func mapping(of front: Front) -> Homography? {
    let (w, h) = (Double(front.plane.width), Double(front.plane.height))
    let shrink = displayHeight / scale
    let center = front.display.center
    func place(_ x: Double, _ y: Double) -> Point {
      let (x, y) = ((x - center.x) * shrink, (y - center.y) * shrink)
      let (dx, dy) = (x + lean.x * y, y + lean.y * x)
      // Farther parts are smaller.
      let depth = 1 + taper.x * dx / displayHeight + taper.y * dy / displayHeight
      let (px, py) = (dx / max(0.4, depth), dy / max(0.4, depth))
      return middle + Point(px * turn.cosine - py * turn.sine, px * turn.sine + py * turn.cosine)
    }
    return Homography(
      width: w, height: h, to: Quad(place(0, 0), place(w, 0), place(w, h), place(0, h)))
  }
}

extension Double {
  /// The logarithm to the base of two, to a hundredth: the same on each platform.
  fileprivate var binaryLogarithm: Double {
    var (rest, result) = (max(self, 1), 0.0)
    while rest >= 2 { (rest, result) = (rest / 2, result + 1) }
    return result + (rest - 1) * (1.4 - 0.4 * (rest - 1))
  }

  /// Two to this power, to some hundredths.
  fileprivate var powerOfTwo: Double {
    let whole = rounded(.down)
    let part = self - whole
    return Double(sign: .plus, exponent: Int(whole), significand: 1 + part * (0.66 + 0.34 * part))
  }
}

// MARK: - Looks

extension FrontLook {
  /// How displays of some difficulty look: most are dark on light.
  fileprivate init(_ difficulty: SceneDifficulty, _ random: inout SceneRandom) {
    let least: Double = difficulty == .easy ? 0.4 : difficulty == .medium ? 0.22 : 0.1
    let contrast = Float(random.real(least...0.85))
    housing = Float(random.real(0.05...0.95))
    bezel = random.chance(0.5) ? Float(random.real(0.02...0.35)) : Float(random.real(0.05...0.95))
    bezelWidth = random.chance(0.7) ? random.real(0.01...0.25) : 0
    print = housing > 0.5 ? Float(random.real(0...0.3)) : Float(random.real(0.6...1))
    (bloom, shadow, ghost) = (0, 0, 0)
    switch random.unit() {
    case ..<0.62:
      // A reflecting or lit LCD.
      background = Float(random.real(0.3...0.92))
      ink = max(0.02, background - contrast)
      shadow = random.chance(0.4) ? random.real(0.005...0.02) : 0
      ghost = random.chance(0.5) ? Float(random.real(0...0.18)) : 0
    case ..<0.72:
      // An inverse LCD.
      background = Float(random.real(0.03...0.4))
      ink = min(1, background + contrast)
      ghost = random.chance(0.4) ? Float(random.real(0...0.12)) : 0
    default:
      // Light-emitting diodes.
      background = Float(random.real(0.01...0.15))
      ink = min(1, background + max(0.3, contrast))
      bloom = random.chance(0.6) ? random.real(0.005...(random.chance(0.2) ? 0.12 : 0.05)) : 0
      ghost = random.chance(0.3) ? Float(random.real(0...0.1)) : 0
    }
  }
}

// MARK: - What is around

extension Plane {
  /// A table, a room, things that lie about.
  fileprivate static func background(
    _ width: Int, _ height: Int, _ random: inout SceneRandom
  ) -> Plane {
    // Many photos of products are on white.
    let isWhite = random.chance(0.2)
    var plane = Plane(width, height, Float(isWhite ? 1 : random.real(0.05...0.95)))
    let (w, h) = (Double(width), Double(height))
    func any(_ random: inout SceneRandom) -> Point {
      Point(random.real(-0.1...1.1) * w, random.real(-0.1...1.1) * h)
    }
    for _ in 0..<random.whole(0...(isWhite ? 4 : 9)) {
      let shade = Float(random.real(0.02...0.98))
      switch random.whole(0...3) {
      case 0: plane.paint(.disc(any(&random), random.real(0.02...0.3) * w), shade)
      case 1:
        let place = any(&random)
        plane.paint(
          .rectangle(place.x, place.y, random.real(0.02...0.6) * w, random.real(0.02...0.6) * h),
          shade)
      case 2: plane.paint(.bar(any(&random), any(&random), random.real(0.002...0.05) * w), shade)
      default:
        var place = any(&random)
        let (style, size) = (GlyphStyle.letters(&random), random.real(0.015...0.09) * h)
        for _ in 0..<random.whole(2...14) {
          guard let shape = style.shape(random.pick(Array("AaBbCDdEegHhIikLlMmNnoPprSstTu/%-.")))
          else { continue }
          for polygon in shape.lit {
            plane.paint(polygon.map { place + $0 * size }, shade)
          }
          place.x += (shape.width + style.spacing) * size
        }
      }
    }
    if !isWhite, random.chance(0.6) { plane = plane.blurred(random.real(0.3...5)) }
    if !isWhite, random.chance(0.5) {
      let grain = random.real(0.005...0.06)
      for index in plane.values.indices {
        plane.values[index] += Float(random.real(-grain...grain))
      }
    }
    return plane
  }

  /// Draws a flat thing that is seen at an angle.
  fileprivate mutating func draw(
    _ front: Plane, _ back: Homography, _ mapping: Homography
  ) {
    let corners = mapping(
      Quad(x: 0, y: 0, width: Double(front.width), height: Double(front.height))
    ).corners
    let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
    let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    let columns = max(0, Int(left))..<max(0, min(width, Int(right) + 1))
    let rows = max(0, Int(top))..<max(0, min(height, Int(bottom) + 1))
    for y in rows {
      for x in columns {
        let place = back(Point(Double(x) + 0.5, Double(y) + 0.5))
        guard place.x >= 0, place.y >= 0, place.x < Double(front.width),
          place.y < Double(front.height)
        else { continue }
        self[x, y] = front.sample(place.x, place.y)
      }
    }
  }

  /// Whether what lies in a box differs enough for its size, its blur and the noise.
  fileprivate func isLegible(_ quad: Quad, _ photography: Photography) -> Bool {
    let blur = photography.blur + max(abs(photography.motion.x), abs(photography.motion.y)) / 3
    guard quad.height >= 7, blur < quad.height * 0.11 else { return false }
    var values: [Float] = []
    for row in 0..<12 {
      for column in 0..<36 {
        let across = (Double(column) + 0.5) / 36
        let point = quad.topLeft.mixed(with: quad.topRight, across).mixed(
          with: quad.bottomLeft.mixed(with: quad.bottomRight, across), (Double(row) + 0.5) / 12)
        guard point.x >= 0, point.y >= 0, point.x < Double(width), point.y < Double(height) else {
          return false
        }
        values.append(sample(point.x, point.y))
      }
    }
    values.sort()
    let contrast = values[values.count * 95 / 100] - values[values.count * 5 / 100]
    return contrast > 0.06 + Float(photography.noise) * 2
  }
}
