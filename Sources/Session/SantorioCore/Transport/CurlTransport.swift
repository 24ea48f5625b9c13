// SPDX-License-Identifier: Apache-2.0

#if canImport(CCurl)
  public import Foundation

  /// HTTP by libcurl: one thread drives all transfers and keeps connections open between them.
  ///
  /// Used on Linux, where URLSession costs about ten times the processor time and can deadlock when
  /// a task is cancelled (swift-corelibs-foundation #5412).
  ///
  /// The environment's `https_proxy`, `all_proxy` and `no_proxy` are honored for https, inside of
  /// which a proxy sees nothing. What is plain http goes to the server itself or nowhere.
  public final class CurlTransport: Transport {
    private let loop: CurlLoop
    private let pinnedKeys: PinnedKeys?

    /// Starts the thread; it ends when the transport is released.
    ///
    /// - Parameters:
    ///   - pinnedKeys: The server's public keys, of which it must show one; nil for no such demand.
    ///   - certificateAuthorities: A file of certificates in PEM form, which alone vouch for a
    ///     server, for instance that of one's own authority; nil for those of the system.
    ///   - unixSocket: The path of a socket on which all servers are to be reached, whatever the
    ///     addresses of requests; nil to go by the addresses.
    public init(
      pinnedKeys: PinnedKeys? = nil, certificateAuthorities: URL? = nil, unixSocket: String? = nil
    ) {
      self.pinnedKeys = pinnedKeys
      let trust = CurlTrust(
        pinnedKeys: pinnedKeys, certificateAuthorities: certificateAuthorities)
      loop = CurlLoop(CurlRoute(trust: trust, unixSocket: unixSocket))
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
      try await exchange(CurlTransfer(request))
    }

    /// Sends a request whose answer is too large to be held, and hands it on piece by piece.
    ///
    /// An answer that breaks off has been handed on in part when this throws. How long the exchange
    /// may take follows from `maximumResponseBytes` as well.
    ///
    /// - Parameters:
    ///   - request: The request; its `maximumResponseBytes` holds for the whole answer.
    ///   - receive: Takes the body of an answer with a status of 200...299, in order, on the thread
    ///     of all transfers; what it throws ends this one.
    /// - Returns: The answer; its body is empty if it was handed on.
    /// - Throws: ``TransportError``, of code `notTaken` when `receive` threw.
    public func download(
      _ request: TransportRequest, to receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportError) -> TransportResponse {
      try await exchange(CurlTransfer(request, receive: receive))
    }

    private func exchange(_ transfer: CurlTransfer) async throws(TransportError)
      -> TransportResponse
    {
      try pinnedKeys?.check(transfer.request.url)
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
