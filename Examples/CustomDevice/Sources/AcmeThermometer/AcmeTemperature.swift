// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The notification of an Acme thermometer.
///
/// ```
/// // A5    0E74  01
/// // START TEMP  STATE
/// ```
///
/// The temperature is in hundredths of a degree Celsius, most significant byte first. State: 0 while
/// the temperature rises, 1 for the result, 2 when the measurement failed.
public struct AcmeTemperature: CharacteristicValue {
  /// How far the measurement has come.
  public enum State: UInt8, Sendable {
    case rising = 0
    case result = 1
    case failed = 2
  }

  /// The temperature in hundredths of a degree Celsius.
  public let centiCelsius: UInt16
  /// How far the measurement has come.
  public let state: State
  /// What follows, as sent.
  public let trailingBytes: [UInt8]

  /// Creates a notification.
  public init(centiCelsius: UInt16, state: State) {
    self.centiCelsius = centiCelsius
    self.state = state
    trailingBytes = []
  }

  /// Reads a notification.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = try reader.uint8(field: "Start")
    guard start == 0xA5 else {
      throw PayloadError(.reservedValue, field: "Start", message: "It is not A5.")
    }
    centiCelsius = try reader.bigEndianUInt16(field: "Temperature")
    let number = try reader.uint8(field: "State")
    guard let state = State(rawValue: number) else {
      throw PayloadError(.reservedValue, field: "State", message: "\(number) is not defined.")
    }
    self.state = state
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the notification.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(0xA5)
    writer.bigEndianUInt16(centiCelsius)
    writer.uint8(state.rawValue)
    writer.append(trailingBytes)
  }
}
