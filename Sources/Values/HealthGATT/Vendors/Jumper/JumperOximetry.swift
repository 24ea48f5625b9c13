// SPDX-License-Identifier: Apache-2.0

/// A notification of Jumper JPD-500E/F/G and the many oximeters built alike.
///
/// ```
/// // 81   48    61    28
/// // KIND PULS  SPO2  PI
/// ```
///
/// Kind 81 is the values of the moment, kind 80 a piece of the curve; others are not known, and kept.
/// Source: characteristic CDEACB81-5235-4C07-8846-93A37EE6B86D as read by
/// SensorsIot/Oximeters-BLE-Hack-ESP32 and inobotica/ble-oximeter.
package struct JumperOximetry: CharacteristicValue {
  /// The values of the moment.
  package struct Values: Hashable, Sendable {
    /// The pulse rate as sent: 255 when there is none.
    package var pulseRateOctet: UInt8
    /// The saturation as sent: 127 when there is none.
    package var saturationOctet: UInt8
    /// The perfusion index in tenths of a percent.
    package var perfusionTenths: UInt8
  }

  /// What the notification holds.
  package enum Content: Hashable, Sendable {
    /// Kind 81.
    case values(Values)
    /// Kind 80: a piece of the curve, without a unit.
    case wave([UInt8])
    /// Any other kind, with what follows it.
    case other(kind: UInt8, [UInt8])
  }

  /// What the notification holds.
  package let content: Content
  /// What follows the values.
  package let trailingOctets: [UInt8]

  package init(saturation: UInt8?, pulseRate: UInt8?, perfusionTenths: UInt8 = 0) {
    content = .values(
      Values(
        pulseRateOctet: pulseRate ?? 255, saturationOctet: saturation ?? 127,
        perfusionTenths: perfusionTenths))
    trailingOctets = []
  }

  package init(wave: [UInt8]) {
    content = .wave(wave)
    trailingOctets = []
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let kind = try reader.uint8(field: "Kind")
    switch kind {
    case 0x81:
      content = .values(
        Values(
          pulseRateOctet: try reader.uint8(field: "Pulse Rate"),
          saturationOctet: try reader.uint8(field: "SpO2"),
          perfusionTenths: try reader.uint8(field: "Perfusion Index")))
      trailingOctets = reader.remainingOctets()
    default:
      let octets = reader.remainingOctets()
      content = kind == 0x80 ? .wave(octets) : .other(kind: kind, octets)
      trailingOctets = []
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    switch content {
    case .values(let values):
      writer.append([0x81, values.pulseRateOctet, values.saturationOctet, values.perfusionTenths])
      writer.append(trailingOctets)
    case .wave(let octets): writer.append([0x80] + octets)
    case .other(let kind, let octets): writer.append([kind] + octets)
    }
  }
}

extension JumperOximetry.Values {
  /// The saturation in percent; nil when there is none.
  package var saturation: Int? { saturationOctet == 127 ? nil : Int(saturationOctet) }
  /// The pulse rate in beats per minute; nil when there is none.
  package var pulseRate: Int? { pulseRateOctet == 255 ? nil : Int(pulseRateOctet) }
  /// The perfusion index in percent.
  package var perfusionIndex: Double { Double(perfusionTenths) / 10 }
}

extension JumperOximetry {
  /// The values of the moment, when this is the notification that has them.
  package var values: Values? {
    guard case .values(let values) = content else { return nil }
    return values
  }

  /// The measured values; nil without a finger and for other notifications.
  package var sample: OximetrySample? {
    values.flatMap {
      OximetrySample(
        saturation: $0.saturation, pulseRate: $0.pulseRate, perfusionIndex: $0.perfusionIndex)
    }
  }
}
