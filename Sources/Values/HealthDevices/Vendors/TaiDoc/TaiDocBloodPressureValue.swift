// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a TaiDoc blood pressure monitor measured: the data of a reply to 0x26.
///
/// ```
/// // 78   5A   50   48
/// // SYS  MAP  DIA  PULSE
/// ```
///
/// Pressures are in mmHg, the pulse in beats per minute. The FORA D40 sends the systolic pressure
/// in the first two bytes and no mean: see `wideSystolic`. Source:
/// advmeds-service/advmeds-bluetooth-lib, weliem/LivecareBluetoothSDK, andrew61/TransafeRx.iOS.
package struct TaiDocBloodPressureValue: CharacteristicValue {
  /// Systolic in mmHg.
  package let systolic: UInt8
  /// Mean arterial pressure in mmHg, or the high byte of the systolic pressure.
  package let meanArterialPressure: UInt8
  /// Diastolic in mmHg.
  package let diastolic: UInt8
  /// Beats per minute.
  package let pulseRate: UInt8

  /// Creates a result.
  package init(systolic: UInt8, meanArterialPressure: UInt8, diastolic: UInt8, pulseRate: UInt8) {
    self.systolic = systolic
    self.meanArterialPressure = meanArterialPressure
    self.diastolic = diastolic
    self.pulseRate = pulseRate
  }

  /// Reads the four bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    systolic = try reader.uint8(field: "Systolic")
    meanArterialPressure = try reader.uint8(field: "Mean Arterial Pressure")
    diastolic = try reader.uint8(field: "Diastolic")
    pulseRate = try reader.uint8(field: "Pulse Rate")
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.append([systolic, meanArterialPressure, diastolic, pulseRate])
  }

  /// The systolic pressure by a FORA D40, in mmHg.
  package var wideSystolic: UInt16 { UInt16(meanArterialPressure) << 8 | UInt16(systolic) }
}
