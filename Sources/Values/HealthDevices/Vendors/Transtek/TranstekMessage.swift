// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a Transtek monitor says beside its measurements (8A82).
///
/// Source: casebeer/welch-allyn-bp100-python.
package enum TranstekMessage: CharacteristicValue {
  /// A0: the password of the device, sent once, when it is paired.
  case password(TranstekWord)
  /// A1: the number that the host must answer.
  case challenge(TranstekWord)
  /// 22: the device disconnects.
  case goodbye
  /// Something else.
  case other(UInt8, [UInt8])

  /// Reads code and data.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    switch try reader.uint8(field: "Code") {
    case 0xA0: self = .password(try TranstekWord(from: &reader))
    case 0xA1: self = .challenge(try TranstekWord(from: &reader))
    case 0x22 where reader.remainingCount == 0: self = .goodbye
    case let code: self = .other(code, reader.remainingBytes())
    }
  }

  /// Writes code and data.
  package func encode(to writer: inout PayloadWriter) {
    switch self {
    case .password(let word):
      writer.uint8(0xA0)
      word.encode(to: &writer)
    case .challenge(let word):
      writer.uint8(0xA1)
      word.encode(to: &writer)
    case .goodbye:
      writer.uint8(0x22)
    case .other(let code, let bytes):
      writer.uint8(code)
      writer.append(bytes)
    }
  }
}

/// What the host says to a Transtek monitor (8A81).
///
/// Source: casebeer/welch-allyn-bp100-python.
package enum TranstekCommand: CharacteristicValue {
  /// 20: the answer to a challenge.
  case response(TranstekWord)
  /// 21: the number by which the device is to know the host from now on, answers a password.
  case broadcastID(TranstekWord)
  /// 02: sets the clock.
  case time(TranstekTime)
  /// 22: the measurement is safe, the device may erase it.
  case acknowledgement

  /// Reads code and data.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    switch try reader.uint8(field: "Code") {
    case 0x20: self = .response(try TranstekWord(from: &reader))
    case 0x21: self = .broadcastID(try TranstekWord(from: &reader))
    case 0x02: self = .time(try TranstekTime(from: &reader))
    case 0x22: self = .acknowledgement
    default:
      throw PayloadError(
        .reservedValue, field: "Code", offset: offset,
        message: "It is 02, 20, 21 or 22. Refuse the command.")
    }
  }

  /// Writes code and data.
  package func encode(to writer: inout PayloadWriter) {
    switch self {
    case .response(let word):
      writer.uint8(0x20)
      word.encode(to: &writer)
    case .broadcastID(let word):
      writer.uint8(0x21)
      word.encode(to: &writer)
    case .time(let time):
      writer.uint8(0x02)
      time.encode(to: &writer)
    case .acknowledgement:
      writer.uint8(0x22)
    }
  }
}

/// Four bytes that Transtek devices and hosts prove themselves with.
package struct TranstekWord: CharacteristicValue {
  /// The number, its first byte the least significant.
  package let rawValue: UInt32

  /// Takes any number.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Reads the four bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    rawValue = try reader.uint32(field: "Word")
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint32(rawValue)
  }

  /// As the password of a device, answers its challenge.
  package func response(to challenge: TranstekWord) -> TranstekWord {
    TranstekWord(rawValue: rawValue ^ challenge.rawValue)
  }
}
