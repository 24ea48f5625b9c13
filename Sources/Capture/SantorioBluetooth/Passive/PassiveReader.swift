// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
package import HealthRecords
import SantorioConcurrency
import SantorioCore

/// Carries out what ``PassiveReading`` decides, as one more client of the central.
final class PassiveReader: @unchecked Sendable {
  /// The name of its scan for devices that were read.
  let id = UUID()
  let receiver: BluetoothReceiver
  private let central: BluetoothCentral
  private let monotonicClock: MonotonicClock
  private let send: @Sendable (PassiveEvent) -> Void
  // All that changes is touched on the central's queue only.
  private var machine = PassiveReading()
  private var set: PassiveSet?
  private var operations: [PassiveReading.RunID: PassiveRun] = [:]
  private var shares = QueueShares()
  /// The devices whose readings are ended as soon as they answer.
  private var unwanted: Set<UUID> = []
  /// The readings that each device gave last, as hashes.
  private var lastReadings: [UUID: Set<Int>] = [:]
  /// When each device was read last, where that was by an earlier process.
  private var earlierReads: [UUID: Date] = [:]
  private var storageObstacle: PassiveStatus.Obstacle?
  private var reportedObstacle: PassiveStatus.Obstacle? = .notSet
  private var isRefreshing = false
  private var refreshesAgain = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private lazy var timer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.handle(.timeReached)
  }
  private lazy var refreshTimer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.refresh()
  }
  private var watches: [NotificationWatch] = []
  private var sessionWatch: SessionWatch?
  /// Ends the time in which the process is not suspended, while there is one.
  private var endTime: BackgroundTime.End?
  private var grants = 0
  /// Until when what was begun may take to ask the system for its connection.
  private var holdsUntil = Duration.zero
  private lazy var holdTimer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.holdBackgroundTime()
  }
  private lazy var lastTimer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.endBackgroundTime()
  }

  /// How long a reading may take to ask for its connection.
  private static let beginningTime = Duration.seconds(3)
  /// How long it may take when the time is over that the system has granted.
  private static let lastTime = Duration.seconds(1)
  /// How often to look whether a queue that a device has filled was sent, and whether a file can be
  /// read that could not.
  private static let refreshPause = Duration.seconds(30)

  init(
    for receiver: BluetoothReceiver, on central: BluetoothCentral,
    send: @escaping @Sendable (PassiveEvent) -> Void
  ) {
    self.receiver = receiver
    self.central = central
    self.send = send
    monotonicClock = MonotonicClock(receiver.settings.clock)
    receiver.secretWatches.withLock {
      $0[id] = { [weak self] device in self?.secretChanged(of: device) }
    }
  }

  deinit { _ = receiver.secretWatches.withLock { [id] in $0.removeValue(forKey: id) } }

  private var queue: DispatchQueue { central.queue }

  // MARK: - From the manager

  /// Reads what is set from now on, and nothing when nil.
  ///
  /// Returns once it is waited for.
  func read(_ set: PassiveSet?) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        // What waits for an earlier session's user must not read for this one's.
        if set?.session != self.set?.session { handle(.wanted(nil)) }
        self.set = set
        if set == nil {
          storageObstacle = nil
          (watches, sessionWatch) = ([], nil)
          refreshTimer.set(nil)
          central.remove(self)
          return continuation.resume()
        }
        watchSession()
        waiters.append(continuation)
        refresh()
      }
    }
  }

  /// Ends the readings of some devices, also of those that are connected or answer now, until they
  /// are wanted again.
  func endReading(of devices: Set<UUID>) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        unwanted.formUnion(devices)
        for run in operations.values {
          if let (_, device) = run.found, devices.contains(device) { run.operation?.cancel() }
        }
        continuation.resume()
      }
    }
  }

  /// Why nothing can be set or read.
  func stop(for obstacle: PassiveStatus.Obstacle?) {
    queue.async { [self] in
      storageObstacle = obstacle
      reportObstacle()
    }
  }

  /// Ends connections that were kept for this process and that nobody wants.
  func releaseRestored() { queue.async { [self] in central.releaseRestored() } }

  /// Touches the radio, which hands over what it has kept for an earlier process.
  ///
  /// At once: the system hands it over to who is there when the launch is over.
  func openRadio() { central.onQueue { central.openForRestoration() } }

  private func watchSession() {
    guard watches.isEmpty else { return }
    sessionWatch = receiver.session?.watchSessions { [weak self] in self?.refreshSoon() }
    let center = receiver.notificationCenter
    watches = [
      NotificationWatch(SantorioSession.sessionEndedNotification, in: center) { [weak self] in
        self?.refreshSoon()
      },
      NotificationWatch(SantorioSession.queueSetAsideNotification, in: center) { [weak self] in
        self?.refreshSoon()
      },
    ]
  }

  private func secretChanged(of device: UUID) {
    queue.async { [self] in handle(.secretChanged(device)) }
  }

  private func refreshSoon() { queue.async { [self] in refresh() } }

  // MARK: - From the central, on its queue

  func radioChanged(_ state: PeripheralOperation.RadioState) { handle(.radioChanged(state)) }

  /// Notes which devices the operations may use that somebody has asked for.
  func interactiveChanged(_ selections: [DeviceSelection]) { handle(.interactive(selections)) }

  /// Somebody else has used a device, and has taken readings of it unless nil.
  func used(_ device: UUID, _ model: DeviceModel, taken: PassiveReading.Sending?) {
    handle(.used(device, model, taken: taken))
    // It may be known now, or paired.
    refresh()
  }

  /// Whether it has begun an operation.
  func has(_ operation: UUID) -> Bool {
    operations.values.contains { $0.operation?.id == operation }
  }

  func heard(_ device: UUID) {
    // Others advertise all the time, and nothing follows from it.
    guard machine.saw(device, at: monotonicClock.now()) else { return }
    handle(.heard(device))
  }

  /// Whether a device is one of those that are read.
  func wants(_ device: UUID) -> Bool {
    machine.devices[device]?.phase.run != nil
      || machine.wanted?.known.contains { $0.id == device } ?? false
  }

  // MARK: - The machine

  private func handle(_ event: PassiveReading.Event) {
    let actions = machine.handle(event, at: monotonicClock.now())
    for action in actions { perform(action) }
    timer.set(machine.deadline)
    holdBackgroundTime()
    reportObstacle()
  }

  private func perform(_ action: PassiveReading.Action) {
    switch action {
    case .begin(let run, let search): begin(run, search)
    case .cancel(let run): operations[run]?.operation?.cancelUnlessConnected()
    case .listen(let services): central.scan(services, allowsDuplicates: false, for: id)
    case .stopListening: central.stopScan(for: id)
    }
  }

  private func begin(_ run: PassiveReading.RunID, _ search: PassiveReading.Search) {
    guard let set else { return }
    // It has to look up a few things before it asks for the connection.
    holdsUntil = monotonicClock.now() + Self.beginningTime
    operations[run] = PassiveRun()
    let observer: @Sendable (BluetoothEvent) -> Void = { [weak self] event in
      guard let self else { return }
      queue.async { self.happened(event, in: run) }
    }
    operations[run]?.operation = central.begin(
      .init(passively: search, inSession: set.session), for: receiver, observer: observer)
  }

  private func happened(_ event: BluetoothEvent, in run: PassiveReading.RunID) {
    guard var current = operations[run] else { return }
    switch event {
    case .found(let model, let device):
      current.found = (model, device)
      operations[run] = current
      handle(.found(run, model, device))
      if unwanted.contains(device) { current.operation?.cancel() }
      return
    case .ended(let outcome):
      operations[run] = nil
      return ended(outcome, current, run)
    default: break
    }
    guard let (model, device) = current.found else { return }
    switch event {
    case .readyToRead: send(.readyToRead(model, identifier: device))
    case .undecided(let record): send(.undecided(record, model, identifier: device))
    case .rejected(let rejected): send(.rejected(rejected, model, identifier: device))
    case .reading, .older, .found, .waiting, .paired, .ended: break
    }
    guard event.isMeasurement else { return }
    current.count += 1
    operations[run] = current
    // What was read is kept; no more is taken now from a device that floods the queue.
    if current.count == shares.limit { current.operation?.cancel() }
  }

  private func ended(
    _ outcome: BluetoothOutcome, _ run: PassiveRun, _ id: PassiveReading.RunID
  ) {
    var news: [HealthRecord] = []
    if let (model, device) = run.found {
      news = newRecords(outcome.storedRecords, of: device)
      shares.add(news.count, of: device)
      if !news.isEmpty { send(.read(news, model, identifier: device)) }
      if outcome.passiveFailure == nil || !outcome.storedRecords.isEmpty {
        noteRead(device, outcome)
      }
      if let error = outcome.passiveFailure, error.code != .bluetoothUnavailable {
        send(.failed(error, model, identifier: device))
      }
    }
    handle(.ended(id, outcome.passiveEnd(hasNews: !news.isEmpty)))
    refresh()
  }

  /// What a device has not given in its reading before.
  private func newRecords(_ records: [HealthRecord], of device: UUID) -> [HealthRecord] {
    guard !records.isEmpty else { return [] }
    let last = lastReadings[device] ?? []
    let hashes = Set(records.map(\.logID.hashValue))
    // One that sends a part of its memory each time has sent the others before.
    lastReadings[device] = hashes.isSubset(of: last) ? last : hashes
    return records.filter { !last.contains($0.logID.hashValue) }
  }

  private func noteRead(_ device: UUID, _ outcome: BluetoothOutcome) {
    if case .cancelled(let records) = outcome, records.isEmpty { return }
    let date = receiver.settings.now()
    earlierReads[device] = date
    Task { [receiver] in try? await receiver.devices.notePassiveRead(of: device, at: date) }
  }

  // MARK: - What is to be read

  /// Looks up what is to be read now.
  private func refresh() {
    guard set != nil else { return resumeWaiters() }
    guard !isRefreshing else { return refreshesAgain = true }
    isRefreshing = true
    Task { [self, set] in
      let found = await receiver.passiveTargets(of: set)
      queue.async { self.refreshed(found, for: set) }
    }
  }

  private func refreshed(
    _ found: Result<PassiveTargets, PassiveObstacleError>, for set: PassiveSet?
  ) {
    isRefreshing = false
    let isAskedAgain = refreshesAgain
    refreshesAgain = false
    guard set == self.set else { return refresh() }
    defer { if isAskedAgain { refresh() } }
    switch found {
    case .success(let targets):
      storageObstacle = nil
      earlierReads.merge(targets.reads) { max($0, $1) }
      _ = shares.update(pending: targets.pending)
      var wanted = targets.wanted
      wanted.resting = shares.full
      unwanted.subtract(wanted.known.map(\.id))
      refreshTimer.set(shares.full.isEmpty ? nil : monotonicClock.now() + Self.refreshPause)
      central.add(self)
      handle(.wanted(wanted))
    case .failure(let error):
      storageObstacle = error.obstacle
      if case .storage = error.obstacle {
        // What waits goes on waiting; where nothing can be stored, nothing is asked of a device.
        refreshTimer.set(monotonicClock.now() + Self.refreshPause)
        reportObstacle()
      } else {
        handle(.wanted(nil))
      }
    }
    lastReadings = lastReadings.filter { machine.devices[$0.key] != nil }
    resumeWaiters()
  }

  private func resumeWaiters() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  private func reportObstacle() {
    let obstacle = storageObstacle ?? machine.obstacle
    guard obstacle != reportedObstacle else { return }
    reportedObstacle = obstacle
    send(.stateChanged(obstacle))
  }

  // MARK: - In the background

  /// Keeps the process from being suspended while a time is waited for, as long as the system grants
  /// that: a timer does not wake it.
  private func holdBackgroundTime() {
    let now = monotonicClock.now()
    holdTimer.set(holdsUntil > now ? holdsUntil : nil)
    guard machine.awaitsTime || holdsUntil > now else { return endBackgroundTime() }
    guard endTime == nil else { return }
    grants += 1
    let number = grants
    endTime = receiver.settings.backgroundTime.begin { [weak self] in
      guard let self else { return }
      queue.async { self.backgroundTimeExpired(number) }
    }
  }

  private func backgroundTimeExpired(_ number: Int) {
    guard number == grants, endTime != nil else { return }
    let actions = machine.handle(.suspensionNears, at: monotonicClock.now())
    for action in actions { perform(action) }
    timer.set(machine.deadline)
    // What was begun now has the last second.
    holdsUntil = min(holdsUntil, monotonicClock.now() + Self.lastTime)
    guard holdsUntil > monotonicClock.now() else { return endBackgroundTime() }
    lastTimer.set(holdsUntil)
  }

  private func endBackgroundTime() {
    lastTimer.set(nil)
    endTime?()
    endTime = nil
  }
}

