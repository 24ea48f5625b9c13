// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import SantorioConcurrency
import SessionTesting
import TestSupport
import VirtualDevices

@testable import SantorioBluetooth
@testable import SantorioCore

/// What a phone's system does to an app.
///
/// It suspends, wakes and ends it, carries out its uploads, and locks its keys. One task drives it.
final class PhoneSystem: @unchecked Sendable {
  /// What the system forbids, for which it ends an app.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// The app settles its uploads, for which the system has woken it.
  private struct Handling {
    let begin: Duration
    let isOver = Locked(false)
  }

  /// The longest background time, and the time in which it has to be given back.
  private static let longestTime = Duration.seconds(30)
  private static let lastTime = Duration.seconds(5)
  private static let longestHold = Duration.seconds(10)
  private static let step = Duration.milliseconds(50)

  let air = SimulatedRadioEnvironment(seed: 1)
  let daemon: TransferDaemon
  let grants = TimeGrants()
  let notifications = NotificationCenter()
  let application: SimulatedApplication
  let modes: SimulatedBackgroundModes
  let now: @Sendable () -> Date
  private let deviceHost: SimulatedHost
  private let device: VirtualDevice
  private let installation: AppInstallation
  private let folders: TemporaryFolder
  private let measurements: Locked<Int>
  // What follows is touched by the driving task only.
  private(set) var launch: AppLaunch?
  private var folderNumber = 0
  private var ended: [AppLaunch] = []
  private var isForeground = false
  private(set) var isLocked = false
  private var heldSince: Duration?
  private var hasExpired = false
  private var diskHeldSince: Duration?
  private var handling: Handling?

