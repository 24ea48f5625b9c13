// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  public import Foundation
  import SantorioConcurrency

  /// HTTP by the system's transfer service, which continues while the app is suspended or ended.
  ///
  /// A request with a body becomes an upload of a file in the session's folder. The system reads it
  /// while the device is locked, so until the upload is settled it is not encrypted by the session
  /// but protected by the system, from the first unlock on. A request without a body is sent at once.
  ///
  /// At every launch, also in the background, give a transport of the same identifier to the session,
  /// and pass on the events for which the system launches or wakes the app:
  ///
  /// ```swift
  /// func application(
  ///   _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
  ///   completionHandler: @escaping () -> Void
  /// ) {
  ///   Readings.session.handleEvents(of: identifier, completionHandler: completionHandler)
  /// }
  /// ```
  ///
  /// With SwiftUI's life cycle:
  ///
  /// ```swift
  /// .backgroundTask(.urlSession("uploads")) {
  ///   await Readings.session.handleEvents(of: "uploads")
  /// }
  /// ```
  public final class BackgroundURLSessionTransport: BackgroundTransport {
    /// The sessions of this process by their identifiers.
    ///
    /// A session lives as long as the process: the system has one for each identifier, and one that
    /// was invalidated takes no uploads any more.
    private static let sessions = Locked<[String: (URLSession, BackgroundTransfers)]>([:])

    private let foreground: URLSessionTransport
    private let transfers: BackgroundTransfers
    private let session: URLSession
    private let pinnedKeys: PinnedKeys?

    /// The name of the uploads.
    public let identifier: String

    /// Takes over the uploads of earlier launches.
    ///
    /// The first transport of an identifier decides for the process what the parameters say; later
    /// ones of the same identifier have its uploads.
    ///
    /// - Parameters:
    ///   - identifier: The name of the uploads, the same at every launch; two sessions must not use
    ///     one at once.
    ///   - pinnedKeys: The server's public keys, of which it must show one; nil for no pinning.
    ///   - access: Over which networks uploads may go.
    ///   - sharedContainer: The identifier of the app group, for a transport of an extension.
    ///   - timeout: How long the system tries one upload.
    public init(
      identifier: String, pinnedKeys: PinnedKeys? = nil, access: NetworkAccess = NetworkAccess(),
      sharedContainer: String? = nil, timeout: Duration = .seconds(86_400)
    ) {
      self.identifier = identifier
      self.pinnedKeys = pinnedKeys
      foreground = URLSessionTransport(pinnedKeys: pinnedKeys, access: access)
      (session, transfers) = Self.sessions.withLock { sessions in
        if let known = sessions[identifier] { return known }
        let transfers = BackgroundTransfers(trust: ServerTrust(pinnedKeys: pinnedKeys))
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.apply(access)
        configuration.sharedContainerIdentifier = sharedContainer
        #if !os(macOS)
          configuration.sessionSendsLaunchEvents = true
        #endif
        configuration.timeoutIntervalForResource = Double(timeout.milliseconds) / 1000
        let session = URLSession(
          configuration: configuration, delegate: transfers, delegateQueue: nil)
        session.getAllTasks { tasks in transfers.takeUp(tasks) }
        sessions[identifier] = (session, transfers)
        return (session, transfers)
      }
    }

    /// Sends a request at once and waits for the whole answer, without the transfer service.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``.
    public func send(
      _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
      try await foreground.send(request)
    }

    /// Has the system take over an upload.
    ///
    /// - Parameters:
    ///   - request: The request, without its body.
    ///   - body: The file with the body.
    ///   - id: The upload's name.
    /// - Throws: ``TransportError`` when keys are pinned and the address is not https.
    public func start(
      _ request: TransportRequest, body: URL, as id: String
    ) async throws(TransportError) {
      try pinnedKeys?.check(request.url)
      await transfers.start(request, body: body, as: id, in: session)
    }

    /// Waits for the answer of an upload, which an earlier launch may have started.
    ///
    /// - Parameter id: The upload's name.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportError``.
    public func answer(of id: String) async throws(TransportError) -> TransportResponse {
      try await transfers.answer(of: id)
    }

    /// The uploads that are under way or answered.
    ///
    /// - Returns: Each upload's name, and whether its answer has come.
    public func uploads() async -> [String: Bool] { await transfers.uploads() }

    /// Ends uploads, also those of earlier launches.
    ///
    /// - Parameter ids: The names of the uploads.
    public func cancel(_ ids: Set<String>) async { await transfers.cancel(ids, in: session) }

    /// Waits until the system has delivered the events for which it has launched or woken the app.
    public func eventsDelivered() async { await transfers.eventsDelivered() }
  }
#endif
