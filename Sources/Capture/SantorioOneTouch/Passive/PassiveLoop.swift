// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore

/// Connects and reads meters, and stores what they give.
final class PassiveLoop: Sendable {
  let session: SantorioSession
  let events = EventStreams()
  let settings: OneTouchSettings
  let clock: MonotonicClock
  let meters = Locked(PassiveMeters())
  let pauses = Locked<[String: Task<Void, Never>]>([:])
  /// Stores answers and assigns meters, one after the other.
  let storing = OrderedWork()
  private let kit: KitCalls
  private let changes = OrderedWork()
  private let shown = Locked<OneTouchObstacle?>(.notSet)
  private let watch = Locked<SessionWatch?>(nil)

  init(session: SantorioSession, kit: KitCalls, settings: OneTouchSettings) {
    self.session = session
    self.kit = kit
    self.settings = settings
    clock = MonotonicClock(settings.clock)
    let watching = session.watchSessions { [weak self] in self?.sessionChanged() }
    watch.withLock { $0 = watching }
  }

  var store: OneTouchStore { OneTouchStore(session: session) }

  var isOn: Bool { meters.withLock { $0.session != nil } }

  /// Ends what waits.
  func finish() {
    meters.withLock { $0.read(for: nil) }
    endPauses()
    events.finish()
  }

  // MARK: - On and off

  func set(_ isOn: Bool) async throws(OneTouchError) {
    let setting = changes.add { [self] () -> Result<Void, OneTouchError> in
      do throws(SessionError) {
        let owner = isOn ? try await user() : nil
        guard !isOn || owner != nil else { return .failure(.noUser) }
        try await store.keep(passiveIn: owner?.number)
        await read(for: owner?.number, else: .notSet)
        return .success(())
      } catch {
        return .failure(OneTouchError(error))
      }
    }
    switch await setting.value {
    case .success: break
    case .failure(let error): throw error
    }
  }

  func restore() -> Task<Bool, Never> {
    changes.add { [self] in
      do throws(SessionError) {
        let kept = try await store.passiveSession()
        let number = try await user()?.number
        let isSame = kept != nil && kept == number
        await read(for: isSame ? kept : nil, else: kept == nil ? .notSet : .noSession)
        return isSame
      } catch {
        await read(for: nil, else: .storage(error.description))
        restoreLater()
        return false
      }
    }
  }

  /// Before the first unlock of a phone nothing can be read.
  private func restoreLater() {
    pause("", .seconds(30)) { [weak self] in _ = self?.restore() }
  }

  /// The session's user, for whom meters can be read; nil without one, and for the default user.
  private func user() async throws(SessionError) -> (number: Int64, owner: DeviceOwner)? {
    guard let number = try await session.currentNumber(),
      let user = try await session.storedUser()
    else { return nil }
    let owner = DeviceOwner(user)
    guard owner != .unclaimed else {
      SantorioLogging.shared.log(.bluetooth, "passive reading refused for the default user")
      return nil
    }
    // The user may be that of a session which has begun in between.
    guard try await session.currentNumber() == number else { return nil }
    return (number, owner)
  }

  func obstacle() async -> OneTouchObstacle? {
    let shown = shown.withLock { $0 }
    guard shown == .notSet else { return shown }
    do throws(SessionError) {
      if try await user() != nil { return .notSet }
      return try await session.currentNumber() == nil ? .noSession : .defaultUser
    } catch {
      return .storage(error.description)
    }
  }

  /// Reads for a session, or stands still for a reason.
  private func read(for number: Int64?, else obstacle: OneTouchObstacle) async {
    let wasOn = isOn
    // What is under way for the same session goes on, with its pauses.
    let goesOn = number != nil && meters.withLock { $0.session } == number
    if goesOn { endPause("") } else { endPauses() }
    meters.withLock { $0.read(for: number) }
    let now = number == nil ? obstacle : nil
    let isNews = shown.withLock { shown in
      defer { shown = now }
      return shown != now
    }
    if isNews { events.send(.stateChanged(now)) }
    if number != nil {
      await connectAll()
    } else if wasOn {
      await onQueue { [kit] in
        for device in kit.devices() where device.isPaired() { device.disconnect() }
      }
    }
  }

  private func sessionChanged() {
    changes.add { [self] in
      guard let number = meters.withLock({ $0.session }) else { return }
      do throws(SessionError) {
        guard try await session.currentNumber() != number else { return }
        await read(for: nil, else: .noSession)
      } catch {
        // It is looked up again when something is stored.
      }
    }
  }

  /// Stops what was read for a session that is over.
  func end(_ number: Int64) {
    changes.add { [self] in
      guard meters.withLock({ $0.session }) == number else { return }
      await read(for: nil, else: .noSession)
    }
  }

