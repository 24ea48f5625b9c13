// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
package import SantorioConcurrency
import SantorioSockets

/// Listens on a hub's control socket, and has a handler carry out what the command line asks.
///
/// One line of JSON is a request. Its answer is one line, after lines of progress. Root and the
/// hub's own user may always ask.
package final class HubControlServer: @unchecked Sendable {
  // Unchecked for `source`, which is made at the beginning and cancelled at the end.
  /// What programs may take of the hub.
  package struct Limits: Hashable, Sendable {
    /// The most connections at once of those who may always ask, and as many of all others.
    package var connections = 8
    /// The most connections at once of one of the others.
    package var connectionsPerUser = 4
    /// The most bytes of a request, its end included.
    package var requestBytes = 16 << 10
    /// How long a program may take for a complete request.
    package var idleTime = Duration.seconds(30)
    /// How long a program may take to read an answer, in milliseconds.
    package var answerMilliseconds = 10_000

    package init() {}

    /// Returns whether a user may connect: nobody else can take the connections of those who may
    /// always ask.
    func haveRoom(
      for user: UInt32, beside connected: [UInt32], always: Set<UInt32>
    ) -> Bool {
      guard !always.contains(user) else {
        return connected.count(where: always.contains) < connections
      }
      let others = connected.filter { !always.contains($0) }
      return others.count < connections && others.count { $0 == user } < connectionsPerUser
    }
  }

  private let path: String
  private let descriptor: Int32
  private let identity: SocketFile.Identity?
  private let limits: Limits
  private let monotonicClock: MonotonicClock
  private let handler: any HubControlHandler
  private let log: @Sendable (String) -> Void
  private let always: Set<UInt32>
  private let users: Locked<[UInt32: HubRole]>
  private let queue = DispatchQueue(label: "santorio.hub.control")
  private let source: any DispatchSourceRead
  private let open = Locked<[ObjectIdentifier: ControlConnection]>([:])
  private let ending = DispatchGroup()
  private let isRunning = Locked(true)

  /// Opens the socket and begins to answer.
  ///
  /// A socket file that an ended hub left behind is replaced.
  ///
  /// - Parameters:
  ///   - path: The path of the socket file, in a folder in which others may not write.
  ///   - users: The users who may use it, in addition to `always`, and what they may ask.
  ///   - always: The users who may always ask everything: root and the hub's own.
  ///   - limits: What programs may take of the hub.
  ///   - monotonicClock: The clock of idle programs.
  ///   - log: Receives log lines, on any thread.
  ///   - handler: Carries out the requests.
  /// - Throws: ``HubControlError``.
  package init(
    socket path: String, users: [UInt32: HubRole],
    always: Set<UInt32> = [0, UInt32(geteuid())], limits: Limits = Limits(),
    monotonicClock: MonotonicClock = MonotonicClock(ContinuousClock()),
    log: @escaping @Sendable (String) -> Void = { _ in }, handler: any HubControlHandler
  ) throws(HubControlError) {
    descriptor = try ControlSocket.listen(on: path)
    identity = SocketFile.Identity(path)
    self.path = path
    self.users = Locked(users)
    self.always = always
    self.limits = limits
    self.monotonicClock = monotonicClock
    self.log = log
    self.handler = handler
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.accept() }
    ending.enter()
    // Not before Dispatch has released the descriptor.
    source.setCancelHandler { [ending, path, descriptor, identity] in
      close(descriptor)
      SocketFile.remove(path, if: identity)
      ending.leave()
    }
    source.activate()
  }

  deinit { if isRunning.withLock({ $0 }) { source.cancel() } }

  /// Changes who may use the socket; connections that exist stay.
  ///
  /// - Parameter users: The users, in addition to root and the hub's own, and what they may ask.
  package func allow(_ users: [UInt32: HubRole]) { self.users.withLock { $0 = users } }

  /// Stops listening, cancels what is being carried out, and waits until that is answered.
  ///
  /// It must not be awaited by the handler. A program that does not read its answer is cut off.
  package func stop() async {
    let wasRunning = isRunning.withLock { isRunning in
      defer { isRunning = false }
      return isRunning
    }
    if wasRunning {
      // On the queue, so that no connection is accepted afterwards.
      queue.async { [self] in
        // Who is connected and was not taken yet is answered, too.
        accept()
        source.cancel()
        for connection in open.withLock({ Array($0.values) }) { connection.stop() }
      }
    }
    await withCheckedContinuation { continuation in
      ending.notify(queue: queue) { continuation.resume() }
    }
  }

  // MARK: - Connections

  private func accept() {
    while true {
      let connection = Glibc.accept(descriptor, nil, nil)
      guard connection >= 0 else { return }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
      serve(connection)
    }
  }

  private func serve(_ connection: Int32) {
    guard let peer = PeerCredentials(of: connection), let role = role(of: peer.user) else {
      return refuse(
        connection,
        HubFault(
          .notAllowed,
          "this user may not control the hub; run as root, or add the user's number (id -u) to "
            + "\"control\": {\"uids\": []} in the hub's configuration"))
    }
    let connected = open.withLock { $0.values.map(\.peer.user) }
    guard limits.haveRoom(for: peer.user, beside: connected, always: always) else {
      return refuse(
        connection, HubFault(.busy, "too many programs are connected to the hub; try again"))
    }
    ending.enter()
    let served = ControlConnection(
      connection, peer, role, limits, monotonicClock, handler
    ) { [self] served in
      open.withLock { $0[ObjectIdentifier(served)] = nil }
      ending.leave()
    }
    open.withLock { $0[ObjectIdentifier(served)] = served }
    served.start()
  }

  private func role(of user: UInt32) -> HubRole? {
    always.contains(user) ? .operate : users.withLock { $0[user] }
  }

  private func refuse(_ connection: Int32, _ fault: HubFault) {
    log("control connection refused reason=\(fault.code.name)")
    // The buffer of a new connection has room for it.
    _ = ControlSocket.send(
      HubAnswerLine.final(.failed(fault)).json + [UInt8(ascii: "\n")], on: connection,
      milliseconds: 0)
    close(connection)
  }
}
