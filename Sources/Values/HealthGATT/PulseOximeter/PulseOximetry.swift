// SPDX-License-Identifier: Apache-2.0

/// Oxygen saturation and pulse rate, the pair that all pulse oximeter measurements are made of.
///
/// An oximeter without a finger sends NaN for both; some keep sending the last numbers and show
/// it in the status alone (see `PLXDeviceAndSensorStatus.unusable`).
///
/// Source: Pulse Oximeter Service, SpO2PR fields.
public struct PulseOximetry: Hashable, Sendable {
  /// SpO2 in percent, as sent.
  public var oxygenSaturation: MedicalFloat16
  /// PR in beats per minute, as sent.
  public var pulseRate: MedicalFloat16

  /// Creates a pair from its wire words.
  public init(oxygenSaturation: MedicalFloat16, pulseRate: MedicalFloat16) {
    self.oxygenSaturation = oxygenSaturation
    self.pulseRate = pulseRate
  }

  /// Rounds a pair to whole numbers.
  ///
  /// - Parameters:
  ///   - percent: The oxygen saturation in percent, 0...100.
  ///   - beatsPerMinute: The pulse rate.
  /// - Throws: `outOfRange` when a number does not fit an SFLOAT.
  public init(percent: Double, beatsPerMinute: Double) throws(PayloadError) {
    oxygenSaturation = try MedicalFloat16(percent, exponent: 0)
    pulseRate = try MedicalFloat16(beatsPerMinute, exponent: 0)
  }

  /// The oxygen saturation in percent; nil for special values and outside of 0 to 100.
  public var percent: Double? {
    guard let percent = oxygenSaturation.double, percent > 0, percent <= 100 else { return nil }
    return percent
  }

  /// The pulse rate in beats per minute; nil for special values and for 0 and less.
  public var beatsPerMinute: Double? {
    guard let rate = pulseRate.double, rate > 0 else { return nil }
    return rate
  }

  /// Whether there are both numbers.
  public var hasResult: Bool { percent != nil && beatsPerMinute != nil }
}

extension PulseOximetry {
  init(from reader: inout PayloadReader, field: String) throws(PayloadError) {
    oxygenSaturation = try reader.medicalFloat16(field: "\(field) - SpO2")
    pulseRate = try reader.medicalFloat16(field: "\(field) - PR")
  }

  func encode(to writer: inout PayloadWriter) {
    writer.medicalFloat16(oxygenSaturation)
    writer.medicalFloat16(pulseRate)
  }
}
