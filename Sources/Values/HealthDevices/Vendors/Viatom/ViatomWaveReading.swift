// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The reply of a Viatom ring to command 1B: the values of the moment and a piece of the curve.
///
/// ```
/// // 61    4800  55   01  06  01    000000  0300  0A141E
/// // SPO2  PULS  BAT  ST  PI  LEAD  ?       LEN   CURVE
/// ```
///
/// A curve that is shorter than its length says is taken as far as it goes: the values before it
/// are whole. Source: home-health-hub/viatom-o2ring-ble.
package struct ViatomWaveReading: CharacteristicValue {
  /// The saturation in percent as sent: 0 while the ring is not worn or still searches.
  package var saturation: UInt8
  /// The pulse rate in beats per minute as sent.
  package var pulseRate: UInt16
  /// How full the battery is, in percent.
  package var battery: UInt8
  /// 0 when the battery is in use, else charging.
  package var batteryState: UInt8
  /// The perfusion index in tenths of a percent.
  package var perfusionTenths: UInt8
  /// 1 while the ring is worn.
  package var leadState: UInt8
  /// Three bytes whose meaning is not public.
  package let unknownBytes: [UInt8]
  /// The number of samples of the curve as sent.
  package let waveLength: UInt16
  /// The curve, without a unit.
  package let wave: [UInt8]
  /// What follows the curve.
  package let trailingBytes: [UInt8]

  package init(
    saturation: UInt8, pulseRate: UInt16, battery: UInt8 = 80, perfusionTenths: UInt8 = 0,
    isWorn: Bool, wave: [UInt8] = []
  ) {
    self.saturation = saturation
    self.pulseRate = pulseRate
    self.battery = battery
    batteryState = 0
    self.perfusionTenths = perfusionTenths
    leadState = isWorn ? 1 : 0
    unknownBytes = [0, 0, 0]
    self.wave = Array(wave.prefix(Int(UInt16.max)))
    waveLength = UInt16(self.wave.count)
    trailingBytes = []
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    saturation = try reader.uint8(field: "SpO2")
    pulseRate = try reader.uint16(field: "Pulse Rate")
    battery = try reader.uint8(field: "Battery")
    batteryState = try reader.uint8(field: "Battery State")
    perfusionTenths = try reader.uint8(field: "Perfusion Index")
    leadState = try reader.uint8(field: "Lead State")
    unknownBytes = try reader.bytes(3, field: "Unknown")
    waveLength = try reader.uint16(field: "Wave Length")
    let available = min(Int(waveLength), reader.remainingCount)
    wave = try reader.bytes(available, field: "Wave")
    trailingBytes = reader.remainingBytes()
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(saturation)
    writer.uint16(pulseRate)
    writer.append([battery, batteryState, perfusionTenths, leadState])
    writer.append(unknownBytes)
    writer.uint16(waveLength)
    writer.append(wave)
    writer.append(trailingBytes)
  }
}

extension ViatomWaveReading {
  /// Whether the ring is on a finger.
  package var isWorn: Bool { leadState == 1 }

  /// The measured values; nil while the ring is not worn, and while it still calibrates.
  package var sample: OximetrySample? {
    guard isWorn else { return nil }
    return OximetrySample(
      saturation: Int(saturation), pulseRate: Int(pulseRate),
      perfusionIndex: Double(perfusionTenths) / 10)
  }
}