// MARK: - Status

extension PassiveReader {
  /// What is read, and what keeps it.
  func status() async -> PassiveStatus {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: makeStatus()) }
    }
  }

  private func makeStatus() -> PassiveStatus {
    let obstacle = storageObstacle ?? machine.obstacle
    let known = Set(machine.wanted?.known.map(\.id) ?? [])
    let devices = machine.devices.filter { known.contains($0.key) || $0.value.lastSeen != nil }
    return PassiveStatus(
      obstacle: obstacle, limits: limits, peripheralIDs: set?.peripheralIDs ?? [],
      devices: devices.map { ($0.key.uuidString, $0.key, $0.value) }.sorted { $0.0 < $1.0 }.map {
        status(of: $0.1, $0.2, isStopped: obstacle != nil)
      })
  }

  private func status(
    of id: UUID, _ device: PassiveReading.Device, isStopped: Bool
  ) -> PassiveStatus.Device {
    let (now, date) = (monotonicClock.now(), receiver.settings.now())
    let asDate = { (time: Duration) in date.addingTimeInterval((time - now).seconds) }
    let reads = [device.lastRead.map(asDate), earlierReads[id]].compactMap(\.self)
    return PassiveStatus.Device(
      identifier: id, model: device.model, state: state(of: id, device, isStopped: isStopped),
      lastError: device.lastError, failures: device.failures,
      lastSeen: device.lastSeen.map(asDate), lastRead: reads.max(),
      nextTry: isStopped ? nil : device.phase.due.map(asDate))
  }

  private func state(
    of id: UUID, _ device: PassiveReading.Device, isStopped: Bool
  ) -> PassiveStatus.State {
    if case .reading = device.phase { return .reading }
    let target = machine.wanted?.known.first { $0.id == id }
    if target?.bond == .lost { return .bondLost }
    if isStopped { return .stopped }
    if shares.full.contains(id) { return .queueFull }
    return switch device.phase {
    case .idle, .waiting: .waiting
    case .reading: .reading
    case .quiet, .resting: .quiet
    case .backingOff: .backingOff
    }
  }

  private var limits: [PassiveStatus.Limit] {
    guard let wanted = machine.wanted else { return [] }
    var limits: [PassiveStatus.Limit] = []
    if !receiver.settings.backgroundTime.wakesForDevices { limits.append(.noBackgroundMode) }
    if !central.isRestorable, SystemTime.launchesForDevices { limits.append(.noRestoreIdentifier) }
    let known = Set(wanted.known.filter { $0.bond != .lost }.map(\.model.id))
    for model in wanted.models where !known.contains(model.id) {
      if model.requiresPairing || !wanted.takesUnknown {
        limits.append(.notPaired(model))
      } else if SystemTime.launchesForDevices, model.backgroundDiscovery != .usual {
        limits.append(.hardlyHeardInBackground(model, model.backgroundDiscovery))
      }
    }
    return limits
  }
}

