// SPDX-License-Identifier: Apache-2.0

/// The key of the option that names the ``Radio`` of a manager; without it the default radio is
/// used.
@_spi(Radio) public let CBManagerOptionRadioKey: String = "org.santorio.radio"

/// One Bluetooth adapter of one host, as the managers need it: commands in, events out.
///
/// The radio owns links, bonds and the attribute protocol. It reads and writes long values whole,
/// pairs when a server demands it and then repeats the request, and shares one link between the
/// sessions of its host. What belongs to objects and delegates is the managers' part.
///
/// Commands may come from any thread and return at once. Events reach a session's handler on the
/// session's queue, in order, never inside a command.
@_spi(Radio)
public protocol Radio: AnyObject, Sendable {
  /// Whether this process may use the radio.
  var authorization: CBManagerAuthorization { get }

  /// Opens the central role for one manager.
  ///
  /// When the radio has kept something for the restore identifier, the first event is `.restored`.
  /// Then comes `.stateChanged`, then what has happened in the meantime, in order.
  func openCentral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession

  /// Opens the peripheral role for one manager; restores as the central role does.
  func openPeripheral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession

  /// Takes a line that says how an app misuses the interface.
  func reportMisuse(_ line: String)
}

extension Radio {
  /// Writes the line to standard error.
  public func reportMisuse(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
