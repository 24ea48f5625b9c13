// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import SantorioConcurrency

/// Closes connections that exceed their deadlines, and low-priority ones when there are too many.
///
/// The library owns the sockets and closes them. The registry only shuts them down, which the
/// library notices, and only between the library's reports of their start and end: outside of that
/// time the descriptor may belong to another file.
final class ConnectionRegistry: Sendable {
  private struct State {
    var table: ConnectionTable
    /// Connections whose start the library has not reported yet.
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

  /// Starts looking for connections that exceed their deadlines.
  func start() {
    let shortest = min(
      limits.headTime, limits.bodyTime, limits.answerTime, limits.keepAliveTime, .seconds(2))
    let interval = DispatchTimeInterval.milliseconds(max(10, Int(shortest / .milliseconds(2))))
    let made = RepeatingTimer(every: interval) { [weak self] in self?.endExpired() }
    timer.withLock { $0 = made }
  }

  /// Stops looking for such connections.
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

  // Called under the lock, so that the library cannot close the sockets meanwhile.
  private static func shutDown(_ ids: [ConnectionTable.ID], _ state: State) {
    for id in ids {
      guard let descriptor = state.open[id] else { continue }
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  // MARK: - From the acceptor

  /// Whether another connection may be accepted now.
  var hasRoom: Bool { state.withLock { $0.table.hasRoom } }

  /// Registers an accepted connection before it is handed to the library.
  func accepted(
    _ descriptor: Int32, from address: ClientAddress, on listener: HTTPConnection.Listener
  ) -> HTTPConnection {
    let now = monotonicClock.now()
    let (connection, count) = state.withLock { state in
      let (id, ending) = state.table.accepted(address, at: now)
      let connection = HTTPConnection(id: id, address: address, listener: listener, in: self)
      if let lost = state.announced.updateValue(connection, forKey: descriptor) {
        // The library dropped it without a report.
        state.table.closed(lost.id)
      }
      Self.shutDown(ending, state)
      return (connection, ending.count)
    }
    if count > 0 { log("ended connections to make room count=\(count)") }
    return connection
  }

  /// Removes a connection that the library did not take and whose socket it has closed.
  func refused(_ descriptor: Int32) {
    state.withLock { state in
      guard let connection = state.announced.removeValue(forKey: descriptor) else { return }
      state.table.closed(connection.id)
    }
  }

  /// Closes one connection because the process cannot open more files.
  func makeRoom() {
    state.withLock { state in
      guard let id = state.table.outOfDescriptors() else { return }
      Self.shutDown([id], state)
    }
  }

  /// Waits until a connection has ended, at most for `time`.
  func waitForEnd(atMost time: DispatchTimeInterval) {
    isWaiting.withLock { $0 = true }
    _ = ended.wait(timeout: .now() + time)
    isWaiting.withLock { $0 = false }
  }

  // MARK: - From the library's threads

  /// Called when the library starts to serve a socket.
  func opened(_ descriptor: Int32) -> HTTPConnection? {
    state.withLock { state in
      let connection = state.announced.removeValue(forKey: descriptor)
      if let connection { state.open[connection.id] = descriptor }
      return connection
    }
  }

  /// Called when the library is about to close the socket.
  func closed(_ id: ConnectionTable.ID) {
    state.withLock { state in
      state.open[id] = nil
      state.table.closed(id)
    }
    if isWaiting.withLock({ $0 }) { ended.signal() }
  }

  /// Records an activity of a connection.
  func note(_ body: (inout ConnectionTable, _ now: Duration) -> Void) {
    let now = monotonicClock.now()
    state.withLock { body(&$0.table, now) }
  }

  /// Whether a client is still reading its response.
  var isAnswering: Bool { state.withLock { $0.table.isAnswering } }
}
