// SPDX-License-Identifier: Apache-2.0

/// What a virtual device does, for its observers.
public enum VirtualDeviceEvent: Hashable, Sendable {
  /// It can be found.
  case advertising
  /// A central set its clock.
  case clockSet
  /// A central has subscribed to its measurements.
  case subscribed
  /// It has sent all its measurements, and the central has left.
  case transferred(measurements: Int)
  /// The radio refused something, and what it said.
  case failed(String)
}
