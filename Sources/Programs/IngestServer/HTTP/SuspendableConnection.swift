// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Dispatch
import SantorioConcurrency

/// Counts the connections that are suspended, and lets none be added once the server ends: the
/// library aborts the process when one is suspended at its end.
final class SuspensionGate: Sendable {
  private struct State {
    var count = 0
    var isClosed = false
  }

  private let state = Locked(State())
  private let suspended = DispatchGroup()

  /// Whether the server is about to end.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func close() { state.withLock { $0.isClosed = true } }

  /// Counts one more; false, with nothing counted, when the gate is closed.
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

  /// Waits until none is suspended; false when that takes too long.
  func waitUntilEmpty(until deadline: DispatchTime) -> Bool {
    suspended.wait(timeout: deadline) == .success && state.withLock { $0.count == 0 }
  }
}

/// A connection that can be taken out of the server's poll loop and put back.
///
/// `suspend` is for the server's callbacks only, `resume` for any thread, once for each `suspend`
/// and never before it: the library looks at neither order.
@safe struct SuspendableConnection: Sendable {
  // Used for the two calls below only, which the library locks by itself.
  private nonisolated(unsafe) let connection: OpaquePointer
  private let gate: SuspensionGate

  init(_ connection: OpaquePointer, _ gate: SuspensionGate) {
    unsafe self.connection = connection
    self.gate = gate
  }

  /// Suspends the connection; false, with nothing done, when the server is about to end.
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

/// The answer owed to a request whose connection is suspended.
final class SuspendedReply: Sendable {
  private let connection: SuspendableConnection
  private let response = Locked<HTTPResponse?>(nil)

  init(_ connection: SuspendableConnection) { self.connection = connection }

  /// Gives the answer and lets the connection go on.
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
