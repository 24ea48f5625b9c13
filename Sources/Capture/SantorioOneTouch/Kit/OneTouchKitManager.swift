// SPDX-License-Identifier: Apache-2.0

/// The manager of LifeScan's kit: its `OneTouchDeviceManager`, with the members that Validic's
/// documentation shows.
public protocol OneTouchKitManager: AnyObject {
  /// The kit's type of a meter.
  associatedtype Device: OneTouchKitDevice

  /// The meters that the kit knows.
  var devices: [Device] { get }
  /// Whether the kit sets the clock of each meter that it connects.
  var autoClockSync: Bool { get set }

  /// Connects a meter as soon as it is there, also while the app is in the background.
  ///
  /// - Parameter device: The meter.
  func connect(_ device: Device)

  /// Ends the connection, or no longer waits for it.
  ///
  /// - Parameter device: The meter.
  func disconnect(_ device: Device)
}

/// What is told of connections: the two methods of the kit's `OneTouchDeviceManagerListener` that
/// Validic's documentation shows.
///
/// How a listener is added to the manager is not public, and a listener of the kit has more methods:
/// the app has a listener that calls these.
public protocol OneTouchKitListener<Device>: AnyObject {
  /// The kit's type of a meter.
  associatedtype Device

  /// A meter is connected, and can be read.
  ///
  /// - Parameter device: The meter.
  func onDeviceConnected(device: Device)

  /// A meter has lost its connection.
  ///
  /// - Parameter device: The meter.
  func onDeviceDisconnected(device: Device)
}
