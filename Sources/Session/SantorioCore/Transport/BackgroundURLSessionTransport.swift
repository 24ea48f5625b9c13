// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Foundation
  import HealthRecords
  import SantorioConcurrency

  /// HTTP by the system's transfer service, which continues while the app is suspended or ended.
  ///
  /// A request with a body becomes an upload of a file. Send many records per upload, so that the
  /// system does not slow the app down. A request without a body is sent at once, by a
  /// ``URLSessionTransport``. At every launch, also in the background, give one to the session
  /// before ``SantorioSession/resume()`` and keep it:
  ///
  /// ```swift
  /// func application(
  ///   _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
  ///   completionHandler: @escaping () -> Void
  /// ) {
  ///   transport.handleEvents(of: identifier, completionHandler: completionHandler)
  /// }
  /// ```
  ///
  /// A task that is cancelled leaves its transfer running. A transfer whose task is gone, cancelled
  /// or from an earlier launch, serves the next request that is the same in every byte; otherwise
  /// its answer is dropped, its records are sent again, and the server stores them once.
  public final class BackgroundURLSessionTransport: HTTPTransport {
    private let foreground: URLSessionTransport
    private let transfers: BackgroundTransfers
    private let session: URLSession
    private let pinnedKeys: PinnedKeys?

    /// Takes over the transfers of earlier launches.
    ///
    /// - Parameters:
    ///   - identifier: The name of the transfers, the same at every launch; no two transports that
    ///     live at once may share it.
    ///   - pinnedKeys: The server's public keys, of which it must show one; nil for no pinning.
    ///   - timeout: How long the system tries one upload.
    /// - Throws: ``TransportError`` when the folder of the uploads cannot be created.
    public init(
      identifier: String, pinnedKeys: PinnedKeys? = nil, timeout: Duration = .seconds(86_400)
    ) throws(TransportError) {
      self.pinnedKeys = pinnedKeys
      foreground = URLSessionTransport(pinnedKeys: pinnedKeys)
      let transfers = BackgroundTransfers(
        files: try UploadFiles(identifier), trust: ServerTrust(pinnedKeys: pinnedKeys))
      let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
      configuration.sessionSendsLaunchEvents = true
      configuration.httpShouldSetCookies = false
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.timeoutIntervalForResource = Double(timeout.milliseconds) / 1000
      session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
      self.transfers = transfers
      session.getAllTasks { tasks in transfers.takeUp(tasks) }
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameter request: The request; its time limit is the transport's timeout if it has a
    ///   body.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``.
    public func send(
      _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
      guard let body = request.body else {
        if request.method == "DELETE" { transfers.forgetAnswers() }
        return try await foreground.send(request)
      }
      try pinnedKeys?.check(request.url)
      return try await transfers.upload(request, body: body, in: session)
    }

    /// Accepts the events for which the system has relaunched the app.
    ///
    /// - Parameters:
    ///   - identifier: The name passed to the app delegate.
    ///   - completionHandler: Called on the main queue when all events are handled.
    /// - Returns: Whether the events are this transport's; otherwise the handler is not called.
    @discardableResult
    public func handleEvents(
      of identifier: String, completionHandler: @escaping @Sendable () -> Void
    ) -> Bool {
      guard identifier == session.configuration.identifier else { return false }
      transfers.finish(calling: completionHandler)
      return true
    }

    /// Ends all transfers, also those of earlier launches, for instance when a user logs out.
    public func cancelTransfers() {
      transfers.forgetAnswers()
      session.getAllTasks { tasks in for task in tasks { task.cancel() } }
    }
  }

  /// The bodies of uploads, as files that the system reads.
  struct UploadFiles: Sendable {
    private let folder: URL

    init(_ identifier: String) throws(TransportError) {
      do {
        folder = try FileManager.default.url(
          for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true
        ).appendingPathComponent("\(RequestAddress.escaped(identifier)).uploads", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      } catch {
        throw TransportError(
          .invalidRequest, "the folder of the uploads cannot be created",
          systemCode: (error as NSError).code)
      }
    }

    func url(_ key: String) -> URL { folder.appendingPathComponent(key) }

    /// Readings arrive while the device is locked; the file has the session's protection class.
    func save(_ body: [UInt8], _ key: String) throws(TransportError) -> URL {
      do {
        try Data(body).write(
          to: url(key), options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
        return url(key)
      } catch {
        throw TransportError(
          .invalidRequest, "the file of the upload cannot be written",
          systemCode: (error as NSError).code)
      }
    }

    func remove(_ key: String) { try? FileManager.default.removeItem(at: url(key)) }

    /// Removes files that no transfer needs.
    func removeAll(but keys: Set<String>) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where !keys.contains(name) { remove(name) }
    }
  }
#endif
