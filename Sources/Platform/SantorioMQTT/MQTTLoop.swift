// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioConcurrency

/// The thread that connects and serves the connection, and the interface to it for other threads.
final class MQTTLoop: @unchecked Sendable {
  private struct Mailbox {
    /// Whether messages are taken.
    var isConnected = false
    var publications: [MQTTPublication] = []
    var isClosing = false
    var isEnded = false
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  /// How long an orderly end may take.
  private static let longestClosing = Duration.seconds(5)

  // `mailbox`, `events` and `wakeUp` are shared; the rest belongs to the loop's thread.
  private let mailbox = Locked(Mailbox())
  private let wakeUp = WakeUp()
  let events = MQTTEvents()
  private let settings: MQTTSettings
  private let clock = ContinuousClock()
  private var pending: [Int32: MQTTPublication?] = [:]
  private var subscribing: [Int32: String] = [:]
  private var refusedSubscriptions: [String] = []
  private var isAnswered = false
  private var connectedAt: ContinuousClock.Instant?

  init(_ settings: MQTTSettings) { self.settings = settings }

  // MARK: - From any thread

  func publish(_ publication: MQTTPublication) {
    let error: MQTTError? = mailbox.withLock { mailbox in
      if mailbox.isClosing { return Self.closed }
      guard mailbox.isConnected else {
        return MQTTError(.notConnected, "there is no connection to the broker")
      }
      mailbox.publications.append(publication)
      return nil
    }
    if let error { return publication.finish(.failure(error)) }
    wakeUp.signal()
  }

  /// Requests the end; `closer` is resumed when the connection has ended.
  func close(_ closer: CheckedContinuation<Void, Never>?) {
    let isOver = mailbox.withLock { mailbox in
      // Without a connection the thread may be within a call that takes its time.
      let isOver = mailbox.isEnded || !mailbox.isConnected
      if let closer, !isOver { mailbox.closers.append(closer) }
      mailbox.isClosing = true
      return isOver
    }
    wakeUp.signal()
    if isOver { closer?.resume() }
  }

  private static let closed = MQTTError(.closed, "the client was closed")

  private var isClosing: Bool { mailbox.withLock { $0.isClosing } }

  // MARK: - On the loop's thread

  func run() {
    ignoreBrokenPipes()
    var delay = ReconnectDelay(first: settings.firstDelay, longest: settings.longestDelay)
    var generator = SystemRandomNumberGenerator()
    while !isClosing {
      connectedAt = nil
      let reason = connectAndServe()
      let lasted = connectedAt.map { clock.now - $0 }
      failAll(reason)
      events.emit(.disconnected(reason))
      pause(delay.wait(afterConnectionOf: lasted, using: &generator))
    }
    events.finish()
    let closers = mailbox.withLock { mailbox in
      mailbox.isEnded = true
      defer { mailbox.closers = [] }
      return mailbox.closers
    }
    for closer in closers { closer.resume() }
  }

  // As in the thread of libcurl: a write by OpenSSL to a closed connection signals the thread.
  private func ignoreBrokenPipes() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private func pause(_ duration: Duration) {
    let end = clock.now + duration
    while !isClosing, clock.now < end { _ = wakeUp.wait(longest: end - clock.now) }
  }

  /// Fails what was not acknowledged, and what is published until there is a connection.
  private func failAll(_ reason: MQTTError) {
    let unsent = mailbox.withLock { mailbox in
      mailbox.isConnected = false
      defer { mailbox.publications = [] }
      return mailbox.publications
    }
    for publication in pending.values { publication?.finish(.failure(reason)) }
    for publication in unsent { publication.finish(.failure(reason)) }
    pending = [:]
  }

  private func connectAndServe() -> MQTTError {
    (isAnswered, subscribing, refusedSubscriptions) = (false, [:], [])
    do throws(MQTTError) {
      let connection = try MQTTConnection(settings)
      try connection.connect()
      try serve(connection)
      return Self.closed
    } catch {
      return error
    }
  }

