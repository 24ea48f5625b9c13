// SPDX-License-Identifier: Apache-2.0

import DigitReader

/// What light, lens and sensor do to a scene.
struct Photography {
  /// How much brighter it is on one side, and in which direction.
  var shading = Point(0, 0)
  /// The darkness and the place of the edge of a shadow; nil for none.
  var shadow: (depth: Float, line: Double, tilt: Double)?
  /// Middle, radius across and down, and strength of light that is reflected.
  var glare: [(middle: Point, radius: Point, strength: Float)] = []
  var blur = 0.0
  var motion = Point(0, 0)
  /// The deviation of noise, of a range from 0 to 1.
  var noise = 0.0
  var gamma = 1.0
  /// Contrast and period of a moiré pattern.
  var moire: (strength: Float, period: Point)?
  /// The quality of compression, from 1 to 100; nil for none.
  var quality: Int?

  /// How a photo of some difficulty is taken.
  init(_ difficulty: SceneDifficulty, _ size: (Int, Int), _ random: inout SceneRandom) {
    let strain: Double = difficulty == .easy ? 0.25 : difficulty == .medium ? 0.6 : 1
    let (width, height) = (Double(size.0), Double(size.1))
    shading = Point(random.normal(0.25 * strain), random.normal(0.25 * strain))
    if random.chance(0.3 * strain) {
      shadow = (
        Float(random.real(0.2...0.6)), random.real(0...width), random.real(-0.8...0.8)
      )
    }
    if random.chance(0.45 * strain) {
      for _ in 0..<random.whole(1...2) {
        glare.append(
          (
            Point(random.real(0...width), random.real(0...height)),
            Point(random.real(0.02...0.16) * width, random.real(0.02...0.16) * width),
            Float(random.real(0.3...1.4))
          ))
      }
    }
    blur = random.chance(0.7) ? random.real(0.2...max(0.3, 2.4 * strain)) : 0
    if random.chance(0.25 * strain) {
      motion = Point(random.normal(3 * strain), random.normal(2 * strain))
    }
    noise = random.real(0...0.03) * strain
    gamma = 1 + random.real(-0.4...0.6) * strain
    if random.chance(0.12 * strain) {
      moire = (
        Float(random.real(0.02...0.1)), Point(random.real(2.1...6), random.real(2.1...6))
      )
    }
    quality = random.chance(0.7) ? random.whole(100 - Int(75 * strain)...95) : nil
  }

  /// Changes as from one frame of a camera to the next: light stays nearly, blur and noise are others.
  mutating func drift(to other: Photography, _ random: inout SceneRandom) {
    (blur, motion, noise, quality) = (other.blur, other.motion, other.noise, other.quality)
    glare = glare.map { spot in
      (
        spot.middle + Point(random.normal(spot.radius.x * 0.2), random.normal(spot.radius.y * 0.2)),
        spot.radius, max(0, spot.strength + Float(random.normal(0.05)))
      )
    }
  }

  /// Applies all of it.
  func take(_ plane: Plane, _ random: inout SceneRandom) -> Plane {
    var plane = plane
    light(&plane)
    plane = plane.blurred(blur)
    if abs(motion.x) + abs(motion.y) > 1.5 { plane = plane.moved(by: motion) }
    expose(&plane, &random)
    if let quality { plane.compress(quality: quality) }
    return plane
  }

