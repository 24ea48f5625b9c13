// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
package import SantorioCore
import SantorioFiles

/// Reads devices for several patients, each of whom has a session of their own.
///
/// One central reads all devices. A device of one patient is read for that patient's session. One that
/// several patients share is read for a session of the hub's own that holds all of its readings; each
/// is handed to the session of the patient whom the device says that it is of, and one of whom that is
/// not known stays held until somebody decides.
package actor HubGateway {
  nonisolated let radio: HubRadio
  private nonisolated let transport = HubTransport()
  nonisolated let monotonicClock: MonotonicClock
  nonisolated let environment: [String: String]
  private nonisolated let version: String
  private nonisolated let since: Date
  /// The file of the configuration; nil where there is none to be read again.
  nonisolated let file: String?
  nonisolated let memory: HubMemory
  /// Changes of what is read, one after the other.
  nonisolated let changes = OrderedWork()
  /// Readings of the file, one after the other: what the last one finds is what holds.
  nonisolated let reloads = OrderedWork()
  private nonisolated let counting = OrderedWork()

  var configuration: HubConfiguration
  var assignments: HubAssignments
  /// The sessions by their aliases.
  var sessions: [String: HubSession] = [:]
  /// The pause in which no device is read; nil while there is none.
  var pause: HubPause?
  /// Whether no device is read any more, see ``drain()``.
  var isDraining = false
  /// Whether it was said that a pause cannot be kept.
  var isPauseWarned = false
  var publisher: HomeAssistantPublisher?
  var mqtt: HubStatus.Part?
  var brokerEvents: Task<Void, Never>?
  /// Whether it was said that another hub of this name is at the broker.
  var isNamesakeWarned = false
  /// Called for each record that the server has stored, with the patient's alias.
  var stored: (@Sendable (String, HealthRecord) -> Void)?
  /// Whether a device is being paired.
  var isEnrolling = false
  /// Those who wait for a reading of a device that needs a decision.
  var awaitedReadings: [UUID: (device: UUID, arrival: AsyncStream<Void>.Continuation)] = [:]
  /// Called when the configuration has changed, for what is not the gateway's.
  var reloaded: (@Sendable (HubConfiguration.Changes, HubConfiguration) -> Void)?
  /// The sessions of which something has changed that is counted.
  var changed: Set<String> = []
  private(set) var patients: [String: HubStatus.Patient] = [:]
  var counts = HubCounts()
  var outage = ServerOutage()
  private nonisolated let air = Locked(HubAir())
  private nonisolated let latest: Locked<HubMetrics>
  private nonisolated let events: AsyncStream<SessionEventOf>
  private nonisolated let tell: AsyncStream<SessionEventOf>.Continuation
  /// The number of each session, by which events of one that was closed are recognised.
  private var numbers: [String: Int] = [:]
  private var lastNumber = 0
  private var isStopping = false
  /// Whether readings of shared devices are to be handed out.
  var isHandOutAsked = false
  var isLooking = false
  /// For how long devices were listened for.
  var listening = ListeningTime()
  /// The time at which the status was last asked for.
  private var lastAsked: Duration?
  private var lock: FileLock?
  private var listener: DeviceListener?
  private var tasks: [Task<Void, Never>] = []
  private nonisolated let stopping = Locked(StopRequest())

  /// An event, and the alias and the number of its session.
  private struct SessionEventOf: Sendable {
    let alias: String
    let number: Int
    let event: HubSession.Event
  }

  /// How long a reading under way may take at the end, and an upload after it.
  package static let grace = Duration.seconds(20)
  /// How often is looked at what follows from time alone.
  private static let tick = Duration.seconds(10)
  private static let ticksAtRest = 6
  /// How often is listened for devices that are nobody's, and for how long.
  private static let listeningPause = Duration.seconds(60)
  private static let listeningTime = Duration.seconds(10)
  /// Among many strangers listening takes most of the processor's time: in this many pauses it is listened
  /// once, unless the status was asked for in the last ten minutes.
  private static let pausesAtRest = 5
  private static let attention = Duration.seconds(600)

  /// Makes a hub, which does nothing yet.
  ///
  /// - Parameters:
  ///   - configuration: What it is to do.
  ///   - file: Where that was read, to be read again; nil for nowhere.
  ///   - radio: The radio.
  ///   - environment: The environment of the process, which names systemd's credentials.
  ///   - version: The version of the program.
  /// - Throws: `SessionError` when its folder cannot be used.
  package init(
    _ configuration: HubConfiguration, file: String? = nil, radio: HubRadio,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    version: String = SantorioVersion.current
  ) throws(SessionError) {
    self.configuration = configuration
    self.file = file
    self.radio = radio
    self.environment = environment
    self.version = version
    monotonicClock = MonotonicClock(radio.clock)
    since = radio.now()
    let folder = URL(fileURLWithPath: configuration.folder, isDirectory: true)
    try Self.make(folder)
    if let stranded = StrandedSession(in: folder) {
      throw SessionError(.folderInUse, stranded.message)
    }
    lock = try Self.lock(folder)
    memory = try HubMemory(HubStore(configuration, radio, environment: environment))
    assignments = HubAssignments(configuration, memory.current)
    pause = memory.current.pause?.limited(at: radio.now())
    (events, tell) = AsyncStream.makeStream()
    latest = Locked(
      HubMetrics(
        status: HubStatus(
          name: configuration.name, version: version, since: since, at: since,
          adapter: HubStatus.Part(works: false, "not known yet"))))
  }

  private static func make(_ folder: URL) throws(SessionError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw SessionError(
        .storageFailed,
        "the folder \(folder.path) cannot be created: \(error.localizedDescription); create it for "
          + "the hub's user, or name another in \"folder\"")
    }
    guard !FolderPermissions.letOthersWrite(in: folder.path) else {
      throw SessionError(
        .storageFailed,
        "others may write in the hub's folder \(folder.path); run: chmod go-w \(folder.path)")
    }
  }

  /// Two hubs of one folder would forget each other's enrolments.
  private static func lock(_ folder: URL) throws(SessionError) -> FileLock {
    do throws(FileLock.Failure) {
      return try FileLock(
        folder.appendingPathComponent(".hub.lock").path, .exclusive, waiting: .seconds(5))
    } catch {
      throw SessionError(
        .folderInUse,
        error == .taken
          ? "another hub uses the folder \(folder.path); stop that one, or name another \"folder\""
          : "the folder \(folder.path) cannot be used: its lock cannot be taken (\(error))")
    }
  }

  // MARK: - Life

  /// Opens all sessions and reads from now on.
  package func start() async {
    let (air, radio) = (air, radio)
    listener = DeviceListener(on: radio.central) { event in
      air.withLock { $0.note(event, at: radio.now()) }
    }
    listening = ListeningTime(memory.current)
    noteStart()
    tasks = [
      Task { await self.follow() }, Task { await self.watch() }, Task { await self.listen() },
    ]
    await changes.add { await self.open() }.value
    await update()
    if pause != nil { HubLog.warn("reading is still paused") }
    HubLog.note(
      "hub started", .count("patients", configuration.patients.count),
      .count("devices", assignments.devices.count))
  }

  private func noteStart() {
    let now = radio.now()
    guard let before = try? memory.change({ $0.start(at: now) }) else { return }
    HubLog.warn(
      "the hub before this one was killed, crashed, or lost its power; it was begun some time ago",
      .seconds(.seconds(now.timeIntervalSince(before))))
  }

  private func noteEnd() {
    do throws(SessionError) {
      try memory.change { $0.runningSince = nil }
    } catch {
      HubLog.warn("the end of the hub cannot be noted", .error(error.code))
    }
  }

  private func open() async { await apply(configuration) }

  /// Ends: what is being read is read to its end, what is being sent is sent, and the rest waits on the
  /// disk for the next start.
  package func stop() async {
    HubLog.note("hub stopping")
    for task in tasks { task.cancel() }
    listener?.stop()
    isStopping = true
    noteListening()
    await changes.add { await self.close() }.value
    tell.finish()
    await publisher?.close()
    noteEnd()
    memory.close()
    lock = nil
    HubLog.note("hub stopped")
  }

  private func close() async {
    let all = Array(sessions.values)
    await withTaskGroup { group in
      for session in all { group.addTask { await session.stop(grace: Self.grace) } }
    }
    sessions = [:]
  }

  /// Asks for the end; ``untilStopRequested()`` returns then.
  package nonisolated func requestStop() { stopping.withLock { $0.request() } }

  /// Waits until somebody has asked for the end, or the task is cancelled.
  package nonisolated func untilStopRequested() async {
    let requests = AsyncStream<Void> { continuation in
      stopping.withLock { $0.add(continuation) }
    }
    for await _ in requests { return }
  }

  /// The metrics as they were a few seconds ago.
  package nonisolated var metrics: HubMetrics { latest.withLock { $0 } }

  // MARK: - Sessions

  /// Works by a configuration from now on; only to be called as one of ``changes``.
  func apply(_ new: HubConfiguration) async {
    guard !isStopping else { return }
    let owners = new.owners
    let assigned = HubAssignments(new, factsAfterSettling(new, owners))
    var wanted = new.patients.map { HubSessionSetup($0, of: new, environment: environment) }
    let shared = HubSessionSetup(sharedOf: new, environment: environment)
    // Readings may be held there of devices that are shared no longer.
    if !assigned.shared.isEmpty || shared.exists { wanted.append(shared) }
    // A device that changes hands must not be read for both, nor a reading be given to the former.
    await close(sessionsExcept: wanted, devices: assigned, patients: new.aliases)
    (configuration, assignments) = (new, assigned)
    air.withLock { $0.own = Set(assigned.devices.map(\.identifier)) }
    publisher?.setAssignments(shownPatients)
    guard !isStopping else { return }
    await open(wanted)
    await handOverBonds()
    for setup in wanted {
      await sessions[setup.alias]?.read(devices(of: setup.alias))
      changed.insert(setup.alias)
    }
    await takeMemories()
    askForHandOut()
    noteAssigned()
  }

  /// Takes what was set aside of devices whose memory the file asks for.
  private func takeMemories() async {
    for device in assignments.devices where device.takesMemory {
      for owner in device.owners { await takeOlder(of: device.identifier, for: owner) }
    }
  }

  /// What is known of the devices once it is noted whose they are.
  ///
  /// It holds for this process where it cannot be written: else a new patient would be given what a
  /// device has in its memory of the former one.
  private func factsAfterSettling(
    _ new: HubConfiguration, _ owners: [String: String]
  ) -> HubFacts {
    noteClock()
    let (assigned, now) = (HubAssignments(new, memory.current), radio.now())
    let named = Set(new.patients.flatMap(\.devices).map(\.identifier))
    let settle = { (facts: inout HubFacts) in
      facts.leaveToFile(named)
      facts.settleOwners(of: assigned, owners, at: now)
    }
    var facts = memory.current
    settle(&facts)
    do throws(SessionError) {
      try memory.change(settle)
    } catch {
      HubLog.warn("owners of devices not noted", .error(error.code))
    }
    return facts
  }

  /// Opens the session of shared devices, unless it is open; one of ``changes``.
  func openShared() async {
    let setup = HubSessionSetup(sharedOf: configuration, environment: environment)
    if sessions[setup.alias] == nil { await open([setup]) }
  }

  private func close(
    sessionsExcept wanted: [HubSessionSetup], devices assigned: HubAssignments,
    patients aliases: [String: String]
  ) async {
    let leaving = sessions.filter { !wanted.contains($0.value.setup) }
    await keepTaken(of: leaving.values)
    await keepUndecided(of: leaving, among: aliases)
    for alias in leaving.keys {
      (sessions[alias], patients[alias], numbers[alias]) = (nil, nil, nil)
    }
    let staying = sessions
    await withTaskGroup { group in
      for session in leaving.values { group.addTask { await session.stop(grace: Self.grace) } }
      for (alias, session) in staying {
        group.addTask {
          await session.leave(except: assigned.devices(readFor: alias))
        }
      }
    }
  }

  private func open(_ wanted: [HubSessionSetup]) async {
    let isPaused = pause != nil || isDraining
    await withTaskGroup { group in
      for setup in wanted where sessions[setup.alias] == nil {
        lastNumber += 1
        let (alias, number, tell) = (setup.alias, lastNumber, tell)
        let taken = { @Sendable [weak self] (logIDs: [String], device: UUID) in
          await self?.takenForOthers(logIDs, of: device, than: alias) ?? []
        }
        let session = HubSession(setup, radio, transport, taken: taken) { event in
          tell.yield(SessionEventOf(alias: alias, number: number, event: event))
        }
        (sessions[alias], numbers[alias]) = (session, number)
        changed.insert(alias)
        // What it reads is said when the bonds of all are known.
        group.addTask { await session.start(isPaused: isPaused) }
      }
    }
  }

  private func devices(of alias: String) -> [HubAssignments.Device] {
    assignments.devices(readFor: alias)
  }

  /// Lets each session know of bonds that another one has made: the machine has them.
  private func handOverBonds() async {
    let devices = Set(assignments.devices.map(\.identifier))
    var known: [String: [UUID: BondState]] = [:]
    for (alias, session) in sessions {
      known[alias] = await session.knownBonds().filter { device, bond in
        devices.contains(device) && bond.isUsable
      }
    }
    for (alias, session) in sessions {
      let others = known.filter { $0.key != alias }.values
      await session.note(others.reduce(into: [:]) { $0.merge($1) { $1 } })
    }
  }

  // MARK: - Events

  private func follow() async {
    for await event in events where numbers[event.alias] == event.number {
      await handle(event.event, of: event.alias)
    }
  }

  // MARK: - Time

  private func watch() async {
    var ticks = 0
    while (try? await monotonicClock.sleep(monotonicClock.now() + Self.tick)) != nil {
      ticks += 1
      // At rest, all sessions are asked for their devices once a minute.
      await update(looking: !changed.isEmpty || ticks.isMultiple(of: Self.ticksAtRest))
    }
  }

  /// Looks at what follows from time alone, and brings the status up to date.
  ///
  /// - Parameter looks: True where the devices are looked at, too.
  func update(looking looks: Bool = true) async {
    if let end = pause?.until, end <= radio.now() { _ = await resume() }
    keepPause()
    if noteClock() { changes.add { await self.open() } }
    await learnModels()
    askForHandOut()
    warnOfNamesake()
    if looks { await look() }
    await refresh()
  }

  /// Looks whether the machine's clock was set since the last time.
  ///
  /// - Returns: True if it was: the beginnings of ownerships have moved with it.
  @discardableResult
  func noteClock() -> Bool {
    guard let uptime = radio.uptime() else { return false }
    let now = radio.now()
    do throws(SessionError) {
      let step = try memory.change { $0.noteClock(uptime, at: now) }
      if let step { HubLog.warn("the clock was set", .count("seconds", Int(step))) }
      return step != nil
    } catch {
      HubLog.warn("the clock is not noted", .error(error.code))
      return false
    }
  }

  private func listen() async {
    var pauses = 0
    while !Task.isCancelled {
      if lacksModels
        || configuration.allow.unknownDevices == .offer && isListeningDue(after: pauses)
      {
        listener?.listen()
        try? await monotonicClock.sleep(monotonicClock.now() + Self.listeningTime)
        listener?.rest()
      }
      pauses += 1
      try? await monotonicClock.sleep(monotonicClock.now() + Self.listeningPause)
    }
  }

  private func isListeningDue(after pauses: Int) -> Bool {
    pauses.isMultiple(of: Self.pausesAtRest)
      || lastAsked.map { monotonicClock.now() - $0 < Self.attention } ?? false
  }

  /// Notes that a person or a program looks at the hub.
  func noteAsked() { lastAsked = monotonicClock.now() }

  private var lacksModels: Bool { assignments.devices.contains { $0.model == nil } }

  /// Notes what devices are that the file names without their model.
  private func learnModels() async {
    let unknown = assignments.devices.filter { $0.model == nil }.map(\.identifier)
    let found = air.withLock { air in
      unknown.compactMap { device in air.model(of: device).map { (device, $0) } }
    }
    guard !found.isEmpty else { return }
    do throws(SessionError) {
      try memory.change { facts in for (device, model) in found { facts.learn(model, of: device) } }
    } catch {
      return HubLog.warn("models not noted", .error(error.code))
    }
    changes.add { await self.open() }
  }

  // MARK: - Status

  /// Whether devices are listened for now.
  var isListening: Bool {
    pause == nil && !isDraining && air.withLock { $0.isOn }
  }

  /// When a device was last heard, by any session or by nobody's search.
  func lastHeard(_ device: UUID) -> Date? { air.withLock { $0.lastHeard(device) } }

  /// Brings the counts of the sessions up to date of which something has changed.
  func refresh() async {
    guard configuration.metrics != nil else { return await recount() }
    let metrics = await makeMetrics()
    latest.withLock { $0 = metrics }
  }

  /// One after the other: who asks while others are counted gets what they count, too.
  private func recount() async {
    await counting.add { await self.recountNow() }.value
  }

  private func recountNow() async {
    let stale = changed
    changed = []
    for alias in stale {
      guard let session = sessions[alias] else { continue }
      await declineTaken(of: alias)
      guard let counts = await session.counts(among: configuration.aliases, memory.current) else {
        // It is still being opened, or waits to be tried again.
        changed.insert(alias)
        continue
      }
      // It may have been closed meanwhile, and the alias be another's.
      if sessions[alias] === session { patients[alias] = counts }
    }
  }

  private func makeMetrics() async -> HubMetrics {
    var metrics = HubMetrics(status: await status())
    (metrics.readings, metrics.readFailures) = (counts.readings, counts.readFailures)
    metrics.deviceNames = counts.deviceNames
    let facts = memory.current
    (metrics.starts, metrics.unexpectedEnds) = (facts.starts, facts.unexpectedEnds)
    (metrics.uploads, metrics.uploadFailures) = (counts.uploads, counts.uploadFailures)
    return metrics
  }

  /// Read the status.
  package func status() async -> HubStatus {
    await recount()
    let now = radio.now()
    let (unknown, adapter) = air.withLock { air in
      (air.unknown.list(without: assignments, at: now), air.adapter(named: radio.name))
    }
    var all: [HubStatus.Patient] = []
    for alias in configuration.patients.map(\.alias) { all.append(await patient(alias)) }
    let shared = HubSessionSetup.sharedAlias
    if sessions[shared] != nil { all.append(await patient(shared)) }
    return HubStatus(
      name: configuration.name, version: version, since: since, at: now, reading: reading,
      adapter: adapter, mqtt: brokerPart, patients: all,
      unknown: configuration.allow.unknownDevices == .offer ? unknown : [])
  }

  private func patient(_ alias: String) async -> HubStatus.Patient {
    var patient =
      patients[alias] ?? HubStatus.Patient(alias: alias, upload: HubSession.notOpenYet)
    patient.devices = await devices(of: alias, sessions[alias])
    guard let session = sessions[alias] else { return patient }
    let upload = await session.uploadPart()
    // What was not counted yet is not shown as if there were nothing.
    if patients[alias] != nil || !upload.works { patient.upload = upload }
    return patient
  }

  private var reading: HubStatus.Reading {
    pause.map { .paused(until: $0.until) } ?? .on
  }

  /// The devices that are the patient's by now, also those that the session does not read yet.
  private func devices(of alias: String, _ session: HubSession?) async -> [HubStatus.Device] {
    let facts = memory.current
    let assigned = devices(of: alias)
    let all =
      await session?.status(of: assigned) ?? assigned.map { HubSession.status(of: $0, nil, nil) }
    return all.map { device in
      var device = device
      let heard = [device.lastSeen, lastHeard(device.identifier)].compactMap(\.self).max()
      device.lastSeen = heard ?? facts[device.identifier]?.lastHeard
      device.batteryPercent = facts[device.identifier]?.batteryPercent
      return device
    }
  }
}

/// Those who wait for the end.
private struct StopRequest: Sendable {
  private var isRequested = false
  private var waiting: [AsyncStream<Void>.Continuation] = []

  mutating func request() {
    isRequested = true
    for continuation in waiting { continuation.finish() }
    waiting = []
  }

  mutating func add(_ continuation: AsyncStream<Void>.Continuation) {
    guard !isRequested else { return continuation.finish() }
    waiting.append(continuation)
  }
}
