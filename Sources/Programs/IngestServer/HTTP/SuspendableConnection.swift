// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import SantorioConcurrency

/// A connection that can be taken out of the server's poll loop and put back.
///
/// `suspend` is for the server's callbacks only, `resume` for any thread, once for each `suspend`
/// and never before it: the library looks at neither order.
@safe struct SuspendableConnection: Sendable {
  // Used for the two calls below only, which the library locks by itself.
  private nonisolated(unsafe) let connection: OpaquePointer

  init(_ connection: OpaquePointer) { unsafe self.connection = connection }

  func suspend() { unsafe MHD_suspend_connection(connection) }
  func resume() { unsafe MHD_resume_connection(connection) }
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
