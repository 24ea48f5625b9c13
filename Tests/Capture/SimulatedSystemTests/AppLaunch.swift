// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import SantorioBluetooth
import SantorioConcurrency
import SantorioFiles
import SessionTesting
import Testing

@testable import SantorioCore

/// What does not change from one launch of the app to the next.
struct AppInstallation: Sendable {
  let device: DeviceModel
  let server: URL
  let user: SantorioUser
  /// Whether the session's folder is in a container that the app shares with its extensions: no
  /// file in it may be locked while the app is suspended.
  let isShared: Bool
  /// Whether the app reads the device passively, or when it is opened.
  var isPassive = false
}

/// One run of an app that does as the guides say: it reads a meter, and sends the readings.
final class AppLaunch: Sendable {
  let folder: URL
  let process: AppProcess
  let session: SantorioSession
  private let installation: AppInstallation
  private let credentials: LockableCredentials
  private let central: BluetoothCentral
  private let receiver: BluetoothReceiver
  private let passive: BluetoothPassiveManager
  private let reading = Locked<DeviceOperation?>(nil)
  private let askForTime: @Sendable () -> @Sendable () -> Void
  private let hold = Locked<DispatchSemaphore?>(nil)

  init(
    _ installation: AppInstallation, in folder: URL, on phone: PhoneSystem, isLocked: Bool
  ) {
    self.installation = installation
    self.folder = folder
    let process = AppProcess()
    self.process = process
    askForTime = { [grants = phone.grants] in grants.begin(for: process) {} }
    credentials = LockableCredentials(CredentialFiles(folder: folder), isLocked: isLocked)
    let clock = process.clock(on: phone.air.clock)
    var configuration = SantorioSession.Configuration(
      directory: folder, endpoint: installation.server)
    configuration.transport = phone.daemon.launch(of: process)
    configuration.clock = clock
    configuration.now = phone.now
    configuration.credentials = credentials
    configuration.notificationCenter = NotificationCenter()
    configuration.systemNotificationCenter = phone.notifications
    configuration.maximumBatchRecords = 3
    configuration.closesUnusedFile = true
    configuration.random = { $0.lowerBound }
    session = SantorioSession(configuration)
    var settings = BluetoothSettings()
    settings.clock = clock
    settings.now = phone.now
    settings.timeZone = { .gmt }
    settings.notificationCenter = phone.notifications
    settings.backgroundTime = phone.grants.backgroundTime(for: process, modes: phone.modes)
    receiver = BluetoothReceiver(session: session, settings: settings)
    var options = phone.application.managerOptions
    if installation.isPassive { options[CBCentralManagerOptionRestoreIdentifierKey] = "readings" }
    central = BluetoothCentral(managerOptions: options)
    passive = BluetoothPassiveManager(for: receiver, on: central)
    // In a shared container it runs while the app is active only.
    if !installation.isShared { session.resume() }
    guard installation.isPassive else { return }
    passive.restoreState()
    let events = passive.events
    Task { for await event in events { Story.tell("  \(event)") } }
  }

  var isLocked: Bool {
    get { credentials.isLocked }
    set { credentials.isLocked = newValue }
  }

  // MARK: - What the app does

  func becameActive() {
    session.resume()
    guard !installation.isPassive, reading.withLock({ $0 == nil }) else {
      return session.processQueue()
    }
    let operation = central.read([installation.device], for: receiver)
    reading.withLock { $0 = operation }
    Task { [weak self, name = installation.device.name] in
      for await event in operation.events { Story.tell("  \(name): \(event)") }
      self?.reading.withLock { $0 = nil }
    }
  }

  /// Pairs the device, and reads it passively from now on.
  func beginPassiveReading() async throws {
    _ = await central.pair([installation.device], for: receiver).value
    try await passive.setPeripherals([installation.device])
  }

  func enteredBackground() {
    guard installation.isShared else { return }
    let endTime = askForTime()
    Task {
      await session.suspend()
      endTime()
    }
  }

  func handleEvents() async { _ = await session.handleEvents(of: "uploads") }

  // MARK: - What the test sees

  var isReading: Bool { reading.withLock { $0 != nil } }

  /// Whether none of the session's files is open or locked.
  var isFolderClosed: Bool {
    let path = Outbox.databasePath(in: folder)
    return ["use", "lock"].allSatisfy { name in
      (try? FileLock("\(path).\(name)")) != nil
    }
  }

  /// Returns when the session has done what it was asked before, if the disk is not held.
  func untilServed() async {
    guard !isDiskHeld else { return }
    _ = await session.outbox.commitCount
  }

  // MARK: - Its disk

  private var isDiskHeld: Bool { hold.withLock { $0 != nil } }

  /// Nothing is read or written from now on, until the disk is released.
  func holdDisk() async {
    guard !isDiskHeld else { return }
    let semaphore = DispatchSemaphore(value: 0)
    hold.withLock { $0 = semaphore }
    await withCheckedContinuation { begun in
      Task { await session.outbox.wait(for: semaphore, begun) }
    }
  }

  func releaseDisk() {
    hold.withLock { hold in
      hold?.signal()
      hold = nil
    }
  }

  /// Copies the folder as it is on disk now.
  func copyFolder(to copy: URL) async throws {
    await holdDisk()
    defer { releaseDisk() }
    let manager = FileManager.default
    try manager.createDirectory(at: copy, withIntermediateDirectories: true)
    // The index of the log is memory that processes share: a killed one leaves none behind.
    for name in try manager.contentsOfDirectory(atPath: folder.path)
    where !name.hasSuffix("-shm") {
      let (from, to) = (folder.appendingPathComponent(name), copy.appendingPathComponent(name))
      try? manager.copyItem(at: from, to: to)
    }
  }

  /// Ends what still runs, once nobody is interested in it any more.
  func discard() async {
    reading.withLock { $0 }?.cancel()
    await passive.pause()
    await session.suspend()
  }
}

extension Outbox {
  /// Keeps the outbox from doing anything else.
  fileprivate func wait(
    for semaphore: DispatchSemaphore, _ begun: CheckedContinuation<Void, Never>
  ) {
    begun.resume()
    semaphore.wait()
  }
}
