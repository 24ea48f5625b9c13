// SPDX-License-Identifier: Apache-2.0

/// Time in which the system does not suspend the process.
///
/// iOS takes what a device sends, and confirms it, before the app sees it. An app that is suspended
/// in the midst of a reading, and ended later, has lost what the device then forgets. So time is
/// asked for from the connection to a device until all that it has sent is on disk.
public struct BackgroundTime: Sendable {
  /// Gives the time back.
  public typealias End = @Sendable () -> Void

  /// Asks for time.
  let begin: @Sendable (_ expired: @escaping @Sendable () -> Void) -> End
  /// Whether the system wakes a suspended process for each event of a connected device.
  ///
  /// A reading then goes on when the time is over. Otherwise it is ended in good order, with
  /// ``BluetoothError/Code/interrupted``, while the device still has what it has not sent.
  let wakesForDevices: Bool

  /// Describes how to ask for time; for apps that manage it themselves.
  ///
  /// - Parameters:
  ///   - wakesForDevices: Whether the system wakes the process when a connected device sends
  ///     something, as it does with the background mode `bluetooth-central`.
  ///   - begin: Asks for time, and returns what gives it back. Its parameter is to be called when the
  ///     time is about to be over; the time is given back within a second.
  public init(
    wakesForDevices: Bool,
    begin: @escaping @Sendable (_ expired: @escaping @Sendable () -> Void) -> End
  ) {
    self.wakesForDevices = wakesForDevices
    self.begin = begin
  }

  /// None is asked for: nothing suspends the process.
  public static let unlimited = BackgroundTime(wakesForDevices: true) { _ in {} }

  /// The system's: of `beginBackgroundTask` in an app for iOS, of `performExpiringActivity` in an app
  /// extension and on watchOS, of `beginActivity` on macOS; ``unlimited`` on Linux.
  public static let system = BackgroundTime(
    wakesForDevices: SystemTime.wakesForDevices, begin: SystemTime.begin)
}
