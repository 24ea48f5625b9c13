// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  public import Foundation

  /// HTTP by Apple's URL loading system.
  public final class URLSessionTransport: NSObject, HTTPTransport, URLSessionTaskDelegate {
    private let session: URLSession
    private let trust: ServerTrust

    /// Uses one URL session for its whole life; nothing of it is kept on disk.
    ///
    /// - Parameters:
    ///   - pinnedKeys: The server's public keys, of which it must show one; nil for no pinning.
    ///   - access: Over which networks uploads may go.
    public init(pinnedKeys: PinnedKeys? = nil, access: NetworkAccess = NetworkAccess()) {
      trust = ServerTrust(pinnedKeys: pinnedKeys)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.apply(access)
      session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameter request: The request; its time limit is the maximum time without progress.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``.
    public func send(_ request: TransportRequest) async throws(TransportError)
      -> TransportResponse
    {
      try trust.pinnedKeys?.check(request.url)
      do {
        let (bytes, response) = try await session.bytes(
          for: Self.urlRequest(request), delegate: self)
        guard let http = response as? HTTPURLResponse else {
          throw TransportError(.incomplete, "the answer is not HTTP")
        }
        var body: [UInt8] = []
        for try await byte in bytes {
          guard body.count < request.maximumResponseBytes else {
            bytes.task.cancel()
            throw TransportError(.tooLarge, "the answer is larger than allowed")
          }
          body.append(byte)
        }
        return TransportResponse(status: http.statusCode, headers: http.fields, body: body)
      } catch let error as TransportError {
        throw error
      } catch {
        // Refusing a server's key ends the transfer like a cancellation.
        let error = Self.error(error)
        guard error.code == .cancelled, !Task.isCancelled else { throw error }
        throw TransportError.distrusted
      }
    }

    /// Checks the server's key where keys are pinned.
    public func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let (disposition, credential) = trust.answer(challenge)
      completionHandler(disposition, credential)
    }

    /// Refuses redirects: the answer that requests one is returned.
    public func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }

    static func urlRequest(_ request: TransportRequest) -> URLRequest {
      var made = URLRequest(url: request.url)
      made.httpMethod = request.method
      made.httpBody = request.body.map { Data($0) }
      made.timeoutInterval = Double(request.timeout.milliseconds) / 1000
      for header in request.fields { made.addValue(header.value, forHTTPHeaderField: header.name) }
      return made
    }

    static func error(_ error: any Error) -> TransportError {
      guard !(error is CancellationError) else {
        return TransportError(.cancelled, "the task was cancelled")
      }
      return TransportError(urlError: (error as NSError).code)
    }
  }

  extension HTTPURLResponse {
    var fields: [TransportHeader] {
      allHeaderFields.compactMap { name, value in
        guard let name = name as? String, let value = value as? String else { return nil }
        return TransportHeader(name, value)
      }
    }
  }
#endif
