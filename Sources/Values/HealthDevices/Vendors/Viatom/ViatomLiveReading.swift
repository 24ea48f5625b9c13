// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The reply of a Viatom ring to command 17: the values of the moment.
///
/// ```
/// // 59    70    0000000000  1E   00   78   03  01
/// // SPO2  PULS  ?           BAT  CHG  MOT  PI  WORN
/// ```
///
/// Source: home-health-hub/viatom-o2ring-ble, ecostech/viatom-ble.
package struct ViatomLiveReading: CharacteristicValue {
  /// The saturation in percent as sent: 0 while the ring is not worn or still searches.
  package var saturation: UInt8
  /// The pulse rate in beats per minute as sent.
  package var pulseRate: UInt8
  /// Five bytes whose meaning is not public.
  package let unknownBytes: [UInt8]
  /// How full the battery is, in percent.
  package var battery: UInt8
  /// 0 when the battery is in use; 1 and 2 while charging and full.
  package var charging: UInt8
  /// How much the hand moved.
  package var movement: UInt8
  /// The perfusion index in tenths of a percent.
  package var perfusionTenths: UInt8
  /// Whether the ring is worn, as sent: anything but 0.
  package var wornByte: UInt8
  /// What follows; devices send one byte more.
  package let trailingBytes: [UInt8]

  package init(
    saturation: UInt8, pulseRate: UInt8, battery: UInt8 = 80, perfusionTenths: UInt8 = 0,
    isWorn: Bool
  ) {
    self.saturation = saturation
    self.pulseRate = pulseRate
    unknownBytes = [0, 0, 0, 0, 0]
    self.battery = battery
    charging = 0
    movement = 0
    self.perfusionTenths = perfusionTenths
    wornByte = isWorn ? 1 : 0
    trailingBytes = [0]
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    saturation = try reader.uint8(field: "SpO2")
    pulseRate = try reader.uint8(field: "Pulse Rate")
    unknownBytes = try reader.bytes(5, field: "Unknown")
    battery = try reader.uint8(field: "Battery")
    charging = try reader.uint8(field: "Charging")
    movement = try reader.uint8(field: "Movement")
    perfusionTenths = try reader.uint8(field: "Perfusion Index")
    wornByte = try reader.uint8(field: "Worn")
    trailingBytes = reader.remainingBytes()
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append([saturation, pulseRate])
    writer.append(unknownBytes)
    writer.append([battery, charging, movement, perfusionTenths, wornByte])
    writer.append(trailingBytes)
  }
}

extension ViatomLiveReading {
  /// Whether the ring is on a finger.
  package var isWorn: Bool { wornByte != 0 }

  /// The measured values; nil while the ring is not worn, and while it still calibrates.
  package var sample: OximetrySample? {
    guard isWorn else { return nil }
    return OximetrySample(
      saturation: Int(saturation), pulseRate: Int(pulseRate),
      perfusionIndex: Double(perfusionTenths) / 10)
  }
}
