// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore

/// One patient's session, and the reading of the devices that are the patient's alone; or the session
/// of the devices that several patients share, in which all readings are held.
actor HubSession {
  /// What a session tells the hub.
  enum Event: Sendable {
    case passive(PassiveEvent)
    /// The server has stored a record.
    case stored(HealthRecord)
    /// A record was refused for good, or something else has changed that is counted.
    case changed
    /// A request was in vain.
    case uploadFailed(SessionError.Code)
    /// It could not be opened, or was ended.
    case closed
  }

  /// By what a session is opened: another one is opened where that changes.
  nonisolated let setup: HubSessionSetup
  private let radio: HubRadio
  private let transport: HubTransport
  private let monotonicClock: MonotonicClock
  /// Names those of some readings of a device that were taken for other patients.
  private let taken: @Sendable ([String], UUID) async -> Set<String>
  private let tell: @Sendable (Event) -> Void
  private(set) var session: SantorioSession?
  private(set) var receiver: BluetoothReceiver?
  private var manager: BluetoothPassiveManager?
  /// Why the upload does not run; nil while it does.
  private(set) var uploadProblem: SessionError?
  /// The error for which the upload waits, as it was reported to the hub; nil if none was.
  private var reportedError: SessionError?
  /// Why there is no session, and what to do.
  private(set) var problem: String?
  /// Why nothing can be sent for want of a token, and what to do.
  private(set) var tokenProblem: String?
  /// Why no device is read, and what to do.
  private(set) var readingProblem: String?
  private(set) var devices: [HubAssignments.Device] = []
  /// False until the hub has said what is read: until then, what an earlier process has noted stays.
  private var isAssigned = false
  /// Takes exports of the patient's iPhone; nil without a folder for them.
  nonisolated let exports: HealthExportTaker?
  /// Why single devices cannot be read.
  private(set) var obstacles: [UUID: String] = [:]
  /// How far the clocks of devices were off, as far as it was looked up; none was ever read of some.
  private var clocks: [UUID: MeasuredClock?] = [:]
  private var isPaused = false
  private var isStopped = false
  private var work: Task<Void, Never>?
  private var retry: Task<Void, Never>?
  /// Changes of what is read, one after the other.
  private nonisolated let changes = OrderedWork()
  /// True where a bond was learnt since its devices were assigned.
  private var hasNewBond = false
  /// What other sessions of this hub know of the bonds with devices that come from them.
  private var bonds: [UUID: BondState] = [:]
  private var bondsShown: [UUID: BondState]?

  /// How long to wait before something is tried again that has failed.
  private static let retryPause = Duration.seconds(30)
  /// How long to wait between two looks into the folder of exports.
  private static let exportPause = Duration.seconds(30)

  init(
    _ setup: HubSessionSetup, _ radio: HubRadio, _ transport: HubTransport,
    taken: @escaping @Sendable ([String], UUID) async -> Set<String> = { _, _ in [] },
    tell: @escaping @Sendable (Event) -> Void
  ) {
    self.setup = setup
    (self.radio, self.transport) = (radio, transport)
    (self.taken, self.tell) = (taken, tell)
    exports = setup.exports(radio)
    monotonicClock = MonotonicClock(radio.clock)
  }

  // MARK: - From the hub

  /// Opens the session; where that fails, it is tried again until it is stopped.
  ///
  /// It reads what it is told to by ``read(_:)``.
  func start(isPaused: Bool) async {
    self.isPaused = isPaused
    await open()
    guard !isStopped else { return }
    work = Task { await run() }
  }

  /// Reads these devices from now on, and no others.
  func read(_ devices: [HubAssignments.Device]) async {
    guard devices != self.devices || hasNewBond || !isAssigned else { return }
    (isAssigned, hasNewBond) = (true, false)
    let leaving = Set(self.devices.map(\.identifier)).subtracting(devices.map(\.identifier))
    self.devices = devices
    await readDevices()
    // What they send from now on is another's.
    await manager?.endReading(of: leaving)
  }

  /// Reads none of its devices any more that are not among some.
  func leave(except staying: [HubAssignments.Device]) async {
    if isAssigned { await read(devices.filter(staying.contains)) }
  }

  /// Reads its devices and no others, also where another one was paired for it meanwhile.
  func readAgain() async { await readDevices() }

  /// Reads no device until it is resumed; what is being read is still read to its end.
  func pause() async {
    isPaused = true
    await readDevices()
  }

  func resume() async {
    isPaused = false
    await readDevices()
  }

  /// Ends everything; what waits for the server stays on the disk.
  ///
  /// - Parameter grace: How long a reading under way, and then an upload, may take.
  func stop(grace: Duration) async {
    (isStopped, isPaused) = (true, true)
    retry?.cancel()
    await readDevices()
    let end = monotonicClock.now() + grace
    await wait(until: end) { await self.isReading }
    await wait(until: end) { self.isSending }
    work?.cancel()
    await work?.value
    (session, receiver, manager) = (nil, nil, nil)
  }

  private func wait(until end: Duration, while isBusy: () async -> Bool) async {
    while monotonicClock.now() < end, await isBusy() {
      guard (try? await monotonicClock.sleep(monotonicClock.now() + .milliseconds(100))) != nil
      else { return }
    }
  }

  private var isReading: Bool {
    get async { await manager?.status().devices.contains { $0.state == .reading } ?? false }
  }

  private var isSending: Bool { setup.sends && session?.uploadState == .uploading }

  // MARK: - The session

  private func open() async {
    do throws(HubSessionFailure) {
      let session = try await setup.open(radio, transport)
      guard !isStopped else { return }
      self.session = session
      problem = nil
      // It may still have the one of an earlier start.
      let hasToken = (try? await session.user()) != nil
      tokenProblem = hasToken ? nil : setup.tokenProblem
      var settings = setup.settings(radio)
      settings.takenForOthers = taken
      let receiver = BluetoothReceiver(session: session, settings: settings)
      self.receiver = receiver
      manager = BluetoothPassiveManager(for: receiver, on: radio.central)
    } catch {
      if error.description != problem {
        HubLog.failed("session not opened", setup.alias, error.code)
      }
      close(for: error.description)
    }
  }

  private func close(for reason: String) {
    (session, receiver, manager) = (nil, nil, nil)
    problem = reason
    tell(.closed)
  }

  private func run() async {
    while !Task.isCancelled {
      if let session, let manager {
        await serve(session, manager)
        guard !Task.isCancelled else { return }
        HubLog.failed("session ended", setup.alias, "ended")
        close(
          for: "The session has ended. \(HubSessionSetup.refusal). No device is read. "
            + HubSessionSetup.remedy)
      }
      guard await sleepBeforeRetry() else { return }
      if session == nil { await open() }
    }
  }

  private func sleepBeforeRetry() async -> Bool {
    (try? await monotonicClock.sleep(monotonicClock.now() + Self.retryPause)) != nil
  }

  /// Reads and sends until the session ends or the task is cancelled.
  private func serve(_ session: SantorioSession, _ manager: BluetoothPassiveManager) async {
    let (passive, events) = (manager.events, session.events)
    await readDevices()
    await withTaskGroup { group in
      group.addTask { [tell] in
        for await event in passive {
          await self.noteRead(event)
          tell(.passive(event))
        }
      }
      if let exports { group.addTask { await self.take(exports, for: session) } }
      if setup.sends {
        group.addTask { await self.upload(session) }
        group.addTask { await self.watchUpload(of: session) }
      }
      group.addTask { [tell, setup] in
        for await event in events {
          switch event {
          case .recordSubmitted(let record, _):
            await self.noteStored()
            tell(.stored(record))
          // That of an earlier session may be told late.
          case .sessionEnded where await setup.hasEnded(session): return
          default: tell(.changed)
          }
        }
      }
      // The end of the session, or of this task.
      while await group.next() != nil {
        if await setup.hasEnded(session) { break }
      }
      group.cancelAll()
    }
    await manager.pause()
  }

  private func upload(_ session: SantorioSession) async {
    while !Task.isCancelled {
      do throws(SessionError) {
        uploadProblem = nil
        try await session.run()
        return
      } catch {
        if error != uploadProblem {
          HubLog.failed("upload not possible", setup.alias, error.code.name)
        }
        uploadProblem = error
        tell(.uploadFailed(error.code))
      }
      guard await sleepBeforeRetry() else { return }
    }
  }

  /// Requests another attempt to send, unless the queue does not wait for the server any more.
  ///
  /// An upload under way may have begun before the server was back. If it fails, the requested attempt
  /// follows at once, and not after the full wait.
  ///
  /// - Returns: False if the queue does not wait for the server any more.
  func sendAgain() -> Bool {
    guard let session else { return false }
    switch session.uploadState {
    case .uploading: break
    case .waiting(let error):
      guard error.code == .serverUnreachable || error.code == .serverBusy else { return false }
    // The upload starts again by itself.
    case .stopped: return true
    case .idle: return false
    }
    session.processQueue()
    return true
  }

  /// Looks for exports of the patient's iPhone, except during a pause.
  private func take(_ exports: HealthExportTaker, for session: SantorioSession) async {
    while !Task.isCancelled {
      if !isPaused {
        await exports.look(for: session)
        tell(.changed)
      }
      let next = monotonicClock.now() + Self.exportPause
      guard (try? await monotonicClock.sleep(next)) != nil else { return }
    }
  }

  /// Reports each change of the error for which the upload waits.
  private func watchUpload(of session: SantorioSession) async {
    reportedError = nil
    for await state in session.uploadStates {
      switch state {
      case .waiting(let error):
        if error != reportedError { tell(.uploadFailed(error.code)) }
        reportedError = error
      case .idle: reportedError = nil
      case .stopped, .uploading: break
      }
    }
  }

  /// Notes that the server has stored a record, so that the next failure is reported in any case.
  private func noteStored() { reportedError = nil }

  // MARK: - Reading

  /// Reads what is to be read now, after all that was asked before.
  private func readDevices() async {
    await changes.add { await self.readNow() }.value
  }

  private func readNow() async {
    defer { bondsShown = nil }
    guard let receiver, let manager else { return }
    if isPaused { await manager.pause() }
    guard !isStopped, isAssigned else { return }
    var assignments: [DeviceAssignment] = []
    obstacles = [:]
    for device in devices {
      guard let model = device.entry else { continue }
      if let error = receiver.obstacle(to: model) {
        obstacles[device.identifier] = error.message
        continue
      }
      assignments.append(assignment(of: device, model, receiver))
    }
    do throws(BluetoothError) {
      // Also while it reads none: a device may be paired meanwhile that is another patient's now.
      try await receiver.assign(assignments)
      if !isPaused {
        try await manager.setPeripherals(assignments.map(\.model).distinct, devices: .enrolled)
      }
      readingProblem = nil
    } catch {
      HubLog.failed("devices not read", setup.alias, error.code.name)
      readingProblem = "No device is read: \(error.message)"
      readLater()
    }
  }

  private func readLater() {
    retry?.cancel()
    retry = Task {
      guard await sleepBeforeRetry() else { return }
      // Not with this task, which the next failure cancels.
      Task { await readDevices() }
    }
  }

  private func assignment(
    of device: HubAssignments.Device, _ model: DeviceModel, _ receiver: BluetoothReceiver
  ) -> DeviceAssignment {
    let owner = setup.isShared ? nil : device.owners.first
    // Of a shared device the latest one, after which it has to be read to its end once more.
    let beginning =
      setup.isShared
      ? device.owners.compactMap(\.since).max { $0.date < $1.date } : owner?.since
    for (key, secret) in [
      (PeripheralDataKey.bindKey, device.bindKey), (.encryptionKey, device.encryptionKey),
    ] {
      guard let secret else { continue }
      do {
        try receiver.setSecret(
          try secret.read(environment: setup.environment), key, for: device.identifier)
      } catch {
        obstacles[device.identifier] = "Its key cannot be used: \(error)"
      }
    }
    return DeviceAssignment(
      identifier: device.identifier, model: model,
      slot: owner?.label.flatMap { model.slot(labeled: $0) },
      bond: bonds[device.identifier] ?? .none, beginning: beginning)
  }

  /// Takes over what other sessions know of the bonds with devices.
  func note(_ known: [UUID: BondState]) {
    hasNewBond =
      hasNewBond
      || devices.contains { device in
        known[device.identifier].map { $0 != bonds[device.identifier] } ?? false
      }
    bonds.merge(known) { $1 }
    bondsShown = nil
  }

  /// What this session knows of the bonds with devices.
  func knownBonds() async -> [UUID: BondState] { (try? await receiver?.bonds()) ?? [:] }

  /// The same, read from the file only after something has happened with a device; nil where it cannot be.
  func bondsToShow() async -> [UUID: BondState]? {
    if bondsShown == nil { bondsShown = try? await receiver?.bonds() }
    return bondsShown
  }

  private func noteRead(_ event: PassiveEvent) async {
    if case .stateChanged = event { return }
    bondsShown = nil
    if case .read(_, _, let device) = event { await lookUpClock(of: device) }
  }

  /// What is known of the bond with a device; nil without a session.
  func bond(with device: UUID) async -> BondState? {
    try? await receiver?.bond(with: device)
  }

  /// By how many seconds the clock of a device was ahead when it was read last.
  func clockDrift(of device: UUID) async -> Double? {
    if clocks[device] == nil { await lookUpClock(of: device) }
    return clocks[device]??.driftSeconds
  }

  private func lookUpClock(of device: UUID) async {
    guard let receiver else { return }
    clocks[device] = .some((try? await receiver.clock(of: device)) ?? nil)
  }

  /// The state of passive reading; nil without a session.
  func passiveStatus() async -> PassiveStatus? { await manager?.status() }
}

extension [DeviceModel] {
  /// Each of them once.
  fileprivate var distinct: [DeviceModel] {
    var known: Set<Int> = []
    return filter { known.insert($0.id).inserted }
  }
}
