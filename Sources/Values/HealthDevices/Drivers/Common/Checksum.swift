// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A check over the bytes of a frame, by which its receiver sees that none was lost or changed.
///
/// The frames of many manufacturers have one. Of the Bluetooth SIG's characteristics only those of
/// continuous glucose monitors do, see `E2ECRC`.
package struct Checksum<Value: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  private let initial: Value
  private let update: @Sendable (Value, UInt8) -> Value

  private init(
    startingWith initial: Value = 0, _ update: @escaping @Sendable (Value, UInt8) -> Value
  ) {
    self.initial = initial
    self.update = update
  }

  /// The check over some bytes; over none the value that it starts with.
  package func value(of bytes: some Sequence<UInt8>) -> Value {
    bytes.reduce(initial, update)
  }

  /// A cyclic redundancy check that takes the most significant bit first.
  private static func cyclic(polynomial: Value, startingWith initial: Value = 0) -> Checksum {
    Checksum(startingWith: initial) { value, byte in
      (0..<8).reduce(value ^ Value(byte) << (Value.bitWidth - 8)) { value, _ in
        value.leadingZeroBitCount == 0 ? value << 1 ^ polynomial : value << 1
      }
    }
  }

  /// A cyclic redundancy check that takes the least significant bit first.
  private static func reflectedCyclic(polynomial: Value) -> Checksum {
    Checksum { value, byte in
      (0..<8).reduce(value ^ Value(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1
      }
    }
  }
}

extension Checksum<UInt8> {
  /// CRC-8: polynomial 0x07, starting with 0 (Viatom, Lepu).
  package static var crc8: Self { .cyclic(polynomial: 0x07) }
  /// CRC-8/MAXIM: polynomial 0x31, least significant bit first, starting with 0 (Viatom PC-60FW).
  package static var crc8Maxim: Self { .reflectedCyclic(polynomial: 0x8C) }
  /// The sum of the bytes modulo 256 (Microlife, TaiDoc, QN).
  package static var sum8: Self { Checksum { $0 &+ $1 } }
  /// The sum of the bytes modulo 128, for protocols that keep bit 7 for something else (Contec).
  package static var sum7: Self { Checksum { ($0 &+ $1) & 0x7F } }
  /// The exclusive or of the bytes; over a frame and its own check it is 0 (Omron).
  package static var exclusiveOr: Self { Checksum { $0 ^ $1 } }
}

extension Checksum<UInt16> {
  /// CRC-16/CCITT-FALSE: polynomial 0x1021, starting with 0xFFFF (LifeScan OneTouch).
  package static var crc16CCITT: Self { .cyclic(polynomial: 0x1021, startingWith: 0xFFFF) }
}

extension PayloadReader {
  /// Reads a check, least significant byte first, and compares it with that of the bytes before.
  ///
  /// - Parameters:
  ///   - checksum: How the check is computed.
  ///   - start: The offset of the first byte that it covers.
  ///   - field: The name of the field.
  /// - Throws: `truncated`; `checksumMismatch` at the offset of the check.
  package mutating func verify<Value>(
    _ checksum: Checksum<Value>, from start: Int = 0, field: String = "Checksum"
  ) throws(PayloadError) {
    let end = offset
    let sent = try littleEndian(count: Value.bitWidth / 8, field: field)
    guard sent == UInt64(checksum.value(of: bytes[start..<end])) else {
      throw PayloadError(
        .checksumMismatch, field: field, offset: end,
        message: "The frame was damaged on its way. Ask for it again.")
    }
  }
}

extension PayloadWriter {
  /// Appends the check of the bytes before, least significant byte first.
  package mutating func append<Value>(_ checksum: Checksum<Value>, from start: Int = 0) {
    littleEndian(
      UInt64(checksum.value(of: bytes[start...])), count: Value.bitWidth / 8)
  }
}
