// SPDX-License-Identifier: Apache-2.0

#if canImport(SantorioCurl)
  public import Foundation
  import SantorioCurl

  /// HTTP by libcurl: one thread drives all transfers and keeps connections open between them.
  ///
  /// Used on Linux, where URLSession costs about ten times the processor time and can deadlock when
  /// a task is cancelled (swift-corelibs-foundation #5412).
  ///
  /// The environment's `https_proxy`, `all_proxy` and `no_proxy` apply to https only, since a proxy
  /// cannot read it. Plain http goes directly to the server or nowhere.
  public final class CurlTransport: HTTPTransport {
    private let client: CurlClient
    private let pinnedKeys: PinnedKeys?

    /// Starts the thread; it ends when the transport is released.
    ///
    /// - Parameters:
    ///   - pinnedKeys: The server's public keys, of which it must show one; nil for no pinning.
    ///   - certificateAuthorities: A file of the only trusted certificates, in PEM form, for
    ///     instance that of a private authority; nil for those of the system.
    ///   - unixSocket: The path of a socket through which all servers are reached, whatever the
    ///     addresses of requests; nil to use the addresses.
    public init(
      pinnedKeys: PinnedKeys? = nil, certificateAuthorities: URL? = nil, unixSocket: String? = nil
    ) {
      self.pinnedKeys = pinnedKeys
      client = CurlClient(
        CurlRoute(
          trust: CurlTrust(pins: pinnedKeys?.pins, authorities: certificateAuthorities?.path),
          unixSocket: unixSocket))
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``.
    public func send(_ request: TransportRequest) async throws(TransportError)
      -> TransportResponse
    {
      try await exchange(request, longest: request.longestExchange())
    }

    /// Sends a request and passes on its answer piece by piece, for answers too large for memory.
    ///
    /// If the answer breaks off, a part of it has been passed on when this throws. The time limit
    /// of the exchange also depends on `maximumResponseBytes`.
    ///
    /// - Parameters:
    ///   - request: The request; its `maximumResponseBytes` applies to the whole answer.
    ///   - receive: Gets the body of an answer with a status of 200...299, in order, on the thread
    ///     of all transfers; an error that it throws ends this one.
    /// - Returns: The answer; its body is empty if it was passed on.
    /// - Throws: ``TransportError``, of code `notTaken` when `receive` threw.
    public func download(
      _ request: TransportRequest, to receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportError) -> TransportResponse {
      try await exchange(
        request, longest: request.longestExchange(answer: request.maximumResponseBytes),
        receive: receive)
    }

    private func exchange(
      _ request: TransportRequest, longest: Duration,
      receive: (@Sendable ([UInt8]) throws -> Void)? = nil
    ) async throws(TransportError) -> TransportResponse {
      try pinnedKeys?.check(request.url)
      do throws(CurlError) {
        let answer = try await client.send(CurlRequest(request, longest: longest), receive: receive)
        return TransportResponse(answer)
      } catch {
        throw TransportError(error)
      }
    }
  }

  extension CurlRequest {
    fileprivate init(_ request: TransportRequest, longest: Duration) {
      self.init(
        method: request.method, url: request.url.absoluteString,
        headers: request.fields.map { CurlHeader($0.name, $0.value) }, body: request.body,
        longestMilliseconds: Int(longest.milliseconds),
        longestSilentSeconds: request.longestSilence,
        maximumResponseBytes: request.maximumResponseBytes)
      isRepeatable = request.isRepeatable
    }
  }

  extension TransportResponse {
    fileprivate init(_ answer: CurlResponse) {
      self.init(
        status: answer.status, headers: answer.headers.map { TransportHeader($0.name, $0.value) },
        body: answer.body)
    }
  }

  extension TransportError {
    fileprivate init(_ error: CurlError) {
      self.init(Code(error.code), error.message, systemCode: error.curlCode)
    }
  }

  extension TransportError.Code {
    init(_ code: CurlError.Code) {
      self =
        switch code {
        case .invalidRequest: .invalidRequest
        case .unreachable: .unreachable
        case .tlsFailed: .tlsFailed
        case .timedOut: .timedOut
        case .incomplete: .incomplete
        case .tooLarge: .tooLarge
        case .receiverFailed: .notTaken
        case .cancelled: .cancelled
        }
    }
  }
#endif
