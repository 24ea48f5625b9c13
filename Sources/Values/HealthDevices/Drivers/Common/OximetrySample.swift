// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// What a pulse oximeter shows at one moment with a finger in it.
package struct OximetrySample: Hashable, Sendable {
  /// The oxygen saturation in percent, above 0 and at most 100.
  package let saturation: Double
  /// The pulse rate in beats per minute, above 0.
  package let pulseRate: Double
  /// The perfusion index (pulse amplitude index) in percent, where the device sends it.
  package let perfusionIndex: Double?

  /// Makes a sample; nil when saturation or pulse rate are no values of a living person's finger.
  ///
  /// Oximeters send 0, 127, 255 or 511 while there is no finger, each in its own way; a decoder
  /// turns those it knows to nil, and whatever else is out of range is refused here.
  package init?(saturation: Double?, pulseRate: Double?, perfusionIndex: Double? = nil) {
    guard let saturation, let pulseRate, saturation > 0, saturation <= 100, pulseRate > 0,
      pulseRate < 511
    else { return nil }
    self.saturation = saturation
    self.pulseRate = pulseRate
    self.perfusionIndex = perfusionIndex
  }

  /// The same of whole numbers, as most manufacturers send them.
  package init?(saturation: Int?, pulseRate: Int?, perfusionIndex: Double? = nil) {
    self.init(
      saturation: saturation.map(Double.init), pulseRate: pulseRate.map(Double.init),
      perfusionIndex: perfusionIndex)
  }
}

extension OximetrySample: SteadyComparable {
  /// Whether saturation differs by 1 % at most, and pulse rate by 10 beats per minute at most.
  ///
  /// The last digit of a display flickers between two neighbours, and a resting pulse swings with
  /// the breath.
  package func isSteady(with other: OximetrySample) -> Bool {
    abs(saturation - other.saturation) <= 1 && abs(pulseRate - other.pulseRate) <= 10
  }
}
