// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioFiles

// Sending what waits and delivering events: as a task of a program, or in the background of an app.
extension SantorioSession {
  /// Sends waiting records and delivers events until the task is cancelled.
  ///
  /// Before the first unlock of a device it waits.
  ///
  /// - Throws: ``SessionError`` of code `uploaderIsRunning` when the folder's records are being
  ///   sent by another call or process, of code `storageDamaged`, and what ``open()`` throws.
  public func run() async throws(SessionError) {
    background.begins()
    defer {
      background.ends()
      stopped(.stopped)
    }
    try await perform()
  }

  private func runInBackground() async {
    do throws(SessionError) {
      try await perform()
      stopped(.stopped)
    } catch {
      stopped(.waiting(error))
    }
  }

  private func stopped(_ new: UploadState) {
    state.set(new)
    rests.rested()
  }

  private func perform() async throws(SessionError) {
    await outbox.keepOpen()
    do throws(SessionError) {
      try await performWithOpenFile()
    } catch {
      await outbox.letClose()
      throw error
    }
    await outbox.letClose()
  }

  private func performWithOpenFile() async throws(SessionError) {
    let watch = TriggerWatch(
      for: configuration.retryTriggers, in: configuration.systemNotificationCenter
    ) { [uploading] in uploading.call(.retry) }
    guard try await openOnceUnlocked() else { return }
    let lock = try await uploaderLock()
    try? await outbox.removeTokens()
    try? await outbox.removeUnusedImages()
    let failure = await withTaskGroup(of: SessionError?.self) { group in
      group.addTask { await self.upload() }
      group.addTask { await self.deliverEvents() }
      group.addTask { await self.watchFolder() }
      let failure = await group.next() ?? nil
      group.cancelAll()
      return failure
    }
    withExtendedLifetime((lock, watch)) {}
    if let failure { throw failure }
  }

  /// How often a locked device is asked again, should the system not say that it was unlocked.
  private static let lockedInterval = Duration.seconds(60)

  /// Opens the folder; waits while the device is locked.
  ///
  /// - Returns: Whether it is open; false when the task was cancelled before.
  private func openOnceUnlocked() async throws(SessionError) -> Bool {
    while !Task.isCancelled {
      do throws(SessionError) {
        try await outbox.open()
        return true
      } catch {
        guard error.code == .storageLocked else { throw error }
        state.set(.waiting(error))
        rests.rested()
        _ = await uploading.sleep(
          for: Self.lockedInterval, on: configuration.clock, unless: .retry)
      }
    }
    return false
  }

  private func uploaderLock() async throws(SessionError) -> FileLock {
    let path = Outbox.databasePath(in: configuration.directory) + ".lock"
    for _ in 0...Int(FileLock.timeout / FileLock.pause) {
      if let lock = try FileLock.take(path, .exclusive) { return lock }
      try? await Task.sleep(for: FileLock.pause)
    }
    throw SessionError(
      .uploaderIsRunning,
      "another run(), in this process or another one, is already uploading from this folder")
  }

  private func upload() async -> SessionError? {
    var uploader = Uploader(
      outbox: outbox, configuration: configuration, wakeUp: uploading, delivering: delivering,
      rests: rests, state: state)
    do throws(SessionError) {
      try await uploader.run()
      return nil
    } catch {
      return error
    }
  }

  /// The most events buffered in memory for a slow subscriber; the others wait on the disk.
  private static let mostUnhandledEvents = 1000

  /// When something is tried again that the folder's file has refused.
  private static let retryInterval = Duration.seconds(5)

  private func deliverEvents() async -> SessionError? {
    var discarded: Int64 = 0
    while !Task.isCancelled {
      var wait = WakeUp.untilCalled
      do throws(SessionError) {
        let count = try await deliverBatch()
        let handled = hub.handled
        if handled > discarded {
          try await outbox.discardEvents(through: handled)
          discarded = handled
        }
        guard count == 0 else { continue }
      } catch {
        wait = Self.retryInterval
      }
      _ = await delivering.sleep(for: wait, on: configuration.clock)
    }
    return nil
  }

