// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The result of a Wellue BPM-188, a frame from the monitor with twelve bytes or more.
///
/// ```
/// // 02 40 DD 0F  1C  0078  0050  005D  0048  000000000000  XOR
/// //              ?   SYST  DIAS  ?     PULS  ?
/// ```
///
/// Numbers are big endian. Shorter frames have the pressure of the cuff or the battery. Source:
/// weliem/LivecareBluetoothSDK, WellueBP; no capture is public.
package struct WellueMeasurement: Hashable, Sendable {
  private static let smallestCount = 12
  private static let failed: UInt8 = 0xFF

  /// Systolic and diastolic in mmHg and the pulse rate in beats per minute.
  package struct Values: Hashable, Sendable {
    package let systolic: UInt16
    package let diastolic: UInt16
    package let pulseRate: UInt16
  }

  /// What was measured; nil when the measurement failed.
  package let values: Values?

  /// Reads the payload of a frame; nil when it is no result.
  package init?(_ frame: WellueFrame) throws(PayloadError) {
    guard frame.sender == .monitor, frame.content.count >= Self.smallestCount else { return nil }
    if frame.content[1] == Self.failed {
      values = nil
      return
    }
    var reader = PayloadReader(frame.content)
    _ = try reader.uint8(field: "Reserved")
    let systolic = try reader.bigEndianUInt16(field: "Systolic")
    let diastolic = try reader.bigEndianUInt16(field: "Diastolic")
    _ = try reader.bigEndianUInt16(field: "Reserved")
    values = Values(
      systolic: systolic, diastolic: diastolic,
      pulseRate: try reader.bigEndianUInt16(field: "Pulse Rate"))
  }
}
