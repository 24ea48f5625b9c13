// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DigitReader

/// Random numbers that are the same in every run.
private struct Numbers {
  private var state: UInt64 = 1

  mutating func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(state >> 40) / Float(1 << 24) - 0.5
  }
}

/// A file of weights with one layer.
private struct LayerFile {
  let bytes: [UInt8]
  let weights: [Float]
  let biases: [Float]

  init(_ outputs: Int, _ inputs: Int, _ rows: Int, _ columns: Int) {
    var numbers = Numbers()
    // Eighths have no rounding in half precision.
    let weights = (0..<outputs * inputs * rows * columns).map { _ in
      (numbers.next() * 8).rounded() / 8
    }
    let biases = (0..<outputs).map { _ in (numbers.next() * 8).rounded() / 8 }
    func two(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    bytes =
      Array("DGR1".utf8) + two(1) + [outputs, inputs, rows, columns].flatMap(two)
      + (weights + biases).flatMap { two(Int(Self.half($0))) }
    (self.weights, self.biases) = (weights, biases)
  }

  private static func half(_ value: Float) -> UInt16 {
    guard value != 0 else { return 0 }
    let sign: UInt16 = value < 0 ? 0x8000 : 0
    let exponent = UInt16(Int(value.exponent) + 15) << 10
    return sign | exponent | UInt16((value.significand - 1) * 1024)
  }
}

@Suite struct `A convolution` {
  @Test(arguments: [(3, 3, 1), (3, 3, 2), (1, 1, 1), (1, 5, 1)], [1, 8, 16])
  func `is the sum of products around each place`(
    _ kernel: (rows: Int, columns: Int, stride: Int), _ channels: Int
  ) throws {
    let file = LayerFile(12, channels, kernel.rows, kernel.columns)
    let layer = try #require(WeightsFile(file.bytes)?.layers.first)
    let convolution = Convolution(
      layer, sources: channels, stride: kernel.stride, isRectified: false)
    let source = FeatureMap(width: 14, height: 6, channels: channels)
    var numbers = Numbers()
    for y in 0..<6 {
      for x in 0..<14 { for c in 0..<channels { source[x, y, c] = numbers.next() } }
    }
    let result = FeatureMap(
      width: 14 / kernel.stride, height: 6 / kernel.stride, channels: convolution.outputs)
    convolution.run(source, into: result)
    for y in 0..<result.height {
      for x in 0..<result.width {
        for output in 0..<12 {
          var sum = file.biases[output]
          for row in 0..<kernel.rows {
            for column in 0..<kernel.columns {
              let place = (
                x * kernel.stride + column - kernel.columns / 2,
                y * kernel.stride + row - kernel.rows / 2
              )
              guard (0..<14).contains(place.0), (0..<6).contains(place.1) else { continue }
              for c in 0..<channels {
                sum += layer.weight(output, c, row, column) * source[place.0, place.1, c]
              }
            }
          }
          #expect(abs(result[x, y, output] - sum) < 1e-4)
        }
        for lane in 12..<16 { #expect(result[x, y, lane] == 0) }
      }
    }
  }

  @Test func `makes nothing below zero when it is rectified`() throws {
    let layer = try #require(WeightsFile(LayerFile(8, 8, 3, 3).bytes)?.layers.first)
    let convolution = Convolution(layer, sources: 8)
    let (source, result) = (
      FeatureMap(width: 9, height: 5, channels: 8), FeatureMap(width: 9, height: 5, channels: 8)
    )
    var numbers = Numbers()
    for y in 0..<5 { for x in 0..<9 { for c in 0..<8 { source[x, y, c] = numbers.next() } } }
    convolution.run(source, into: result)
    let all = (0..<5).flatMap { y in (0..<9).flatMap { x in (0..<8).map { result[x, y, $0] } } }
    #expect(all.allSatisfy { $0 >= 0 })
    #expect(all.contains(0) && all.contains { $0 > 0 })
  }
}

@Suite struct `A file of weights` {
  @Test func `is refused wherever it is cut, and with more behind it`() {
    let bytes = LayerFile(3, 2, 1, 1).bytes
    #expect(WeightsFile(bytes) != nil)
    for count in 0..<bytes.count { #expect(WeightsFile(Array(bytes.prefix(count))) == nil) }
    #expect(WeightsFile(bytes + [0]) == nil)
    #expect(throws: DigitReaderError.damagedWeights) { try DigitReader(weights: bytes) }
  }

  @Test func `has numbers of half precision`() {
    let numbers: [(UInt16, Float)] = [
      (0, 0), (0x3C00, 1), (0xC000, -2), (0x3555, 0.333_251_95), (1, 5.960_464_5e-8),
      (0x7BFF, 65504), (0x7C00, .infinity),
    ]
    for (bits, value) in numbers { #expect(Float(halfPrecision: bits) == value) }
    #expect(Float(halfPrecision: 0x7E00).isNaN)
  }
}
