// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency
import SantorioCore

/// Runs one operation: feeds it with events and carries out its actions.
final class OperationEngine: @unchecked Sendable {
  let id = UUID()
  /// Whether nobody has asked for it at this moment.
  let isPassive: Bool
  /// The devices that passive reading leaves to it.
  let selection: DeviceSelection
  /// Which one it is on its central, in the order of their beginnings.
  var number = 0
  private let central: BluetoothCentral
  private let receiver: BluetoothReceiver
  private let monotonicClock: MonotonicClock
  // All that changes is touched on the central's queue only.
  private var operation: OperationBox?
  private var reports: AsyncStream<Reports>.Continuation?
  /// The session for which the device is read, if there is one.
  private var sessionNumber: Int64?
  private var link: Link?
  private var isCancelled = false
  /// How its device has sent readings; nil when it has sent none.
  private(set) var taken: PassiveReading.Sending?
  private var lastUsed: (device: UUID, model: DeviceModel)?
  private lazy var timer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.handle(.timeReached)
  }
  /// The time that the operation is told.
  private var deviceTime = DeviceTime()
  private lazy var hearingTimer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.hearsAgain()
  }
  private var watches: [NotificationWatch] = []
  /// Ends the time in which the process is not suspended, while there is one.
  private var endTime: BackgroundTime.End?
  /// How often there was one.
  private var grants = 0
  private lazy var lastTimer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.releaseBackgroundTime()
  }
  /// How many answers are awaited from the disk: simulated time must not pass meanwhile.
  private(set) var answersAwaited = 0
  /// The events that wait for their turn.
  private var events: [PeripheralOperation.Event] = []
  private var isHandling = false

  /// What an operation reports after one event, and when.
  struct Reports: Sendable {
    let reports: [PeripheralOperation.Report]
    let date: Date

    fileprivate var haveReadings: Bool {
      reports.contains { if case .reading = $0 { true } else { false } }
    }
  }

  init(
    on central: BluetoothCentral, for receiver: BluetoothReceiver, isPassive: Bool = false,
    using selection: DeviceSelection = .any
  ) {
    self.isPassive = isPassive
    self.selection = selection
    self.central = central
    self.receiver = receiver
    // Suspended, an app hears nothing of a device: that time is not the device's.
    monotonicClock = MonotonicClock(awakeTimeOf: receiver.settings.clock)
    watchApp()
  }

  private var queue: DispatchQueue { central.queue }

  /// The device that it has, or had, and what it is.
  var used: (device: UUID, model: DeviceModel)? { operation?.operation.used ?? lastUsed }

  /// The device to whose advertisements the operation listens, without a connection.
  var broadcaster: UUID? { operation?.operation.search.broadcaster?.id }

  /// Begins the operation that is made, for the present instant, on the central's queue.
  ///
  /// The stream ends with its end. No device is asked for anything once the session has ended.
  func begin(
    inSession number: Int64?, _ make: @escaping @Sendable (Duration) -> OperationBox
  ) -> AsyncStream<Reports> {
    AsyncStream { continuation in
      queue.async { [self] in
        reports = continuation
        sessionNumber = number
        operation = make(time.elapsed)
        guard !isCancelled else { return handle(.cancelRequested) }
        setTimer()
        central.begin(self)
      }
    }
  }

  /// Asks for the end; before the beginning, the radio is not touched then.
  ///
  /// - Parameter evenConnected: Whether also when it has its device.
  func cancel(evenConnected: Bool = true) {
    queue.async { [self] in
      guard evenConnected || operation?.operation.device == nil else { return }
      isCancelled = true
      handle(.cancelRequested)
    }
  }

  /// Answers whether all readings so far are on disk.
  func confirmStorage(_ answer: PeripheralOperation.Event) {
    queue.async { [self] in handle(answer) }
  }

  /// The readings that were reported are on disk, as far as they can be.
  func stored(_ reports: Reports) {
    guard reports.haveReadings else { return }
    queue.async { [central] in central.storing -= 1 }
  }

  /// Takes an event, on the central's queue.
  ///
  /// Some actions are answered while they are carried out; the answers wait until all actions of
  /// the event before have been.
  func handle(_ event: PeripheralOperation.Event) {
    guard operation != nil else { return }
    if event.isAnswer { answersAwaited -= 1 }
    events.append(event)
    if !isHandling { handleNext() }
  }

  private func handleNext() {
    guard !events.isEmpty else { return }
    isHandling = true
    let event = events.removeFirst()
    SantorioLogging.shared.log(.bluetooth, "event handled")
    let actions = operation?.operation.handle(event, at: time) ?? []
    if actions.contains(where: \.isReading) {
      SantorioLogging.shared.log(.bluetooth, "reading decoded")
    }
    setTimer()
    holdBackgroundTime()
    var reports: [PeripheralOperation.Report] = []
    for action in actions {
      if action.isQuestion { answersAwaited += 1 }
      if case .report(.reading(let reading)) = action { note(reading) }
      if case .report(let report) = action { reports.append(report) } else { perform(action) }
    }
    isHandling = false
    send(reports)
    // In a turn of its own: a driver that asks for ever must not keep a cancellation or the end of
    // the time out.
    if !events.isEmpty { queue.async { [self] in handleNext() } }
  }

  private func note(_ reading: DeviceReading) {
    taken = reading.clock == nil || taken == .withoutTime ? .withoutTime : .withTime
  }

  /// Whether nobody has asked for it, and it was ended all the same while it had its device, which may
  /// have more.
  var isCutShort: Bool { isPassive && isCancelled }

  private var time: DriverTime {
    let date = receiver.settings.now()
    return DriverTime(
      elapsed: deviceTime.elapsed(at: monotonicClock.now()),
      secondsSince1970: date.timeIntervalSince1970,
      utcOffsetSeconds: receiver.settings.timeZone().secondsFromGMT(for: date))
  }

  private func setTimer() {
    timer.set(operation?.operation.deadline.flatMap { deviceTime.clockTime(of: $0) })
  }

  private func perform(_ action: PeripheralOperation.Action) {
    switch action {
    case .retrieveKnown(let devices): handle(.retrievedKnown(central.retrieveKnown(devices)))
    case .retrieveConnected(let services):
      handle(.retrievedConnected(central.retrieveConnected(services, for: id)))
    case .scan(let services, let allowsDuplicates):
      central.scan(services, allowsDuplicates: allowsDuplicates, for: id)
    case .stopScan: central.stopScan(for: id)
    case .connect(let device): central.connect(device, for: id)
    case .disconnect(let device):
      link?.giveUpWrite()
      central.disconnect(device, for: id)
    case .discoverServices(let services, let device):
      link = central.link(to: device, monotonicClock) { [weak self] in self?.handle($0) }
      link?.discoverServices(services)
      link?.replay(central.takeEarlyValues(of: device))
    case .discoverCharacteristics(let characteristics, let service):
      link?.discoverCharacteristics(characteristics, service)
    case .request(let request): link?.perform(request)
    case .retrieveDeviceState(let device): retrieveState(of: device)
    case .report: break
    }
  }

  private func retrieveState(of device: UUID) {
    Task { [self, sessionNumber] in
      let event = await receiver.state(of: device, inSession: sessionNumber)
      queue.async { [self] in handle(event) }
    }
  }

  private func send(_ reports: [PeripheralOperation.Report]) {
    guard !reports.isEmpty else { return }
    let report = Reports(reports: reports, date: receiver.settings.now())
    if report.haveReadings, self.reports != nil { central.storing += 1 }
    self.reports?.yield(report)
    guard case .ended = reports.last else { return }
    self.reports?.finish()
    self.reports = nil
    lastUsed = operation?.operation.used
    if let lastUsed, let early = operation?.operation.earlyValues, !early.isEmpty {
      central.keep(early, of: lastUsed.device)
    }
    operation = nil
    link = nil
    events = []
    timer.set(nil)
    central.end(self)
  }
}