  /// When to look again after a change of the folder: SQLite writes a commit before others can see it,
  /// and a slow disk may lie in between.
  private static let looks: [Duration] = [
    .milliseconds(50), .seconds(1), .seconds(10), .seconds(60),
  ]

  /// Wakes the others when another process has stored something.
  private func watchFolder() async -> SessionError? {
    let news = WakeUp()
    var watch: FolderWatch?
    var looks: ArraySlice<Duration> = []
    while !Task.isCancelled {
      if watch?.isAlive != true {
        watch = FolderWatch(configuration.directory.path, filesNamed: Outbox.fileName) {
          news.call(.work)
        }
      }
      if (try? await outbox.hasNews()) ?? true {
        uploading.call(.work)
        delivering.call(.work)
      }
      let wait =
        watch == nil ? configuration.folderInterval : looks.popFirst() ?? WakeUp.untilCalled
      // Time of the disk, which passes in tests, too.
      if await news.sleep(for: wait, on: ContinuousClock()) != nil { looks = Self.looks[...] }
    }
    return nil
  }

  private func deliverBatch() async throws(SessionError) -> Int {
    guard hub.lastDelivered - hub.handled < Self.mostUnhandledEvents else { return 0 }
    let events = try await outbox.events(after: hub.lastDelivered, count: 100)
    for event in events {
      post(event.event)
      hub.deliver(event)
    }
    return events.count
  }

  // MARK: - For apps

  /// Starts running in the background, unless it already does; for apps.
  ///
  /// The session lives as long as it runs. ``uploadState`` shows when it cannot run; call this
  /// again to retry.
  public func resume() { background.want { await self.runInBackground() } }

  /// Stops running in the background, also for ``drain(until:)`` and ``handleEvents(of:)``.
  ///
  /// When this returns, nothing is being sent, and no file of the session is open or locked, so
  /// that iOS may suspend the app although the folder is in a shared container (`0xdead10cc`).
  /// Calls that follow open the files for themselves and close them again, until ``resume()``. Only a
  /// reading of a device keeps them open, within the background time that it has asked for.
  /// Uploads of a ``BackgroundTransport`` go on.
  public func suspend() async {
    await background.stop()
    await outbox.closeBetweenCalls()
  }

  /// Keeps the session's file open for work of many calls, until ``letFileClose()``.
  ///
  /// Otherwise it is closed after each call, where the system suspends programs.
  package func keepFileOpen() async { await outbox.keepOpen() }

  /// Ends what ``keepFileOpen()`` has begun.
  package func letFileClose() async { await outbox.letClose() }

  /// Tries to send now, whatever the session waits for; for a new connection or the foreground.
  public func processQueue() {
    Self.log(.upload, "asked to send now")
    uploading.call(.retry)
    Task {
      guard try await outbox.session()?.isOffline == true else { return }
      SantorioLogging.shared.log(
        .upload, level: .warning,
        "nothing is sent for the default user; start a session for a user of the server")
    }
  }

  /// Wakes the uploader because there is something new to send.
  func wakeUpload() { uploading.call(.work) }

  /// Delivers events that have just been stored.
  func deliverNews() { delivering.call(.work) }

  /// What the uploader is doing, and what it waits for.
  public var uploadState: UploadState { state.current }

  /// What the uploader is doing now, and each change of that; who is slow gets the latest one.
  ///
  /// Ends with the session object, which it does not keep.
  public var uploadStates: AsyncStream<UploadState> { state.changes() }

  // MARK: - In the background

  /// Sends what waits, as far as that is possible now, whether the session runs or not.
  ///
  /// For the time that the system grants an app in the background, for instance of a
  /// `BGProcessingTask` or of SwiftUI's `.backgroundTask(.appRefresh(…))`. Cancel the task when the
  /// time is over.
  ///
  /// - Parameter deadline: When to stop at the latest.
  /// - Returns: How far it came. Nothing is lost in any case: what is not sent waits on.
  /// - Throws: What ``open()`` throws.
  @discardableResult
  public func drain(until deadline: Date = .distantFuture) async throws(SessionError) -> DrainResult
  {
    try await outbox.open()
    let isBorrowed = background.borrow { await self.runInBackground() }
    let isOver = await within(deadline.timeIntervalSince(configuration.now())) { [self] in
      await rests.next { uploading.call(.retry) }
    }
    do throws(SessionError) {
      let result = try await isOver ? result() : .stopped
      if isBorrowed { await giveBack() }
      return result
    } catch {
      if isBorrowed { await giveBack() }
      throw error
    }
  }

