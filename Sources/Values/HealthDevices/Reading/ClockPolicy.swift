// SPDX-License-Identifier: Apache-2.0

/// How far the clocks of devices are believed.
///
/// A record keeps what the device's clock showed, when the measurement was received, and the drift
/// of the clock where it was read; this decides which of them the record's time is made of. Use the
/// same policy for all who read a device: the time of a reading that is read twice would differ.
public struct ClockPolicy: Hashable, Sendable {
  /// A drift up to this is left alone, so that reading twice makes the same time twice.
  public var toleratedDrift = Duration.seconds(600)
  /// Whether the time of a clock that is off by more is corrected by the drift, or taken as shown.
  public var correctsDrift = true
  /// How far ahead of the receiver a device's time may be before it is disbelieved.
  public var toleratedLead = Duration.seconds(86_400)
  /// How long ago a measurement may be before its time is disbelieved.
  ///
  /// Bluetooth Low Energy is of 2010, and no device keeps a measurement for thirty years.
  public var toleratedAge = Duration.seconds(30 * 365 * 86_400)

  /// The usual policy: drifts of more than ten minutes are corrected.
  public init() {}
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double { self / .seconds(1) }
}
