// SPDX-License-Identifier: Apache-2.0

#if canImport(CCurl)
  import Foundation

  /// HTTP by libcurl: one thread drives all transfers and keeps connections open between them.
  ///
  /// Used on Linux, where URLSession costs about ten times the processor time and can deadlock when
  /// a task is cancelled (swift-corelibs-foundation #5412).
  public final class CurlTransport: Transport {
    private let loop: CurlLoop

    /// Starts the thread; it ends when the transport is released.
    public init() {
      loop = CurlLoop()
      let thread = Thread { [loop] in loop.run() }
      thread.name = "santorio.curl"
      thread.start()
    }

    deinit { loop.stop() }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``.
    public func send(_ request: TransportRequest) async throws(TransportError)
      -> TransportResponse
    {
      let transfer = CurlTransfer(request)
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
#endif
