// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A notification of FS20F oximeters ("Medical") on characteristic FFE4.
///
/// ```
/// // 0000000000000000000000  0048  61    04B0
/// // ?                       PULS  SPO2  PI
/// ```
///
/// Of the first eleven bytes nothing is known; numbers are big endian. Source:
/// weliem/LivecareBluetoothSDK (ScanFS2OF_SPO2), which reads notifications of 17 bytes and more.
package struct FS20FOximetry: CharacteristicValue {
  /// Eleven bytes whose meaning is not public.
  package let unknownBytes: [UInt8]
  /// The pulse rate in beats per minute as sent.
  package let pulseRate: UInt16
  /// The saturation in percent as sent.
  package let saturation: UInt8
  /// The perfusion index in thousandths.
  package let perfusionThousandths: UInt16
  /// What follows: at least one byte.
  package let trailingBytes: [UInt8]

  package init(saturation: UInt8, pulseRate: UInt16, perfusionThousandths: UInt16 = 0) {
    unknownBytes = [UInt8](repeating: 0, count: 11)
    self.pulseRate = pulseRate
    self.saturation = saturation
    self.perfusionThousandths = perfusionThousandths
    trailingBytes = [0, 0, 0, 0]
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    unknownBytes = try reader.bytes(11, field: "Unknown")
    pulseRate = try reader.bigEndianUInt16(field: "Pulse Rate")
    saturation = try reader.uint8(field: "SpO2")
    perfusionThousandths = try reader.bigEndianUInt16(field: "Perfusion Index")
    let next = try reader.uint8(field: "Rest")
    trailingBytes = [next] + reader.remainingBytes()
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(unknownBytes)
    writer.bigEndianUInt16(pulseRate)
    writer.uint8(saturation)
    writer.bigEndianUInt16(perfusionThousandths)
    writer.append(trailingBytes)
  }
}

extension FS20FOximetry {
  /// The perfusion index in percent.
  package var perfusionIndex: Double { Double(perfusionThousandths) / 1000 }

  /// The measured values; nil without a finger.
  package var sample: OximetrySample? {
    OximetrySample(
      saturation: Int(saturation), pulseRate: Int(pulseRate), perfusionIndex: perfusionIndex)
  }
}
