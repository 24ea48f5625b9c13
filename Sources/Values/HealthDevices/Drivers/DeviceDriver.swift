// SPDX-License-Identifier: Apache-2.0

/// What to do with a device from the moment its attributes are known until it has sent its
/// measurements: a state machine without I/O.
///
/// A driver takes one event at a time and returns what to do, in order. Requests (read, write,
/// subscribe) may be returned together; they are carried out one after the other, and each is
/// answered by one event. The caller manages the connection, the bond and the overall timeout; a
/// driver sees none of them.
///
/// More events may be added later: write `default` where you switch over them.
public protocol DeviceDriver: Sendable {
  /// When ``DriverEvent/timeReached`` is due, on the clock of ``DriverTime/elapsed``; nil when only
  /// the device is waited for.
  var deadline: Duration? { get }

  /// Whether nothing is missing if the device disconnects now; devices without an end marker end
  /// so.
  var isComplete: Bool { get }

  /// Takes an event and returns what to do.
  ///
  /// - Parameters:
  ///   - event: What happened; ``DriverEvent/begun`` is the first.
  ///   - time: When it happened.
  /// - Returns: What to do, in order. After ``DriverAction/finish`` or ``DriverAction/fail(_:)`` only
  ///   facts and readings that come late may follow.
  mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction]
}

extension DeviceDriver {
  /// True: a disconnection at any moment leaves nothing out.
  public var isComplete: Bool { true }
}
