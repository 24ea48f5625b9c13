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
  ///
  /// It is corrected only where the clock can be shown to have been off as it is now when it was
  /// measured: when the measurement was made within the hour before it was received; when the clock
  /// was off by as much at an earlier connection; when it cannot have shown the time but by being ahead; and
  /// when the clock is behind by more than a month, has therefore begun anew, and has counted on
  /// from the New Year that it shows. Else the time is taken as shown, beside the drift.
  public var correctsDrift = true
  /// How far ahead of the receiver a device's time may be before it is disbelieved.
  public var toleratedLead = Duration.seconds(600)
  /// How long ago a measurement may be before its time is disbelieved.
  ///
  /// Bluetooth Low Energy is of 2010, and no device keeps a measurement for thirty years.
  public var toleratedAge = Duration.seconds(30 * 365 * 86_400)

  /// The usual policy: drifts of more than ten minutes are corrected, and no time is believed that
  /// is more than ten minutes ahead.
  public init() {}
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double { self / .seconds(1) }
}
