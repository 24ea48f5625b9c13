// SPDX-License-Identifier: Apache-2.0

/// A layer that makes each number of a place of a few numbers around it.
///
/// Weights are kept in the order in which they are used: by eight channels of the result, by row, by
/// column, by channel of the source.
struct Convolution {
  let inputs: Int
  let outputs: Int
  private let columns: Int
  private let rows: Int
  private let stride: Int
  private let isRectified: Bool
  private let weights: [SIMD8<Float>]
  private let biases: [SIMD8<Float>]

  /// Reads a layer from a file of weights.
  ///
  /// - Parameters:
  ///   - layer: The layer in the file.
  ///   - sources: How many channels the source's map has: those of the file, rounded up.
  ///   - stride: How many places of the source there are for one of the result.
  ///   - isRectified: Whether what is below zero becomes zero.
  init(
    _ layer: WeightsFile.Layer, sources: Int, stride: Int = 1, isRectified: Bool = true
  ) {
    (inputs, columns, rows) = (sources, layer.columns, layer.rows)
    (self.stride, self.isRectified) = (stride, isRectified)
    let blocks = (layer.outputs + 7) / 8
    outputs = blocks * 8
    var weights: [SIMD8<Float>] = []
    weights.reserveCapacity(blocks * layer.rows * layer.columns * sources)
    var biases: [SIMD8<Float>] = []
    for block in 0..<blocks {
      func vector(_ value: (Int) -> Float) -> SIMD8<Float> {
        var vector = SIMD8<Float>()
        for lane in 0..<8 where block * 8 + lane < layer.outputs {
          vector[lane] = value(block * 8 + lane)
        }
        return vector
      }
      biases.append(vector { layer.biases[$0] })
      for row in 0..<layer.rows {
        for column in 0..<layer.columns {
          for input in 0..<sources {
            weights.append(
              input < layer.inputs
                ? vector { layer.weight($0, input, row, column) } : SIMD8())
          }
        }
      }
    }
    (self.weights, self.biases) = (weights, biases)
  }

  /// How many multiplications a map of the result needs.
  func multiplications(_ result: FeatureMap) -> Int {
    result.width * result.height * outputs * inputs * columns * rows
  }

  /// Makes the map of the result.
  ///
  /// The source is read from half a kernel before each place on; of an even number of rows none is read
  /// before.
  func run(_ source: FeatureMap, into result: FeatureMap) {
    precondition(source.channels == inputs && result.channels == outputs)
    precondition(
      (result.width - 1) * stride < source.width && (result.height - 1) * stride < source.height)
    let (left, top) = (columns / 2, rows % 2 == 0 ? 0 : rows / 2)
    precondition(left <= FeatureMap.border.columns && top <= FeatureMap.border.rows)
    let run = columns * inputs
    let step = stride * inputs
    unsafe weights.withUnsafeBufferPointer { weights in
      for block in 0..<outputs / 8 {
        let kernel = unsafe weights.baseAddress.unsafelyUnwrapped + block * rows * run
        let bias = biases[block]
        for y in 0..<result.height {
          var x = 0
          while x < result.width {
            // Four places at once, so that each weight is loaded once for them; the last ones overlap.
            if x + 4 > result.width, result.width >= 4 { x = result.width - 4 }
            let count = min(4, result.width - x)
            var sums = (bias, bias, bias, bias)
            for row in 0..<rows {
              let first = unsafe source.place(x * stride - left, y * stride - top + row)
              let weight = unsafe kernel + row * run
              unsafe Self.add(&sums, first, step, weight, run)
            }
            store(sums, count, result, x, y, block)
            x += 4
          }
        }
      }
    }
  }

  @inline(__always)
  private static func add(
    _ sums: inout (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>),
    _ first: UnsafeMutablePointer<Float>, _ step: Int, _ weights: UnsafePointer<SIMD8<Float>>,
    _ count: Int
  ) {
    var (a, b, c, d) = sums
    let second = unsafe first + step
    let third = unsafe second + step
    let fourth = unsafe third + step
    for index in 0..<count {
      let weight = unsafe weights[index]
      unsafe a += weight * first[index]
      unsafe b += weight * second[index]
      unsafe c += weight * third[index]
      unsafe d += weight * fourth[index]
    }
    sums = (a, b, c, d)
  }

  @inline(__always)
  private func store(
    _ sums: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>), _ count: Int,
    _ result: FeatureMap, _ x: Int, _ y: Int, _ block: Int
  ) {
    func put(_ sum: SIMD8<Float>, _ index: Int) {
      let place = unsafe result.place(x + index, y) + block * 8
      let value = isRectified ? pointwiseMax(sum, SIMD8()) : sum
      unsafe UnsafeMutableRawPointer(place).storeBytes(of: value, as: SIMD8<Float>.self)
    }
    put(sums.0, 0)
    if count > 1 { put(sums.1, 1) }
    if count > 2 { put(sums.2, 2) }
    if count > 3 { put(sums.3, 3) }
  }
}
