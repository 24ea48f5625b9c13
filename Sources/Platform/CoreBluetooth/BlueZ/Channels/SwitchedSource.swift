// SPDX-License-Identifier: Apache-2.0

/// A source of a socket's events that looks away until it is switched on.
final class SwitchedSource {
  private let source: any DispatchSourceProtocol
  private var isOn = false

  /// The source keeps the socket and what the handler holds until it is cancelled.
  init(_ source: any DispatchSourceProtocol, of socket: Socket, handler: @escaping () -> Void) {
    self.source = source
    source.setEventHandler(handler: handler)
    // The descriptor must not be closed before the source has let go of it.
    source.setCancelHandler { withExtendedLifetime(socket) {} }
  }

  func set(_ isOn: Bool) {
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    if isOn { source.resume() } else { source.suspend() }
  }

  /// Ends the source; one that looks away could not go.
  func cancel() {
    source.cancel()
    set(true)
  }
}
