// SPDX-License-Identifier: Apache-2.0

/// An event of a virtual device.
public enum VirtualDeviceEvent: Hashable, Sendable {
  /// It has begun to advertise.
  case advertising
  /// A central set its clock.
  case clockSet
  /// A central has subscribed to its measurements.
  case subscribed
  /// It has sent all its measurements, and the central has unsubscribed or disconnected.
  case transferred(measurements: Int)
  /// The radio reported an error, or the device cannot measure what it was given; with the text.
  case failed(String)
}
