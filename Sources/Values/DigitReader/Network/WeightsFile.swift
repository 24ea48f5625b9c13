// SPDX-License-Identifier: Apache-2.0

/// The weights of networks, as Scripts/train-digit-reader writes them.
///
/// `DGR1`, the number of layers, and of each layer four numbers of 16 bits (outputs, inputs, rows,
/// columns), and in half precision its weights in this order and its biases. All is little-endian.
struct WeightsFile {
  /// A convolution.
  struct Layer {
    let outputs: Int
    let inputs: Int
    let rows: Int
    let columns: Int
    fileprivate let weights: [Float]
    let biases: [Float]

    func weight(_ output: Int, _ input: Int, _ row: Int, _ column: Int) -> Float {
      weights[((output * inputs + input) * rows + row) * columns + column]
    }
  }

  let layers: [Layer]

  /// Reads a file.
  ///
  /// - Returns: nil if it is cut, or something else.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard reader.take(4) == Array("DGR1".utf8), let count = reader.number() else { return nil }
    var layers: [Layer] = []
    for _ in 0..<count {
      guard let outputs = reader.number(), let inputs = reader.number(),
        let rows = reader.number(), let columns = reader.number(),
        let weights = reader.halves(outputs * inputs * rows * columns),
        let biases = reader.halves(outputs)
      else { return nil }
      layers.append(
        Layer(
          outputs: outputs, inputs: inputs, rows: rows, columns: columns, weights: weights,
          biases: biases))
    }
    guard reader.isAtEnd else { return nil }
    self.layers = layers
  }

  private struct Reader {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func take(_ count: Int) -> [UInt8]? {
      guard count <= bytes.count - place else { return nil }
      defer { place += count }
      return Array(bytes[place..<place + count])
    }

    mutating func number() -> Int? { take(2).map { Int($0[0]) | Int($0[1]) << 8 } }

    mutating func halves(_ count: Int) -> [Float]? {
      take(2 * count).map { bytes in
        (0..<count).map {
          Float(halfPrecision: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
        }
      }
    }
  }
}

extension Float {
  /// The number of IEEE 754's half precision; Macs with Intel processors have no type for it.
  init(halfPrecision bits: UInt16) {
    let exponent = Int(bits >> 10 & 0x1F)
    let fraction = Float(bits & 0x3FF) / 1024
    let size: Float =
      switch exponent {
      case 0: Float(sign: .plus, exponent: -14, significand: fraction)
      case 31: fraction == 0 ? .infinity : .nan
      default: Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
      }
    self = bits >> 15 == 0 ? size : -size
  }
}
