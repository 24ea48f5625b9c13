// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Dispatch
import SantorioConcurrency

/// Counts the suspended connections and admits no more once the server is stopping.
///
/// The library aborts the process when a connection is still suspended at the end.
final class SuspensionGate: Sendable {
  private struct State {
    var count = 0
    var isClosed = false
  }

  private let state = Locked(State())
  private let suspended = DispatchGroup()

  /// Whether the server is stopping.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func close() { state.withLock { $0.isClosed = true } }

  /// Counts one more connection; false, without counting it, when the gate is closed.
  fileprivate func enter() -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.count += 1
      suspended.enter()
      return true
    }
  }

  fileprivate func leave() {
    state.withLock { $0.count -= 1 }
    suspended.leave()
  }

  /// Waits until no connection is suspended; false on timeout.
  func waitUntilEmpty(until deadline: DispatchTime) -> Bool {
    suspended.wait(timeout: deadline) == .success && state.withLock { $0.count == 0 }
  }
}

/// A connection that can be removed from the server's poll loop and put back.
///
/// Only the server's callbacks may call `suspend`. Any thread may call `resume`, once for each
/// `suspend` and after it: the library does not check this.
@safe struct SuspendableConnection: Sendable {
  // Used only for the two calls below, for which the library does its own locking.
  private nonisolated(unsafe) let connection: OpaquePointer
  private let gate: SuspensionGate

  init(_ connection: OpaquePointer, _ gate: SuspensionGate) {
    unsafe self.connection = connection
    self.gate = gate
  }

  /// Suspends the connection; false, without doing so, when the server is stopping.
  func suspend() -> Bool {
    guard gate.enter() else { return false }
    unsafe MHD_suspend_connection(connection)
    return true
  }

  func resume() {
    unsafe MHD_resume_connection(connection)
    gate.leave()
  }
}

/// The pending response to a request whose connection is suspended.
final class SuspendedReply: Sendable {
  private let connection: SuspendableConnection
  private let response = Locked<HTTPResponse?>(nil)

  init(_ connection: SuspendableConnection) { self.connection = connection }

  /// Sets the response and resumes the connection.
  func send(_ response: HTTPResponse) {
    self.response.withLock { $0 = response }
    connection.resume()
  }

  func take() -> HTTPResponse? {
    response.withLock { response in
      defer { response = nil }
      return response
    }
  }
}
