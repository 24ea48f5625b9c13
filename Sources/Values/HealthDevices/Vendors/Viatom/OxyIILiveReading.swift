// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The reply of an O2Ring-S (T8520, S8-AW) to command 04: the values of the moment.
///
/// ```
/// // 0000000000  03   5F    05   46    00000000  50   000000...
/// // ?           CON  SPO2  MOT  PULS  ?         BAT  ?
/// ```
///
/// It has 24 bytes or more. Source: nglessner/o2ring-s-protocol, home-health-hub/viatom-o2ring-ble.
package struct OxyIILiveReading: CharacteristicValue {
  private let first: [UInt8]
  /// 0 when the ring is not worn; 3 after a file was left open.
  package let contact: UInt8
  /// The saturation in percent as sent: 0 while the ring calibrates.
  package let saturation: UInt8
  /// How much the hand moved.
  package let movement: UInt8
  /// The pulse rate in beats per minute as sent.
  package let pulseRate: UInt8
  private let second: [UInt8]
  /// How full the battery is, in percent.
  package let battery: UInt8
  private let third: [UInt8]
  /// What follows the first 24 bytes.
  package let trailingBytes: [UInt8]

  package init(saturation: UInt8, pulseRate: UInt8, battery: UInt8 = 80, isWorn: Bool) {
    first = [UInt8](repeating: 0, count: 5)
    contact = isWorn ? 1 : 0
    self.saturation = saturation
    movement = 0
    self.pulseRate = pulseRate
    second = [UInt8](repeating: 0, count: 4)
    self.battery = battery
    third = [UInt8](repeating: 0, count: 10)
    trailingBytes = [0, 0]
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    first = try reader.bytes(5, field: "Unknown")
    contact = try reader.uint8(field: "Contact")
    saturation = try reader.uint8(field: "SpO2")
    movement = try reader.uint8(field: "Movement")
    pulseRate = try reader.uint8(field: "Pulse Rate")
    second = try reader.bytes(4, field: "Unknown")
    battery = try reader.uint8(field: "Battery")
    third = try reader.bytes(10, field: "Unknown")
    trailingBytes = reader.remainingBytes()
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(first)
    writer.append([contact, saturation, movement, pulseRate])
    writer.append(second)
    writer.uint8(battery)
    writer.append(third)
    writer.append(trailingBytes)
  }
}

extension OxyIILiveReading {
  /// Whether the ring is on a finger.
  package var isWorn: Bool { contact != 0 }
  /// Whether the ring is on a finger and has no value yet.
  package var isCalibrating: Bool { isWorn && saturation == 0 && pulseRate == 0 }

  /// The measured values; nil while the ring is not worn, and while it calibrates.
  package var sample: OximetrySample? {
    isWorn ? OximetrySample(saturation: Int(saturation), pulseRate: Int(pulseRate)) : nil
  }
}