// MARK: - In the background

extension OperationEngine {
  /// How long the system may take, in the foreground, to report what it has kept back.
  private static let reportingTime = Duration.seconds(1)

  /// Without the background mode the system may keep back, until the foreground, what it takes from
  /// a device: that nothing is heard does not mean then that the device has nothing more to send.
  private func watchApp() {
    guard !receiver.settings.backgroundTime.wakesForDevices else { return }
    let center = receiver.settings.notificationCenter
    watches = [
      NotificationWatch(.appEnteredBackground, in: center) { [weak self] in
        self?.appChanged(isForeground: false)
      },
      NotificationWatch(.appEntersForeground, in: center) { [weak self] in
        self?.appChanged(isForeground: true)
      },
    ]
  }

  private func appChanged(isForeground: Bool) {
    queue.async { [self] in
      let now = monotonicClock.now()
      hearingTimer.set(isForeground ? now + Self.reportingTime : nil)
      guard !isForeground else { return }
      deviceTime.stop(at: now)
      setTimer()
    }
  }

  private func hearsAgain() {
    deviceTime.goOn(at: monotonicClock.now())
    setTimer()
  }

  /// How long an operation that is interrupted may take to store what it has.
  private static let lastTime = Duration.seconds(1)

  /// Keeps the process from being suspended, from the connection until all is stored.
  private func holdBackgroundTime() {
    guard endTime == nil, operation?.operation.device != nil else { return }
    grants += 1
    let number = grants
    // What the device sends is stored in one file, and not in one that is opened each time.
    if let session = receiver.session { Task { await session.keepFileOpen() } }
    endTime = receiver.settings.backgroundTime.begin { [weak self] in
      guard let self else { return }
      queue.async { self.backgroundTimeExpired(number) }
    }
  }

