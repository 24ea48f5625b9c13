// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthDevices

/// Which devices are waited for, read, or left alone, for as long as passive reading is on.
///
/// A device that is known has a reading of its own that waits for its connection, however long that
/// takes; all others are looked for by one reading that scans. A device that was read is left alone
/// until it has stopped broadcasting and some seconds more, and one that failed for longer each time,
/// so that it never keeps the others from being read. It decides and does nothing: each event returns
/// the actions to be carried out, in order.
struct PassiveReading: Sendable {
  /// How long a device must not have been heard before it is read again.
  ///
  /// One that is awake advertises every 2.5 seconds or more often: it has stopped, and some seconds
  /// more have passed.
  static let silence = Duration.seconds(15)
  /// After how long a device was off for which nobody has listened.
  static let longSilence = Duration.seconds(60)
  /// How often the scan for devices that were read is begun anew.
  ///
  /// The system tells of a device once for each scan.
  static let listeningStep = Duration.seconds(5)
  /// How long a device that goes on broadcasting is left alone at first when it has a memory or a
  /// clock, so that what it sends again is recognised.
  static let shortestRest = Duration.seconds(30)
  /// How long it is left alone at most while it has nothing new.
  static let longestRest = Duration.seconds(900)
  /// How long a device is left alone after its first failure.
  static let shortestBackOff = Duration.seconds(5)
  /// How long it is left alone at most, and after a failure that only its user can mend.
  static let longestBackOff = Duration.seconds(900)

  /// What is to be read; nil for nothing.
  private(set) var wanted: Wanted?
  private var radio = PeripheralOperation.RadioState.unknown
  /// The devices that each operation asked for by the user may use.
  private var interactive: [DeviceSelection] = []
  /// Whether what is to be read has changed.
  private var isWantedNew = false
  private(set) var devices: [UUID: Device] = [:]
  private var runs: [RunID: Run] = [:]
  private var lastRun = 0
  private var scanRun: RunID?
  /// When there may be a scan again after one that has failed, and how often in a row they have.
  private var scanRetry: Duration?
  private var scanFailures = 0
  private var nextListening: Duration?

  // MARK: - Inputs

