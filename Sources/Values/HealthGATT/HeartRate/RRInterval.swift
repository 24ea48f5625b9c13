// SPDX-License-Identifier: Apache-2.0

/// RR-Interval: the time between two beats, in 1/1024 s.
///
/// Source: GATT Specification Supplement, Heart Rate Measurement, RR-Interval.
public struct RRInterval: RawRepresentable, Hashable, Sendable {
  /// The number of 1/1024 s, as sent.
  public let rawValue: UInt16

  /// Takes any number of 1/1024 s.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The interval in milliseconds, exactly: the count × 1000 / 1024.
  public var milliseconds: Double { Double(rawValue) * 1000 / 1024 }

  /// The interval.
  public var duration: Duration { .nanoseconds(Int64(rawValue) * 1_000_000_000 / 1024) }
}