  private func backgroundTimeExpired(_ number: Int) {
    guard number == grants, endTime != nil else { return }
    // Where the next event of the device wakes the process, the reading goes on with that.
    if !receiver.settings.backgroundTime.wakesForDevices { handle(.backgroundTimeExpired) }
    // What is being stored has the last second.
    lastTimer.set(monotonicClock.now() + Self.lastTime)
  }

  private func releaseBackgroundTime() {
    lastTimer.set(nil)
    guard let end = endTime else { return }
    endTime = nil
    guard let session = receiver.session else { return end() }
    Task {
      // A suspended app that has a file of an app group open is ended.
      await session.letFileClose()
      end()
    }
  }

  /// All that was read is stored.
  func endBackgroundTime() { queue.async { [self] in releaseBackgroundTime() } }
}

extension PeripheralOperation.Action {
  fileprivate var isReading: Bool { if case .report(.reading) = self { true } else { false } }

  /// Whether the disk is asked, which answers with an event.
  fileprivate var isQuestion: Bool {
    switch self {
    case .retrieveDeviceState, .report(.confirmStorage): true
    default: false
    }
  }
}

extension PeripheralOperation.Event {
  /// Whether this is the disk's answer.
  fileprivate var isAnswer: Bool {
    switch self {
    case .deviceState, .deviceStateUnread, .stored, .notStored, .keptForOthers: true
    default: false
    }
  }
}

extension BluetoothReceiver {
  /// What a driver is told of a device, as an event.
  fileprivate func state(
    of device: UUID, inSession number: Int64?
  ) async -> PeripheralOperation.Event {
    do throws(SessionError) {
      // What it sent could not be stored, and it may forget that.
      if let session, try await session.requiredOwner().number != number {
        throw SessionError.otherSession
      }
      var state = try await devices.state(of: device)
      state.secrets = try secrets.secrets(of: device)
      state.user = settings.user
      return .deviceState(device, state)
    } catch {
      return .deviceStateUnread(BluetoothError(storing: error))
    }
  }
}

/// Holds an operation, which cannot be copied and so not be optional before iOS 18.
final class OperationBox: @unchecked Sendable {
  // Touched on the central's queue only, once it has begun.
  var operation: PeripheralOperation

  init(_ operation: consuming PeripheralOperation) { self.operation = operation }
}