  private func light(_ plane: inout Plane) {
    let (width, height) = (Double(plane.width), Double(plane.height))
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        let index = y * plane.width + x
        let across = shading.x * (Double(x) / width - 0.5) + shading.y * (Double(y) / height - 0.5)
        var value = plane.values[index] * Float(1 + across)
        if let shadow, Double(x) + shadow.tilt * Double(y) < shadow.line {
          value *= 1 - shadow.depth
        }
        for spot in glare {
          let (dx, dy) = (
            (Double(x) - spot.middle.x) / spot.radius.x, (Double(y) - spot.middle.y) / spot.radius.y
          )
          // Full in the middle, and nothing from a radius and a half on.
          let near = min(1, max(0, (2.25 - (dx * dx + dy * dy)) / 1.5))
          value += spot.strength * Float(near * near * (3 - 2 * near))
        }
        plane.values[index] = value
      }
    }
  }

  private func expose(_ plane: inout Plane, _ random: inout SceneRandom) {
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        let index = y * plane.width + x
        var value = min(1, max(0, plane.values[index]))
        // Between the curve of the gamma's whole part and a straight line; no power function is needed.
        let squared = value * value
        value +=
          gamma > 1
          ? (squared - value) * Float(gamma - 1)
          : (2 * value - squared - value) * Float((1 - gamma) * 1.2)
        if let moire {
          let phase = Double(x) / moire.period.x + Double(y) / moire.period.y
          let wave = abs(phase - phase.rounded(.down) - 0.5) * 4 - 1
          value += moire.strength * Float(wave)
        }
        if noise > 0 { value += Float(random.quickNormal() * noise) }
        plane.values[index] = min(1, max(0, value))
      }
    }
  }
}

extension SceneRandom {
  /// About normal, of a single number: the sum of four parts of it.
  fileprivate mutating func quickNormal() -> Double {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Double(sum) / 65_536 - 2) * 1.732
  }
}

// MARK: - Compression

extension Plane {
  /// Rounds the frequencies of blocks of eight by eight, as JPEG does.
  fileprivate mutating func compress(quality: Int) {
    let factor = quality < 50 ? 50 / Float(quality) : 2 - Float(quality) / 50
    let steps = Self.luminance.map { max(1, $0 * factor) / 255 }
    var block = [Float](repeating: 0, count: 64)
    for top in stride(from: 0, to: height - 7, by: 8) {
      for left in stride(from: 0, to: width - 7, by: 8) {
        for y in 0..<8 { for x in 0..<8 { block[y * 8 + x] = self[left + x, top + y] } }
        Self.transform(&block, Self.cosines)
        for index in 0..<64 {
          block[index] = (block[index] / steps[index]).rounded() * steps[index]
        }
        Self.transform(&block, Self.transposed)
        for y in 0..<8 { for x in 0..<8 { self[left + x, top + y] = block[y * 8 + x] } }
      }
    }
  }

  /// Multiplies the rows and then the columns of a block with a matrix.
  private static func transform(_ block: inout [Float], _ matrix: [Float]) {
    var middle = [Float](repeating: 0, count: 64)
    for y in 0..<8 {
      for u in 0..<8 {
        var sum: Float = 0
        for x in 0..<8 { sum += matrix[u * 8 + x] * block[y * 8 + x] }
        middle[y * 8 + u] = sum
      }
    }
    for u in 0..<8 {
      for v in 0..<8 {
        var sum: Float = 0
        for y in 0..<8 { sum += matrix[v * 8 + y] * middle[y * 8 + u] }
        block[v * 8 + u] = sum
      }
    }
  }

  /// Half of the cosines of the discrete cosine transform, from 1 to 7 sixteenths of half a turn.
  private static let half: [Float] = [
    0.353553, 0.490393, 0.461940, 0.415735, 0.353553, 0.277785, 0.191342, 0.097545,
  ]

  private static let cosines: [Float] = (0..<64).map { index in
    let (u, x) = (index / 8, index % 8)
    guard u > 0 else { return half[0] }
    // The angle in sixteenths of half a turn, brought into the first quarter.
    var angle = (2 * x + 1) * u % 32
    if angle > 16 { angle = 32 - angle }
    return angle > 8 ? -(angle == 16 ? 0.5 : half[16 - angle]) : angle == 8 ? 0 : half[angle]
  }

  private static let transposed: [Float] = (0..<64).map { cosines[$0 % 8 * 8 + $0 / 8] }

  /// The steps of luminance in annex K of the standard, row by row.
  private static let luminance: [Float] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113,
    92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]
}
