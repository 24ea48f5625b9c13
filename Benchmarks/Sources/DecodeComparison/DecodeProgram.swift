// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What is compared.
public enum Characteristic: String, Sendable {
  /// Glucose Measurement.
  case glucose = "2A18"
  /// Temperature Measurement.
  case temperature = "2A1C"
  /// Blood Pressure Measurement.
  case bloodPressure = "2A35"
  /// Heart Rate Measurement.
  case heartRate = "2A37"
  /// Weight Measurement.
  case weight = "2A9D"
}

/// Takes a value that a decoder found, by a name that all decoders use.
public typealias TakeValue = (_ name: StaticString, _ value: Double) -> Void

/// Runs a program around one library's decoders.
///
/// ```
/// PROGRAM samples             index, characteristic and content of each payload it decodes
/// PROGRAM values INDEX        the values in one payload
/// PROGRAM repeat INDEX COUNT  decodes one payload again and again
/// ```
///
/// - Parameters:
///   - characteristics: What the library decodes.
///   - decode: Decodes a payload and takes each value out as a number, as who shows them would.
/// - Throws: What `decode` throws; an error for other arguments.
public func runDecoders(
  of characteristics: Set<Characteristic>,
  decode: (_ characteristic: Characteristic, _ payload: Data, _ take: TakeValue) throws -> Void
) throws {
  let samples = Sample.all.enumerated().filter {
    characteristics.contains($0.element.characteristic)
  }
  let arguments = CommandLine.arguments.dropFirst()
  let numbers = arguments.dropFirst().compactMap { Int($0) }
  let sample = samples.first { $0.offset == numbers.first }?.element
  switch (arguments.first, sample, numbers.count) {
  case ("samples", _, 0):
    for (index, sample) in samples { print(index, sample.characteristic.rawValue, sample.content) }
  case ("values", let sample?, 1):
    try decode(sample.characteristic, sample.payload) { print($0, $1) }
  case ("repeat", let sample?, 2):
    var total = 0.0
    for _ in 0..<numbers[1] { try decode(sample.characteristic, sample.payload) { total += $1 } }
    print(total)
  default: throw CocoaError(.featureUnsupported)
  }
}
