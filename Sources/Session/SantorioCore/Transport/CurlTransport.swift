// SPDX-License-Identifier: Apache-2.0

#if canImport(CCurl)
  public import Foundation

  /// HTTP by libcurl: one thread drives all transfers and keeps connections open between them.
  ///
  /// Used on Linux, where URLSession costs about ten times the processor time and can deadlock when
  /// a task is cancelled (swift-corelibs-foundation #5412).
  public final class CurlTransport: Transport {
    private let loop: CurlLoop
    private let pinnedKeys: PinnedKeys?

    /// Starts the thread; it ends when the transport is released.
    ///
    /// - Parameters:
    ///   - pinnedKeys: The server's public keys, of which it must show one; nil for no such demand.
    ///   - certificateAuthorities: A file of certificates in PEM form, which alone vouch for a server,
    ///     for instance that of one's own authority; nil for those of the system.
    public init(pinnedKeys: PinnedKeys? = nil, certificateAuthorities: URL? = nil) {
      self.pinnedKeys = pinnedKeys
      loop = CurlLoop(
        CurlTrust(pinnedKeys: pinnedKeys, certificateAuthorities: certificateAuthorities))
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
      try pinnedKeys?.check(request.url)
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
