// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import SantorioConcurrency

/// Serves an application over HTTP on one or more addresses.
final class HTTPServer: Sendable {
  /// Where the server listens.
  struct Listening: Sendable {
    var addresses: [ListenAddress]
    /// The port of addresses without a port of their own; 0 for any free port.
    var port: UInt16
    /// The permissions of the socket files among the addresses.
    var socketMode: UInt32 = 0o600
    /// The socket for the commands of the server's operator; nil for none.
    var administrationSocket: String?
    /// The certificates for TLS clients; nil without TLS.
    var certificates: CertificateStore?
    /// Whether a proxy names the client.
    var isBehindProxy = false
  }

  /// The ports of the internet addresses, in order.
  let ports: [UInt16]
  /// The addresses as the log names them.
  let addresses: [String]
  private let context: DaemonContext
  private let acceptor: Acceptor
  private let daemons: [HTTPDaemon]
  private let isRunning = Locked(true)

  /// The daemons that could not be stopped and run until the process ends.
  private static let abandoned = Locked<[HTTPDaemon]>([])

  /// The library's threads that serve the connections; with TLS there are as many again.
  static let threads = min(4, max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// Starts listening and serving.
  init(
    _ listening: Listening, limits: IngestServer.Limits, monotonicClock: MonotonicClock,
    application: any HTTPApplication, log: @escaping @Sendable (String) -> Void
  ) throws(IngestError) {
    let sockets = try Self.open(listening)
    let registry = ConnectionRegistry(
      limits, countsAddresses: !listening.isBehindProxy, monotonicClock: monotonicClock, log: log)
    context = DaemonContext(
      application: application, limits: limits, connections: registry,
      isBehindProxy: listening.isBehindProxy, log: log)
    let plain = try HTTPDaemon(context, isSecure: false, threads: Self.threads)
    let secure =
      listening.certificates == nil
      ? nil : try HTTPDaemon(context, isSecure: true, threads: Self.threads)
    let places = sockets.map { socket in
      let speaksTLS = socket.address.isInternet ? secure : nil
      let listener = HTTPConnection.Listener(
        certificates: speaksTLS == nil ? nil : listening.certificates,
        isAdministration: socket.address.path == listening.administrationSocket
          && !socket.address.isInternet)
      return Acceptor.Place(socket: socket, listener: listener, daemon: speaksTLS ?? plain)
    }
    daemons = [plain] + (secure.map { [$0] } ?? [])
    ports = sockets.filter(\.address.isInternet).map(\.port)
    addresses = sockets.map { $0.address.description(port: $0.port) }
    acceptor = Acceptor(registry, log: log)
    registry.start()
    acceptor.start(places)
  }

  private static func open(_ listening: Listening) throws(IngestError) -> [ListeningSocket] {
    var sockets: [ListeningSocket] = []
    for address in listening.addresses {
      sockets.append(
        try ListeningSocket(address, port: listening.port, mode: listening.socketMode))
    }
    if let path = listening.administrationSocket {
      sockets.append(try ListeningSocket(ListenAddress(socket: path), port: 0))
    }
    guard !sockets.isEmpty else {
      throw IngestError(.invalidConfiguration, "no address to listen on; name at least one")
    }
    return sockets
  }

  /// Stops the server in order.
  ///
  /// New connections and then new requests are refused, `drain` runs, pending responses are sent,
  /// and all connections are closed. Further calls do nothing.
  ///
  /// - Parameters:
  ///   - deadline: The latest end; a client that does not read its response is cut off.
  ///   - drain: Must answer every suspended request and end every stream; later ones are refused.
  /// - Returns: Whether all requests were answered. If one was not, because the disk does not
  ///   respond, the library's threads keep running: stopping them would abort the process.
  @discardableResult
  func stop(until deadline: DispatchTime, drain: () -> Void) -> Bool {
    let wasRunning = isRunning.withLock { running in
      defer { running = false }
      return running
    }
    guard wasRunning else { return true }
    // In this order: a client that is told of the end cannot connect again.
    acceptor.stop()
    context.gate.close()
    drain()
    let isEmpty = context.gate.waitUntilEmpty(until: deadline)
    if isEmpty {
      context.waitForAnswers(until: min(deadline, .now() + context.limits.lastAnswersTime.interval))
      for daemon in daemons { daemon.stop() }
    } else {
      context.log("a request could not be answered in time; the server stops without it")
      Self.abandoned.withLock { $0 += daemons }
    }
    context.connections.stop()
    return isEmpty
  }
}
