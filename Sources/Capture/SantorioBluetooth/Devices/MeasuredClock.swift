// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How far the clock of a device was off when it was read last.
public struct MeasuredClock: Hashable, Sendable, Codable {
  /// The device's clock minus the receiver's, in seconds, before it was set right.
  public let driftSeconds: Double
  /// When it was read, by the receiver's clock.
  public let date: Date
}