  // MARK: - Connections

  /// Connects all paired meters that are not another user's, and reads those that are connected.
  func connectAll() async {
    guard isOn else { return }
    let setsClocks = settings.setsMeterClocks
    let devices = await onQueue { [kit] in
      if setsClocks { kit.setClocks() }
      return kit.devices().filter { $0.isPaired() }
    }
    for device in devices where await isOwn(device.meter) {
      if let reading = meters.withLock({ $0.next(afterPauseOf: device.meter.serialNumber) }) {
        begin(reading, of: device)
      } else {
        await onQueue { [self] in connect(device) }
      }
    }
  }

  /// Connects a meter, on the kit's queue.
  private func connect(_ device: KitMeter) {
    // One that is not paired may begin to pair.
    guard meters.withLock({ $0.isWanted(device.meter.serialNumber) }), device.isPaired() else {
      return
    }
    device.connect()
  }

  /// Whether a meter is the user's; it becomes so if it was nobody's.
  private func isOwn(_ meter: OneTouchMeter) async -> Bool {
    guard !meter.serialNumber.isEmpty else {
      events.send(.failed(.noSerialNumber, meter, nextTry: nil))
      return false
    }
    do throws(SessionError) {
      guard let user = try await user(), user.number == meters.withLock({ $0.session }) else {
        return false
      }
      return note(meter, try await store.position(of: meter.serialNumber, for: user.owner) != nil)
    } catch {
      // It is looked up again before the meter is read.
      events.send(.failed(OneTouchError(error), meter, nextTry: nil))
      return true
    }
  }

  /// Notes whether a meter is the user's.
  ///
  /// - Returns: The same.
  func note(_ meter: OneTouchMeter, _ isOwn: Bool) -> Bool {
    let isNews = meters.withLock { $0.note(meter.serialNumber, isLeftAlone: !isOwn) }
    if isNews, !isOwn { events.send(.leftAlone(meter)) }
    return isOwn
  }

  func connected(_ device: KitMeter) {
    let serialNumber = device.meter.serialNumber
    guard !serialNumber.isEmpty else {
      guard isOn else { return }
      return events.send(.failed(.noSerialNumber, device.meter, nextTry: nil))
    }
    endPause(serialNumber)
    guard let reading = meters.withLock({ $0.connected(serialNumber) }) else { return }
    begin(reading, of: device)
  }

  func disconnected(_ device: KitMeter) {
    let serialNumber = device.meter.serialNumber
    endPause(serialNumber)
    guard let wait = meters.withLock({ $0.disconnected(serialNumber) }) else { return }
    guard wait > .zero else {
      return settings.queue.async { [weak self] in self?.connect(device) }
    }
    pause(serialNumber, wait) { [weak self] in
      guard let self else { return }
      await onQueue { self.connect(device) }
    }
  }

  func assign(_ device: KitMeter, _ beginning: OneTouchBeginning) async throws(OneTouchError) {
    let meter = device.meter
    guard !meter.serialNumber.isEmpty else { throw .noSerialNumber }
    let assigning = storing.add { [self] () -> Result<Void, OneTouchError> in
      do throws(SessionError) {
        guard let user = try await user() else { return .failure(.noUser) }
        try await store.assign(meter.serialNumber, to: user.owner, beginning: beginning)
        // What the kit answers to an earlier question does not go with the new position.
        meters.withLock { $0.forget(meter.serialNumber) }
        return .success(())
      } catch {
        return .failure(OneTouchError(error))
      }
    }
    switch await assigning.value {
    case .success: break
    case .failure(let error): throw error
    }
    guard isOn else { return }
    _ = note(meter, true)
    if let reading = meters.withLock({ $0.next(afterPauseOf: meter.serialNumber) }) {
      begin(reading, of: device)
    } else {
      await onQueue { [self] in connect(device) }
    }
  }

  // MARK: - Waiting

  /// Does something after a pause; the pause before of the same name ends.
  func pause(_ name: String, _ wait: Duration, _ then: @escaping @Sendable () async -> Void) {
    let (clock, end) = (clock, clock.now() + wait)
    let task = Task {
      guard (try? await clock.sleep(end)) != nil, !Task.isCancelled else { return }
      await then()
    }
    pauses.withLock { $0.updateValue(task, forKey: name) }?.cancel()
  }

  func endPause(_ name: String) { pauses.withLock { $0.removeValue(forKey: name) }?.cancel() }

  private func endPauses() {
    let ended = pauses.withLock { pauses in
      defer { pauses = [:] }
      return Array(pauses.values)
    }
    for task in ended { task.cancel() }
  }

  /// Calls the kit.
  func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      settings.queue.async { continuation.resume(returning: body()) }
    }
  }
}
