// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Reports when the machine gets a connection, as long as it lives.
///
/// Uses the kernel's messages about links and addresses (rtnetlink(7)).
package final class RouteMonitor: @unchecked Sendable {
  // Set once; a dispatch source may be used from any thread, but Linux does not declare it.
  private let source: any DispatchSourceRead

  /// Calls `connected` on a queue of its own; not for a connection that exists at the start.
  ///
  /// - Returns: nil where the kernel provides no such socket, for instance in some sandboxes.
  package init?(_ connected: @escaping @Sendable () -> Void) {
    guard let socket = RouteSocket() else { return nil }
    source = DispatchSource.makeReadSource(
      fileDescriptor: socket.descriptor, queue: DispatchQueue(label: "santorio.connectivity"))
    source.setEventHandler {
      if socket.isConnectionNew() { connected() }
    }
    source.setCancelHandler { socket.close() }
    source.activate()
  }

  deinit { source.cancel() }
}
