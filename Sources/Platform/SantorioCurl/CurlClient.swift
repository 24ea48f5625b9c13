// SPDX-License-Identifier: Apache-2.0

import Foundation

/// HTTP by libcurl: one thread drives all transfers and keeps connections open between them.
package final class CurlClient: Sendable {
  private let loop: CurlLoop

  /// Starts the thread; it ends when the client is released.
  package init(_ route: CurlRoute) {
    loop = CurlLoop(route)
    let thread = Thread { [loop] in loop.run() }
    thread.name = "santorio.curl"
    thread.start()
  }

  deinit { loop.stop() }

  /// Sends a request and waits for the whole answer.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - receive: Gets the body of an answer with a status of 200...299 piece by piece, in order,
  ///     on the thread of all transfers; an error that it throws ends this one. Without it the body
  ///     is in the answer.
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``CurlError``.
  package func send(
    _ request: CurlRequest, receive: (@Sendable ([UInt8]) throws -> Void)? = nil
  ) async throws(CurlError) -> CurlResponse {
    let transfer = CurlTransfer(request, receive: receive)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.continuation = continuation
        loop.start(transfer)
      }
    } onCancel: {
      loop.cancel(transfer)
    }
    return try result.get()
  }
}
