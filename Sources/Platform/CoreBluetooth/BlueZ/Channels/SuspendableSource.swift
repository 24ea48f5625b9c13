// SPDX-License-Identifier: Apache-2.0

/// A source of a socket's events that is suspended until it is switched on.
final class SuspendableSource {
  private let source: any DispatchSourceProtocol
  private var isOn = false

  /// The source keeps the socket and what the handler holds until it is cancelled.
  init(_ source: any DispatchSourceProtocol, of socket: Socket, handler: @escaping () -> Void) {
    self.source = source
    source.setEventHandler(handler: handler)
    // The descriptor must not be closed before the source has released it.
    source.setCancelHandler { withExtendedLifetime(socket) {} }
  }

  func set(_ isOn: Bool) {
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    if isOn { source.resume() } else { source.suspend() }
  }

  /// Ends the source; a suspended one could not be released.
  func cancel() {
    source.cancel()
    set(true)
  }
}
