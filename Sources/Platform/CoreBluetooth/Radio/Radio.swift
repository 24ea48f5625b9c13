// SPDX-License-Identifier: Apache-2.0

/// The key of the option that sets a manager's ``Radio``; the default radio is used without it.
package let CBManagerOptionRadioKey: String = "org.santorio.radio"

/// One Bluetooth adapter of one host, as the managers need it: commands in, events out.
///
/// The radio owns links, bonds and the attribute protocol. It reads and writes complete long
/// values, pairs when a server requires it and then repeats the request, and shares one link
/// between the sessions of its host. Objects and delegates are handled by the managers.
///
/// Commands may come from any thread and return at once. Events reach a session's handler on the
/// session's queue, in order, never inside a command.
package protocol Radio: AnyObject, Sendable {
  /// Whether this process may use the radio.
  var authorization: CBManagerAuthorization { get }

  /// Whether a connection says before its first write without response that it has no room for one.
  ///
  /// Apps report that of some versions of macOS.
  var hidesRoomBeforeFirstWrite: Bool { get }

  /// Opens the central role for one manager.
  ///
  /// When the radio has kept state for the restore identifier, the first event is `.restored`. Then
  /// comes `.stateChanged`, then the events of the meantime, in order.
  func openCentral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession

  /// Opens the peripheral role for one manager; restores as the central role does.
  func openPeripheral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession

  /// Reports a line that describes a misuse of the interface by an app.
  func reportMisuse(_ line: String)
}

extension Radio {
  package var hidesRoomBeforeFirstWrite: Bool { false }

  /// Writes the line to standard error.
  package func reportMisuse(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