/// A reading under way.
private struct PassiveRun {
  var operation: DeviceOperation?
  var found: (DeviceModel, UUID)?
  /// How many readings it has taken.
  var count = 0
}

extension BluetoothEvent {
  fileprivate var isMeasurement: Bool {
    switch self {
    case .reading, .undecided, .older: true
    default: false
    }
  }
}

extension BluetoothOutcome {
  /// The readings that were taken.
  package var records: [HealthRecord] {
    switch self {
    case .finished(let records), .cancelled(let records), .failed(_, let records): records
    case .nothingNew: []
    }
  }

  /// The readings that are on disk.
  fileprivate var storedRecords: [HealthRecord] {
    if case .failed(let error, _) = self, [.submissionFailure, .noUser].contains(error.code) {
      return []
    }
    return records
  }

  /// Why a device could not be read; that it had no measurement is no failure.
  fileprivate var passiveFailure: BluetoothError? {
    guard case .failed(let error, _) = self, error.code != .noReading else { return nil }
    return error
  }

  fileprivate func passiveEnd(hasNews: Bool) -> PassiveReading.End {
    let isCancelled = if case .cancelled = self { true } else { false }
    return .init(
      records: records, hasNews: hasNews, failure: passiveFailure, isCancelled: isCancelled)
  }
}

extension DeviceOperation.Request {
  /// A reading that looks for its device without an end.
  fileprivate init(passively search: PassiveReading.Search, inSession session: Int64) {
    switch search {
    case .device(let id, let model): self.init(purpose: .read, models: [model], allowed: [id])
    case .scan(let models, let only, let except):
      self.init(purpose: .read, models: models, allowed: only, resting: except)
    }
    isPassive = true
    self.session = session
  }
}

extension Duration {
  /// In seconds.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
