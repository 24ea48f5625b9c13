// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc
import SantorioConcurrency

/// An HTTP/1.1 server: libmicrohttpd with a pool of polling threads.
///
/// Polling, not epoll: with epoll the library waits again before it serves when exactly 128
/// connections are ready at once.
@safe final class HTTPDaemon: Sendable {
  /// What a client may use up.
  struct Limits: Sendable {
    var connections = HTTPDaemon.Limits.connectionsOfProcess
    /// How long a connection may be silent, in seconds.
    var idleSeconds = 30
    /// How long a request may take to arrive, beside what its octets take at the slowest rate.
    var requestTime = Duration.seconds(120)
    /// The octets a second that the slowest line brings.
    var slowestRate = 32 << 10
    /// The octets of a body read, and dropped where they are too many, so that a refused client gets
    /// its answer.
    var discarded = 32 << 20
    /// The octets of all bodies that are held at one time, until they are answered.
    var bodies = 512 << 20
    /// The octets of memory for the head of a request.
    var headMemory = 32 << 10

    /// How long a request of so many octets may take to arrive.
    func time(for octets: Int) -> Duration { requestTime + .seconds(octets / slowestRate) }

    /// What the process may open, less what its files need; at most 4096.
    private static var connectionsOfProcess: Int {
      var limit = rlimit()
      guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        return 512
      }
      return Int(min(4_096, max(128, limit.rlim_cur) - 64))
    }
  }

  /// The port that is listened on.
  let port: UInt16
  // Used from init to `stop`; the library locks by itself.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let context: DaemonContext
  private let isRunning = Locked(true)

  /// Starts to listen on an IPv4 address in dotted form; port 0 is any free one.
  init(
    address: String, port: UInt16, threads: Int, limits: Limits,
    application: any HTTPApplication, log: @escaping @Sendable (String) -> Void
  ) throws(IngestError) {
    var socketAddress = sockaddr_in()
    socketAddress.sin_family = sa_family_t(AF_INET)
    socketAddress.sin_port = port.bigEndian
    guard unsafe inet_pton(AF_INET, address, &socketAddress.sin_addr) == 1 else {
      throw IngestError(
        .invalidConfiguration, "«\(address)» is no IPv4 address such as 127.0.0.1")
    }
    context = DaemonContext(application: application, limits: limits, log: log)
    guard let started = unsafe Self.start(&socketAddress, threads, context) else {
      throw IngestError(
        .cannotListen,
        "cannot listen on \(address):\(port); choose another port or end the program that uses it")
    }
    unsafe daemon = started
    self.port = unsafe cmicrohttpd_bound_port(started)
  }

  private static func start(
    _ address: inout sockaddr_in, _ threads: Int, _ context: DaemonContext
  ) -> OpaquePointer? {
    let flags =
      MHD_USE_POLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue
    let limits = context.limits
    let own = unsafe Unmanaged.passUnretained(context).toOpaque()
    func item(
      _ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
    ) -> MHD_OptionItem {
      unsafe MHD_OptionItem(option: option, value: value, ptr_value: pointer)
    }
    return unsafe withUnsafeMutablePointer(to: &address) { address in
      var items = unsafe [
        item(.EXTERNAL_LOGGER, unsafeBitCast(logMessage, to: Int.self), own),
        item(.SOCK_ADDR, 0, UnsafeMutableRawPointer(address)),
        item(.NOTIFY_COMPLETED, unsafeBitCast(requestCompleted, to: Int.self), own),
        item(.UNESCAPE_CALLBACK, unsafeBitCast(keepEscapes, to: Int.self)),
        item(.CONNECTION_TIMEOUT, limits.idleSeconds),
        item(.CONNECTION_LIMIT, limits.connections),
        item(.CONNECTION_MEMORY_LIMIT, limits.headMemory),
        item(.STRICT_FOR_CLIENT, 1),
      ]
      if threads > 1 { unsafe items.append(item(.THREAD_POOL_SIZE, threads)) }
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

  /// Ends the server: no new connections, then `drain`, then what was answered goes out, then all
  /// connections are closed.
  ///
  /// - Parameter drain: Must answer every suspended request and end every stream, and see to it
  ///   that later ones are answered at once: the library aborts the process when a connection is
  ///   suspended at its end.
  func stop(drain: () -> Void) {
    let wasRunning = isRunning.withLock { running in
      defer { running = false }
      return running
    }
    guard wasRunning else { return }
    let listener = unsafe MHD_quiesce_daemon(daemon)
    drain()
    context.waitForAnswers(atMost: .seconds(10))
    unsafe MHD_stop_daemon(daemon)
    if listener >= 0 { close(listener) }
  }

  deinit { stop(drain: {}) }
}
