// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import SantorioConcurrency

/// Ends the connections whose time is over, and the least deserving where there are too many.
///
/// The library owns the sockets and closes them. Here they are only shut down, which the library
/// notices, and only between its two reports that a connection began and that it ends: before and
/// after them the number of the socket may be that of another file.
final class ConnectionRegistry: Sendable {
  private struct State {
    var table: ConnectionTable
    /// Those of which the library has not yet said that they began.
    var announced: [Int32: HTTPConnection] = [:]
    var open: [ConnectionTable.ID: Int32] = [:]
  }

  private let state: Locked<State>
  private let monotonicClock: MonotonicClock
  private let limits: IngestServer.Limits
  private let log: @Sendable (String) -> Void
  private let timer = Locked<RepeatingTimer?>(nil)
  // Waits for connections to end.
  private let ended = DispatchSemaphore(value: 0)
  private let isWaiting = Locked(false)

  init(
    _ limits: IngestServer.Limits, countsAddresses: Bool, monotonicClock: MonotonicClock,
    log: @escaping @Sendable (String) -> Void
  ) {
    state = Locked(State(table: ConnectionTable(limits, countsAddresses: countsAddresses)))
    self.monotonicClock = monotonicClock
    self.limits = limits
    self.log = log
  }

  /// Begins to look for connections whose time is over.
  func start() {
    let shortest = min(
      limits.headTime, limits.bodyTime, limits.answerTime, limits.keepAliveTime, .seconds(2))
    let interval = DispatchTimeInterval.milliseconds(max(10, Int(shortest / .milliseconds(2))))
    let made = RepeatingTimer(every: interval) { [weak self] in self?.endExpired() }
    timer.withLock { $0 = made }
  }

  /// Ends the look-out.
  func stop() {
    let made = timer.withLock { timer in
      defer { timer = nil }
      return timer
    }
    made?.stop()
  }

  private func endExpired() {
    let now = monotonicClock.now()
    let count = state.withLock { state in
      let expired = state.table.expired(at: now)
      Self.shutDown(expired, state)
      return expired.count
    }
    if count > 0 { log("ended slow connections count=\(count)") }
  }

  // Under the lock, so that the library cannot close the sockets meanwhile.
  private static func shutDown(_ ids: [ConnectionTable.ID], _ state: State) {
    for id in ids {
      guard let descriptor = state.open[id] else { continue }
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  // MARK: - From the acceptor

  /// Whether another connection may be accepted now.
  var hasRoom: Bool { state.withLock { $0.table.hasRoom } }

  /// Takes a connection that was accepted, before the library gets it.
  func accepted(
    _ descriptor: Int32, from address: ClientAddress, on listener: HTTPConnection.Listener
  ) -> HTTPConnection {
    let now = monotonicClock.now()
    let (connection, count) = state.withLock { state in
      let (id, ending) = state.table.accepted(address, at: now)
      let connection = HTTPConnection(id: id, address: address, listener: listener, in: self)
      if let lost = state.announced.updateValue(connection, forKey: descriptor) {
        // The library gave up on it without a report.
        state.table.closed(lost.id)
      }
      Self.shutDown(ending, state)
      return (connection, ending.count)
    }
    if count > 0 { log("ended connections to make room count=\(count)") }
    return connection
  }

  /// The library did not take the connection, and has closed its socket.
  func refused(_ descriptor: Int32) {
    state.withLock { state in
      guard let connection = state.announced.removeValue(forKey: descriptor) else { return }
      state.table.closed(connection.id)
    }
  }

  /// Ends one connection, since the process can open no more files.
  func makeRoom() {
    state.withLock { state in
      guard let id = state.table.ranShort() else { return }
      Self.shutDown([id], state)
    }
  }

  /// Waits until a connection has ended, or a time is over.
  func waitForEnd(atMost time: DispatchTimeInterval) {
    isWaiting.withLock { $0 = true }
    _ = ended.wait(timeout: .now() + time)
    isWaiting.withLock { $0 = false }
  }

  // MARK: - From the library's threads

  /// The library serves a socket from now on.
  func opened(_ descriptor: Int32) -> HTTPConnection? {
    state.withLock { state in
      let connection = state.announced.removeValue(forKey: descriptor)
      if let connection { state.open[connection.id] = descriptor }
      return connection
    }
  }

  /// The library is about to close the socket.
  func closed(_ id: ConnectionTable.ID) {
    state.withLock { state in
      state.open[id] = nil
      state.table.closed(id)
    }
    if isWaiting.withLock({ $0 }) { ended.signal() }
  }

  /// Notes what a connection does.
  func note(_ body: (inout ConnectionTable, _ now: Duration) -> Void) {
    let now = monotonicClock.now()
    state.withLock { body(&$0.table, now) }
  }

  /// Whether a client is still taking its answer.
  var isAnswering: Bool { state.withLock { $0.table.isAnswering } }
}
