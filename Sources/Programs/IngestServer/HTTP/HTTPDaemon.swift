// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc
import SantorioConcurrency

/// HTTP/1.1 by libmicrohttpd, with a pool of polling threads, on accepted sockets.
///
/// It uses poll, not epoll: with epoll the library waits again before it serves when exactly 128
/// connections are ready at the same time.
@safe final class HTTPDaemon: Sendable {
  /// The versions and ciphers of TLS: 1.2 and 1.3, with forward secrecy.
  static let priorities =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:%SERVER_PRECEDENCE"

  // Used from init to `stop`; the library does its own locking.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let context: DaemonContext
  private let isRunning = Locked(true)

  /// Starts the threads.
  init(_ context: DaemonContext, isSecure: Bool, threads: Int) throws(IngestError) {
    self.context = context
    guard let daemon = unsafe Self.start(context, isSecure, threads) else {
      throw IngestError(
        .unavailable, "the HTTP library cannot start its threads; check the available memory")
    }
    unsafe self.daemon = daemon
  }

  private static func start(
    _ context: DaemonContext, _ isSecure: Bool, _ threads: Int
  ) -> OpaquePointer? {
    let flags =
      MHD_USE_POLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
      | (isSecure ? MHD_USE_TLS.rawValue : 0)
    let limits = context.limits
    let own = unsafe Unmanaged.passUnretained(context).toOpaque()
    func item(
      _ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
    ) -> MHD_OptionItem {
      unsafe MHD_OptionItem(option: option, value: value, ptr_value: pointer)
    }
    var items = unsafe [
      item(.EXTERNAL_LOGGER, unsafeBitCast(logMessage, to: Int.self), own),
      item(.NOTIFY_CONNECTION, unsafeBitCast(connectionNotified, to: Int.self), own),
      item(.NOTIFY_COMPLETED, unsafeBitCast(requestCompleted, to: Int.self), own),
      item(.UNESCAPE_CALLBACK, unsafeBitCast(keepEscapes, to: Int.self)),
      item(.CONNECTION_TIMEOUT, limits.idleSeconds),
      // The registry bounds them; the library only divides its own limit among its threads.
      item(.CONNECTION_LIMIT, 4 * (limits.connections + ConnectionTable.overlap)),
      item(.CONNECTION_MEMORY_LIMIT, limits.headMemory),
      item(.STRICT_FOR_CLIENT, 1),
    ]
    if threads > 1 { unsafe items.append(item(.THREAD_POOL_SIZE, threads)) }
    return unsafe priorities.withCString { priorities in
      if isSecure {
        let certificate = unsafe unsafeBitCast(
          certificateRequested, to: UnsafeMutableRawPointer.self)
        unsafe items.append(item(.HTTPS_CERT_CALLBACK2, 0, certificate))
        let text = unsafe UnsafeMutableRawPointer(mutating: priorities)
        unsafe items.append(item(.HTTPS_PRIORITIES, 0, text))
      }
      unsafe items.append(item(.END, 0))
      return unsafe items.withUnsafeMutableBufferPointer { list in
        guard let list = list.baseAddress else { return nil }
        let array = Int32(bitPattern: MHD_OPTION.ARRAY.rawValue)
        let end = Int32(bitPattern: MHD_OPTION.END.rawValue)
        return unsafe withVaList([array, OpaquePointer(list), end]) {
          unsafe MHD_start_daemon_va(flags, 0, nil, nil, accessRequested, own, $0)
        }
      }
    }
  }

  /// Serves a connection; false when the library could not take it, and has closed its socket.
  func add(_ descriptor: Int32, from address: sockaddr_storage, size: socklen_t) -> Bool {
    unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe MHD_add_connection(daemon, descriptor, $0, size) == .YES
      }
    }
  }

  /// Closes all connections and ends the threads; no connection may be suspended.
  func stop() {
    let wasRunning = isRunning.withLock { running in
      defer { running = false }
      return running
    }
    if wasRunning { unsafe MHD_stop_daemon(daemon) }
  }

  deinit { stop() }
}
