// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
  import Foundation
  import Network
  import SantorioConcurrency

  /// Reports when the machine gets a connection, as long as it lives; uses `NWPathMonitor`.
  final class ConnectivityMonitor: @unchecked Sendable {
    // Set once; a monitor may be used from any thread, but SDKs before iOS 17 do not declare it so.
    private let monitor = NWPathMonitor()

    /// Calls `connected` on a queue of its own; not for a connection that exists at the start.
    init(_ connected: @escaping @Sendable () -> Void) {
      let isFirst = Locked(true)
      monitor.pathUpdateHandler = { path in
        let wasFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if !wasFirst, path.status == .satisfied { connected() }
      }
      monitor.start(queue: DispatchQueue(label: "santorio.connectivity"))
    }

    deinit { monitor.cancel() }
  }
#else
  import SantorioRoutes

  /// Reports when the machine gets a connection, as long as it lives; uses the kernel's messages.
  final class ConnectivityMonitor: Sendable {
    private let monitor: RouteMonitor

    /// Calls `connected` on a queue of its own; not for a connection that exists at the start.
    ///
    /// - Returns: nil where the kernel provides no such messages, for instance in some sandboxes.
    init?(_ connected: @escaping @Sendable () -> Void) {
      guard let monitor = RouteMonitor(connected) else { return nil }
      self.monitor = monitor
    }
  }
#endif