  /// Takes an event and returns what to do, in order.
  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .wanted(let wanted): want(wanted)
    case .radioChanged(let state): radio = state
    case .interactive(let selections): interactive = selections
    case .used(let device, let model, let taken):
      actions = used(device, model, taken: taken, at: now)
    case .found(let run, let model, let device): actions = found(run, model, device, at: now)
    case .heard(let device): heard(device, at: now)
    case .secretChanged(let device): secretChanged(of: device)
    case .ended(let run, let end): ended(run, end, at: now)
    case .timeReached: break
    case .suspensionNears: waitWithoutTime()
    }
    timeReached(at: now)
    return actions + reconcile(at: now)
  }

  /// When ``Event/timeReached`` is due; nil when only the radio is waited for.
  var deadline: Duration? {
    let dues = devices.values.compactMap(\.phase.due)
    return (dues + [nextListening, scanRetry].compactMap(\.self)).min()
  }

  /// Whether a time is waited for, in which the process must not be suspended.
  var awaitsTime: Bool { devices.values.contains { $0.phase.due != nil } }

  private mutating func want(_ wanted: Wanted?) {
    let before = self.wanted
    self.wanted = wanted
    isWantedNew = true
    // Anything may advertise: of what is not known nothing is kept that is not needed.
    let known = Set(wanted?.known.map(\.id) ?? [])
    devices = devices.filter { known.contains($0.key) || $0.value.phase.mustBeKept(wanted != nil) }
    guard let wanted else { return }
    for target in wanted.known where devices[target.id] == nil {
      devices[target.id] = Device(model: target.model)
    }
    // A new bond may have mended what only the user could mend.
    for target in wanted.known {
      let old = before?.known.first { $0.id == target.id }
      if let old, old != target, case .backingOff = devices[target.id]?.phase {
        devices[target.id]?.phase = .idle
        devices[target.id]?.failures = 0
      }
    }
  }

  /// A device that could not be read for its key may be read now.
  private mutating func secretChanged(of device: UUID) {
    guard var state = devices[device], state.lastError?.code == .notAuthorized,
      case .backingOff = state.phase
    else { return }
    (state.phase, state.failures, state.lastError) = (.idle, 0, nil)
    devices[device] = state
  }

  /// Somebody else has just used a device, which may be on: what it has was read, or it was paired.
  ///
  /// One that was paired and has sent nothing may be read at once: some keep the bond only then.
  private mutating func used(
    _ device: UUID, _ model: DeviceModel, taken: Sending?, at now: Duration
  ) -> [Action] {
    guard devices[device] != nil || wanted?.models.contains(where: { $0.id == model.id }) == true
    else { return [] }
    var state = devices[device] ?? Device(model: model)
    guard !state.phase.isReading else { return [] }
    state.failures = 0
    guard let taken else {
      if state.phase.run == nil { state.phase = .idle }
      if devices[device] != nil { devices[device] = state }
      return []
    }
    let waiting = state.phase.run.map { cancel($0) }
    if taken != .unknown { state.sends = taken }
    state.phase = .quiet(lastHeard: now, since: now)
    devices[device] = state
    return waiting.map { [$0] } ?? []
  }

  private mutating func found(
    _ run: RunID, _ model: DeviceModel, _ device: UUID, at now: Duration
  ) -> [Action] {
    guard let known = runs[run] else { return [] }
    // Another device may have answered before the first.
    if let other = known.device, other != device, devices[other]?.phase.run == run {
      devices[other]?.phase = .idle
    }
    runs[run]?.device = device
    if scanRun == run { (scanRun, scanFailures) = (nil, 0) }
    var state = devices[device] ?? Device(model: model)
    // One that was cancelled too late has the device, and not the one that was begun since.
    let later = state.phase.run.flatMap { $0 == run ? nil : cancel($0) }
    state.lastSeen = now
    state.phase = .reading(run)
    devices[device] = state
    return later.map { [$0] } ?? []
  }

  /// Notes that a device advertises.
  ///
  /// - Returns: Whether something follows from that.
  mutating func saw(_ device: UUID, at now: Duration) -> Bool {
    guard devices[device] != nil else { return false }
    devices[device]?.lastSeen = now
    if case .quiet = devices[device]?.phase { return true }
    return false
  }

  private mutating func heard(_ device: UUID, at now: Duration) {
    guard var state = devices[device] else { return }
    state.lastSeen = now
    if case .quiet(let lastHeard, let since) = state.phase {
      // The process may have been suspended meanwhile, and nobody has listened.
      let wasSilent = now >= lastHeard + Self.longSilence
      state.phase = wasSilent ? .idle : .quiet(lastHeard: now, since: since)
    }
    devices[device] = state
  }

  private mutating func ended(_ run: RunID, _ end: End, at now: Duration) {
    guard let known = runs.removeValue(forKey: run) else { return }
    if scanRun == run { scanRun = nil }
    guard let device = known.device ?? known.target else { return scanEnded(end, at: now) }
    guard var state = devices[device], state.phase.run == run else { return }
    if known.device != nil { note(end, of: &state, at: now) }
    if let error = end.failure { (state.failures, state.lastError) = (state.failures + 1, error) }
    switch end.failure {
    case nil where end.isCancelled && end.records.isEmpty: state.phase = .idle
    case nil:
      (state.failures, state.lastError) = (0, nil)
      state.phase = .quiet(lastHeard: now, since: now)
    // It would give the same measurement again, as another one.
    case _? where !end.records.isEmpty && state.sends == .withoutTime:
      state.phase = .quiet(lastHeard: now, since: now)
    case let error? where error.code == .bluetoothUnavailable:
      (state.failures, state.lastError) = (0, nil)
      state.phase = .idle
    case let error?:
      state.phase = .backingOff(until: now + Self.backOff(after: state.failures, error))
    }
    devices[device] = state
  }

  private func note(_ end: End, of state: inout Device, at now: Duration) {
    state.lastSeen = now
    if !end.records.isEmpty || end.failure == nil && !end.isCancelled { state.lastRead = now }
    if !end.records.isEmpty { state.sends = .init(end.records) }
    if end.hasNews { (state.rests, state.isHurried) = (0, false) }
  }

  /// A scan has found nothing, for which there is a reason.
  private mutating func scanEnded(_ end: End, at now: Duration) {
    guard let error = end.failure, error.code != .bluetoothUnavailable else { return }
    scanFailures += 1
    scanRetry = now + Self.backOff(after: scanFailures, error)
  }

  /// How long a device is left alone that has failed so often in a row.
  static func backOff(after failures: Int, _ error: BluetoothError) -> Duration {
    guard error.isRetryable else { return longestBackOff }
    let doublings = min(max(failures - 1, 0), 20)
    return min(shortestBackOff * (1 << doublings), longestBackOff)
  }

  private mutating func timeReached(at now: Duration) {
    for (id, device) in devices {
      switch device.phase {
      case .idle, .waiting, .reading: continue
      case .quiet(let lastHeard, let since):
        if now >= lastHeard + Self.silence {
          devices[id]?.phase = .idle
          devices[id]?.rests = 0
        } else if device.sends.longestQuiet.map({ now >= since + $0 }) ?? false {
          rest(id, at: now)
        }
      case .resting(let until), .backingOff(let until):
        guard now >= until else { continue }
        devices[id]?.phase = .idle
        devices[id]?.isHurried = false
      }
    }
    if let scanRetry, now >= scanRetry { self.scanRetry = nil }
  }

  /// The process is about to be suspended, in which no time passes: the system is asked now for the
  /// connections that would be asked for later.
  ///
  /// A device that would send the same again as another measurement is waited for by the scan alone.
  private mutating func waitWithoutTime() {
    for (id, device) in devices {
      switch device.phase {
      // Once for each pause: a device that fails at once would be tried without an end.
      case .quiet where device.sends == .withTime && !device.isHurried,
        .resting where !device.isHurried,
        .backingOff where !device.isHurried && device.lastError?.isRetryable == true:
        devices[id]?.phase = .idle
        devices[id]?.isHurried = true
      case .idle, .waiting, .reading, .quiet, .resting, .backingOff: continue
      }
    }
  }

  /// A device that does not stop broadcasting is read again all the same, less often each time that it
  /// has nothing new: it may be on all day.
  private mutating func rest(_ id: UUID, at now: Duration) {
    let rests = devices[id]?.rests ?? 0
    devices[id]?.rests = min(rests + 1, 10)
    let rest = min(Self.shortestRest * (1 << rests), Self.longestRest)
    devices[id]?.phase = rests == 0 ? .idle : .resting(until: now + rest)
  }

  // MARK: - What follows

  /// Whether anything is read at all now.
  var obstacle: PassiveStatus.Obstacle? {
    if wanted == nil { return .notSet }
    if case .unavailable(let reason) = radio { return .bluetooth(reason) }
    if radio == .awaitingPermission { return .awaitingPermission }
    if !interactive.isEmpty { return .interactiveOperation }
    return radio == .on ? nil : .bluetooth(.unknown)
  }

  private mutating func reconcile(at now: Duration) -> [Action] {
    guard let wanted, obstacle == nil || obstacle == .interactiveOperation else {
      return cancelWaiting { _ in true } + listen(at: now)
    }
    let dropped = drop(unwantedBy: wanted)
    guard obstacle == nil else {
      let selections = interactive
      return dropped
        + cancelWaiting { device in selections.contains { $0.contains(device) } }
        + listen(at: now)
    }
    return dropped + waitForKnown(wanted) + scan(wanted) + listen(at: now)
  }

  /// Ends the scan, and what waits for some devices; what is connected to one goes on to its end.
  private mutating func cancelWaiting(for isAsked: (UUID) -> Bool) -> [Action] {
    runs.filter { !$0.value.isCancelled && ($0.value.target.map(isAsked) ?? true) }
      .keys.sorted().map { cancel($0) }
  }

  /// Ends a reading, unless it is connected: that is known to who carries this out.
  private mutating func cancel(_ run: RunID) -> Action {
    runs[run]?.isCancelled = true
    if scanRun == run { scanRun = nil }
    if let target = runs[run]?.target, devices[target]?.phase == .waiting(run) {
      devices[target]?.phase = .idle
    }
    return .cancel(run)
  }

  /// Ends what waits for devices that are not to be read any more.
  private mutating func drop(unwantedBy wanted: Wanted) -> [Action] {
    guard isWantedNew else { return [] }
    isWantedNew = false
    let targets = Dictionary(wanted.known.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return devices.sorted { $0.key.uuidString < $1.key.uuidString }.compactMap { id, device in
      guard case .waiting(let run) = device.phase, targets[id]?.model != device.model else {
        return nil
      }
      return cancel(run)
    }
  }

  private mutating func waitForKnown(_ wanted: Wanted) -> [Action] {
    wanted.known.compactMap { target in
      guard target.canConnect, !wanted.resting.contains(target.id),
        devices[target.id]?.phase == .idle
      else { return nil }
      devices[target.id]?.model = target.model
      let run = makeRun(for: target.id)
      devices[target.id]?.phase = .waiting(run)
      return .begin(run, .device(target.id, target.model))
    }
  }

  private mutating func makeRun(for target: UUID?, _ search: Search? = nil) -> RunID {
    lastRun += 1
    runs[lastRun] = Run(search: search, target: target)
    return lastRun
  }

  private mutating func scan(_ wanted: Wanted) -> [Action] {
    let search = search(wanted)
    if let scanRun {
      guard runs[scanRun]?.search != search else { return [] }
      return [cancel(scanRun)] + begin(search)
    }
    return begin(search)
  }

  private mutating func begin(_ search: Search?) -> [Action] {
    guard let search, scanRetry == nil else { return [] }
    let run = makeRun(for: nil, search)
    scanRun = run
    return [.begin(run, search)]
  }

  /// What only a scan can find: devices that are never connected, and those that are not known yet.
  private func search(_ wanted: Wanted) -> Search? {
    let known = wanted.known
    let broadcasters = known.filter { $0.model.broadcast != nil }
    let busy = wanted.resting.union(devices.filter { $0.value.phase != .idle }.keys)
    guard wanted.takesUnknown else {
      let idle = broadcasters.filter { !busy.contains($0.id) }
      guard !idle.isEmpty else { return nil }
      return .scan(idle.map(\.model).uniqued, only: Set(idle.map(\.id)), except: [])
    }
    // One that needs pairing would ask for it.
    let models = wanted.models.filter { $0.broadcast != nil || !$0.requiresPairing }
    guard !models.isEmpty else { return nil }
    let others = Set(known.filter { $0.model.broadcast == nil }.map(\.id))
    return .scan(models, only: nil, except: busy.union(others))
  }

  // MARK: - Listening for the end of broadcasting

  private mutating func listen(at now: Duration) -> [Action] {
    let quiet = devices.values.filter { if case .quiet = $0.phase { true } else { false } }
    guard !quiet.isEmpty, wanted != nil, radio == .on else {
      guard nextListening != nil else { return [] }
      nextListening = nil
      return [.stopListening]
    }
    guard nextListening.map({ now >= $0 }) ?? true else { return [] }
    nextListening = now + Self.listeningStep
    let filters = quiet.map(\.model.advertisementFilter)
    let hearsAll = filters.contains { $0.services.isEmpty }
    return [.listen(services: hearsAll ? nil : filters.flatMap(\.services).uniqued.sorted())]
  }
}