  init(
    _ installation: AppInstallation, connectionInterval: Duration, _ model: VirtualDeviceModel,
    modes: SimulatedBackgroundModes,
    server: @escaping TransferDaemon.Server
  ) throws {
    self.installation = installation
    self.modes = modes
    folders = try TemporaryFolder()
    daemon = TransferDaemon(isAutomatic: false, server: server)
    let (air, measurements) = (air, Locked(model.readingCount))
    self.measurements = measurements
    // A minute passes with each measurement, so that no two show the same time.
    now = {
      Date(timeIntervalSince1970: 1_774_785_600)
        .addingTimeInterval(air.clock.now.elapsed / .seconds(1))
        .addingTimeInterval(Double(measurements.withLock { $0 }) * 60)
    }
    let phone = air.makeHost(named: "Phone")
    application = phone.makeApplication(named: "App", backgroundModes: modes)
    let host = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 2))
    deviceHost = host
    host.link.connectionInterval = connectionInterval
    host.link.packetsPerInterval = 1
    var settings = VirtualDevice.Settings()
    settings.zone = { .gmt }
    settings.now = now
    settings.clock = air.clock
    settings.isConnected = { host.connectedPeers.contains($0) }
    device = VirtualDevice(model, settings: settings, managerOptions: host.managerOptions)
    device.switchOn()
    application.state = .terminated
  }

  /// How many readings the device has had.
  var measured: Int { measurements.withLock { $0 } }

  private var elapsed: Duration { air.clock.now.elapsed }

  // MARK: - The device

  func measure() {
    measurements.withLock { $0 += 1 }
    device.measure()
  }

  var isInRange: Bool {
    get { deviceHost.position.x < 100 }
    set { deviceHost.position = SimulatedPosition(x: newValue ? 2 : 10_000) }
  }

  /// Pairs the device with the open app, which reads it passively from then on.
  func beginPassiveReading() async throws {
    guard let launch else { return }
    device.enterPairingMode()
    let isDone = Locked(false)
    let setting = Task {
      defer { isDone.withLock { $0 = true } }
      try await launch.beginPassiveReading()
    }
    while !isDone.withLock({ $0 }) { try await pass(Self.step) }
    try await setting.value
  }

  // MARK: - The user

  /// Opens the app; the phone has to be unlocked for that.
  func open() async throws {
    unlock()
    if launch == nil { start(in: .foreground) }
    isForeground = true
    application.state = .foreground
    if let launch { wake(launch) }
    notifications.post(name: .appEntersForeground, object: nil)
    launch?.becameActive()
    try await pass(Self.step)
  }

  func leave() {
    guard isForeground, let launch else { return }
    isForeground = false
    application.state = .background
    notifications.post(name: .appEnteredBackground, object: nil)
    launch.enteredBackground()
  }

  /// Closes the app: the system does nothing more for it.
  func close() async throws {
    daemon.forceQuit()
    try await end { application.forceQuit() }
  }

  /// Restarts the phone, which then is locked.
  func restart() async throws {
    try await kill()
    isLocked = true
  }

  func unlock() {
    guard isLocked else { return }
    isLocked = false
    launch?.isLocked = false
    if let name = RetryTrigger.unlock.notification { notifications.post(name: name, object: nil) }
  }

  // MARK: - The system

  /// Whether it would lose, if it ended the app, what the device believes to be stored.
  var wouldLose: Bool {
    guard let launch else { return false }
    // What it keeps back from an app without the background mode, nobody else gets.
    let isKeptBack = launch.isReading && !isForeground && !modes.contains(.central)
    return grants.isHeld(by: launch.process) || isKeptBack
  }

  /// The disk is busy with something else, for ten seconds or until ``releaseDisk()``.
  func holdDisk() async {
    guard let launch, launch.process.isAwake else { return }
    diskHeldSince = elapsed
    await launch.holdDisk()
  }

  func releaseDisk() {
    guard let launch, launch.process.isAwake else { return }
    diskHeldSince = nil
    launch.releaseDisk()
  }

  private func start(in state: SimulatedApplication.State) {
    application.state = state
    launch = AppLaunch(installation, in: folder, on: self, isLocked: isLocked)
  }

  private var folder: URL { folders.url.appendingPathComponent("\(folderNumber)") }

  /// Ends the app, as for a lack of memory.
  func kill() async throws { try await end { application.terminate() } }

  private func end(_ terminate: () -> Void) async throws {
    guard let launch else { return }
    (handling, heldSince, diskHeldSince, isForeground) = (nil, nil, nil, false)
    // First nothing gets out any more, then the disk is what it is.
    launch.process.state = .ended
    terminate()
    folderNumber += 1
    try await launch.copyFolder(to: folder)
    daemon.move(bodiesTo: folder.appendingPathComponent(UploadFiles.folderName))
    ended.append(launch)
    self.launch = nil
  }

  /// Performs an upload; the app is launched or woken when it was the last.
  func performUpload() async throws {
    guard await daemon.performOne(), daemon.waiting == 0 else { return daemon.deliver() }
    try await wakeForUploads()
  }

  private func wakeForUploads() async throws {
    guard daemon.hasReports else { return }
    if launch == nil { start(in: .background) }
    guard let launch else { return }
    if application.state == .suspended { application.state = .background }
    wake(launch)
    daemon.deliver()
    guard !isForeground, handling == nil else { return }
    let handling = Handling(begin: elapsed)
    self.handling = handling
    Task {
      await launch.handleEvents()
      handling.isOver.withLock { $0 = true }
    }
  }

  /// Lets time pass.
  func pass(_ duration: Duration) async throws {
    let end = elapsed + duration
    repeat {
      await air.advance(by: Self.step)
      try await manage()
    } while elapsed < end
  }

  /// Ends the launches for good, with all that they left behind.
  func shutDown() async throws {
    if launch != nil { try await kill() }
    for launch in ended { await launch.discard() }
  }

  // MARK: - The states of the app

  private func manage() async throws {
    // The system launches the app for a device.
    if launch == nil, !application.awaitingRelaunch.isEmpty { start(in: .background) }
    guard let launch else { return }
    guard application.state != .suspended else { return await sleep(launch) }
    wake(launch)
    if let since = diskHeldSince, elapsed - since > Self.longestHold { releaseDisk() }
    await settle(launch)
    daemon.deliver()
    try await checkHandling()
    guard !isForeground else { return heldSince = nil }
    if grants.isHeld(by: launch.process) {
      // The system does not suspend it again when the time is over for which it was woken.
      application.state = .background
      try await limitTime(of: launch)
    } else {
      heldSince = nil
      if handling == nil { try await suspend(launch) }
    }
  }

  /// Lets the app come to what it does without waiting: no time passes while it is busy.
  private func settle(_ launch: AppLaunch) async {
    for _ in 0..<3 {
      while daemon.isExchanging { await Task.yield() }
      await launch.untilServed()
      await Task.yield()
    }
  }

  private func suspend(_ launch: AppLaunch) async throws {
    if installation.isShared {
      // What has just ended may begin something, in the background time that it asks for.
      let isHeld = { [grants] in grants.isHeld(by: launch.process) }
      try await busy("0xdead10cc: suspended with a locked file") {
        isHeld() || launch.isFolderClosed
      }
      guard !isHeld() else { return }
    }
    application.state = .suspended
    await sleep(launch)
  }

  private func sleep(_ launch: AppLaunch) async {
    launch.process.state = .suspended
    await launch.holdDisk()
  }

  private func wake(_ launch: AppLaunch) {
    guard !launch.process.isAwake else { return }
    launch.releaseDisk()
    launch.process.state = .awake
  }

  private func limitTime(of launch: AppLaunch) async throws {
    guard let since = heldSince else {
      (heldSince, hasExpired) = (elapsed, false)
      return
    }
    if !hasExpired, elapsed - since > Self.longestTime {
      hasExpired = true
      grants.expire(for: launch.process)
    }
    guard hasExpired, elapsed - since > Self.longestTime + Self.lastTime else { return }
    try await busy("0x8badf00d: background time was not given back") { [grants] in
      !grants.isHeld(by: launch.process)
    }
  }

  private func checkHandling() async throws {
    guard let handling else { return }
    if elapsed - handling.begin > Self.longestTime {
      try await busy("the events of uploads were not handled") {
        handling.isOver.withLock { $0 }
      }
    }
    if handling.isOver.withLock({ $0 }) { self.handling = nil }
  }

  /// Waits for what must be the case now, as long as the machine may take for it that this runs on.
  private func busy(_ violation: String, until isTrue: () -> Bool) async throws {
    releaseDisk()
    let start = ContinuousClock.now
    while !isTrue() {
      guard start.duration(to: .now) < .seconds(60) else {
        throw Violation(description: violation)
      }
      await Task.yield()
    }
  }
}
