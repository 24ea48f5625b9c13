// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a Kinsa thermometer notifies of.
///
/// ```
/// // 46  00  0172  …
/// // ID  ?   TEMP
/// ```
///
/// Other messages (the clock, texts) have a body of their own, which is kept as sent. Source:
/// waynehartman/KinsaTherm.
package struct KinsaMessage: CharacteristicValue {
  /// What a message is about.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The measurement failed.
    package static let failure = Kind(rawValue: 0x07)
    /// The thermometer is ready to measure.
    package static let ready = Kind(rawValue: 0x0A)
    /// The thermometer is about to hang up.
    package static let goodbye = Kind(rawValue: 0x0D)
    /// The temperature is still rising.
    package static let update = Kind(rawValue: 0x42)
    /// The temperature is the result.
    package static let result = Kind(rawValue: 0x46)
  }

  /// What the message is about.
  package let kind: Kind
  /// Byte 1, of unknown meaning; nil when the message has no temperature.
  private let unknown: UInt8?
  /// The temperature in tenths of a degree Celsius; nil when the message has none.
  package let deciCelsius: UInt16?
  /// What follows, as sent.
  package let trailingBytes: [UInt8]

  /// Creates a message with a temperature (`update`, `result`).
  package init(_ kind: Kind, deciCelsius: UInt16) {
    self.kind = kind
    unknown = 0
    self.deciCelsius = deciCelsius
    trailingBytes = []
  }

  /// Creates a message without a temperature.
  package init(_ kind: Kind) {
    self.kind = kind
    unknown = nil
    deciCelsius = nil
    trailingBytes = [0]
  }

  /// Reads a message; one with a temperature has at least four bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    kind = Kind(rawValue: try reader.uint8(field: "Message"))
    let hasTemperature = kind == .update || kind == .result
    unknown = hasTemperature ? try reader.uint8(field: "Unknown") : nil
    deciCelsius = hasTemperature ? try reader.bigEndianUInt16(field: "Temperature") : nil
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the message.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(kind.rawValue)
    if let unknown { writer.uint8(unknown) }
    if let deciCelsius { writer.bigEndianUInt16(deciCelsius) }
    writer.append(trailingBytes)
  }

  /// The temperature in °C; nil when the message has none.
  package var celsius: Double? { deciCelsius.map { Double($0) / 10 } }
}