  /// Serves the connection until it is closed in good order.
  private func serve(_ connection: MQTTConnection) throws(MQTTError) {
    let handshakeEnd = clock.now + settings.longestHandshake
    while !isClosing {
      try step(connection, until: connectedAt == nil ? handshakeEnd : nil)
      if connectedAt == nil, clock.now >= handshakeEnd {
        throw MQTTError(.timedOut, "the broker took too long to accept the connection")
      }
    }
    if connectedAt != nil { try end(connection) }
  }

  /// Waits for the next event, and handles it.
  private func step(
    _ connection: MQTTConnection, until end: ContinuousClock.Instant? = nil
  ) throws(MQTTError) {
    let longest = min(
      .seconds(max(1, min(5, settings.keepAliveSeconds / 4))),
      end.map { $0 - clock.now } ?? .seconds(60))
    let (canRead, canWrite) = wakeUp.wait(
      for: connection.socket, isWriting: connection.wantsToWrite, longest: longest)
    let error = connection.work(canRead: canRead, canWrite: canWrite)
    // Also what arrived before the end.
    for incident in connection.takeIncidents() { try handle(incident, connection) }
    if let error { throw error }
    try sendPublications(connection)
  }

  private func handle(
    _ incident: MQTTConnection.Incident, _ connection: MQTTConnection
  ) throws(MQTTError) {
    switch incident {
    case .answered(let code):
      if code == 0 { try answered(connection) }
    case .acknowledged(let number):
      pending.removeValue(forKey: number)??.finish(.success(()))
    case .subscribed(let number, let isRefused):
      guard let filter = subscribing.removeValue(forKey: number) else { return }
      if isRefused { refusedSubscriptions.append(filter) }
      reportConnection()
    case .message(let message): events.emit(.message(message))
    }
  }

  /// The broker has accepted the connection.
  private func answered(_ connection: MQTTConnection) throws(MQTTError) {
    isAnswered = true
    if let presence = settings.presence {
      try sendOwn(presence.online, presence, connection)
    }
    for filter in settings.subscriptions { subscribing[try connection.subscribe(filter)] = filter }
    reportConnection()
  }

  private func reportConnection() {
    guard isAnswered, connectedAt == nil, subscribing.isEmpty else { return }
    connectedAt = clock.now
    mailbox.withLock { $0.isConnected = true }
    events.emit(.connected(refusedSubscriptions: refusedSubscriptions))
  }

  private func sendOwn(
    _ payload: [UInt8], _ presence: MQTTPresence, _ connection: MQTTConnection
  ) throws(MQTTError) {
    let message = MQTTMessage(topic: presence.topic, payload: payload, isRetained: true)
    pending.updateValue(nil, forKey: try connection.publish(message))
  }

  private func sendPublications(_ connection: MQTTConnection) throws(MQTTError) {
    let publications = mailbox.withLock { mailbox in
      defer { mailbox.publications = [] }
      return mailbox.publications
    }
    for (index, publication) in publications.enumerated() where !publication.isFinished {
      do throws(MQTTError) {
        pending[try connection.publish(publication.message)] = publication
      } catch {
        publication.finish(.failure(error))
        guard error.code != .invalidMessage else { continue }
        for other in publications[index...] { other.finish(.failure(error)) }
        throw error
      }
    }
  }

  /// Waits for what is due, says that the client is offline, and disconnects.
  private func end(_ connection: MQTTConnection) throws(MQTTError) {
    let end = clock.now + Self.longestClosing
    try sendPublications(connection)
    if let presence = settings.presence {
      try sendOwn(presence.offline, presence, connection)
    }
    while !pending.isEmpty, clock.now < end { try step(connection, until: end) }
    connection.disconnect()
    while connection.socket != nil, connection.wantsToWrite, clock.now < end {
      guard
        connection.work(
          canRead: false,
          canWrite: wakeUp.wait(for: connection.socket, isWriting: true, longest: end - clock.now)
            .canWrite) == nil
      else { return }
    }
  }
}