  private func result() async throws(SessionError) -> DrainResult {
    switch uploadState {
    case .waiting(let error): return .waiting(error)
    case .stopped: return .stopped
    case .uploading, .idle: break
    }
    // In this order: of an upload that settles in between nothing waits any more.
    let isHandedOver = try await !outbox.transfers().isEmpty
    let waiting = try await outbox.pendingCount() + outbox.imageCount()
    guard waiting > 0 else { return .empty }
    return isHandedOver ? .handedOver : .postponed
  }

  /// Settles the uploads for which the system has launched or woken the app, and begins the next
  /// ones.
  ///
  /// Return from the system's call only after this has returned: the app may then be suspended.
  ///
  /// - Parameter identifier: The name of the uploads that the system has given.
  /// - Returns: Whether the uploads are this session's; otherwise nothing is done.
  @discardableResult
  public func handleEvents(of identifier: String) async -> Bool {
    guard let transport = configuration.transport as? any BackgroundTransport,
      transport.identifier == identifier
    else { return false }
    let isBorrowed = background.borrow { await self.runInBackground() }
    _ = await within(Self.mostTimeForEvents) { [self] in
      await transport.eventsDelivered()
      guard !Task.isCancelled else { return }
      await rests.next { uploading.call(.answer) }
    }
    Self.log(.upload, "background events handled")
    if isBorrowed { await giveBack() }
    return true
  }

  /// The same for an app delegate.
  ///
  /// - Parameters:
  ///   - identifier: The name of the uploads that the system has given.
  ///   - completionHandler: Called when the uploads are settled and the next
  ///     ones have begun.
  /// - Returns: Whether the uploads are this session's; otherwise the handler is not called.
  @MainActor @discardableResult
  public func handleEvents(
    of identifier: String, completionHandler: @escaping () -> Void
  ) -> Bool {
    guard let transport = configuration.transport as? any BackgroundTransport,
      transport.identifier == identifier
    else { return false }
    Task {
      await handleEvents(of: identifier)
      completionHandler()
    }
    return true
  }

  /// Ends uploads that the system performs for a session that has ended.
  func cancelForgottenUploads() async {
    guard let transport = configuration.transport as? any BackgroundTransport else { return }
    let files = UploadFiles(of: configuration.directory)
    // The list of what is kept comes last: an upload may begin meanwhile.
    let (known, written) = (Set(await transport.uploads().keys), files.names)
    guard let kept = try? await outbox.transfers().map(\.id) else { return }
    await transport.cancel(known.subtracting(kept))
    files.remove(written.subtracting(kept))
  }

  /// iOS grants about thirty seconds.
  private static let mostTimeForEvents: TimeInterval = 25

  private func giveBack() async {
    if await background.giveBack() { await outbox.closeBetweenCalls() }
  }

  /// Does something within a time; returns whether it ended by itself.
  private func within(
    _ seconds: TimeInterval, _ body: @escaping @Sendable () async -> Void
  ) async -> Bool {
    let clock = configuration.clock
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await body()
        return !Task.isCancelled
      }
      if seconds < 1e9 {
        group.addTask {
          try? await clock.wait(for: .seconds(seconds))
          return false
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}

/// How far ``SantorioSession/drain(until:)`` came.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum DrainResult: Hashable, Sendable {
  /// The server has everything that may be sent.
  case empty
  /// The system sends the rest, also while the app is suspended or ended.
  case handedOver
  /// Some records are sent again later: the server could not take them yet.
  case postponed
  /// The rest waits, for the given reason.
  case waiting(SessionError)
  /// The time was over, the task was cancelled, or the session was suspended.
  case stopped
}
