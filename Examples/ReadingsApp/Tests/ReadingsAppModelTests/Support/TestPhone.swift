// SPDX-License-Identifier: Apache-2.0

import BackgroundTasks
import CoreBluetoothSimulation
import Foundation
import HealthKitSimulation
import ReadingsAppModel
import Santorio
import SantorioHealthKit
import SantorioUI
import Testing
import VirtualDevices

/// A phone with the app, a blood pressure monitor beside it, and a server in the network.
///
/// Time passes for radio and health store only when a test moves it.
@MainActor final class TestPhone {
  /// An A&D UA-651BLE.
  let monitor: DeviceModel
  let folder: URL
  let server: TestServer
  /// The time, as it passes on the radio.
  let now: @Sendable () -> Date
  let air = SimulatedRadioEnvironment(seed: 1)
  let radio: SimulatedHost
  let device: SimulatedHost
  let virtual: VirtualDevice
  let health: SimulatedPhone
  let notices = NoticeList()
  let defaults: UserDefaults
  private let suite = "readings-\(UUID().uuidString)"
  private(set) var app: AppModel
  /// What carries the requests from the next launch on; that of Linux when nil.
  var transport: (any HTTPTransport)?
  private var launches = 0

  init() async throws {
    monitor = try #require(DeviceModel(id: 2))
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(suite)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    server = try await TestServer(in: folder)
    radio = air.makeHost(named: "Phone")
    now = { [start = Date(), clock = air.clock] in
      start.addingTimeInterval(clock.now.elapsed / .seconds(1))
    }
    let device = air.makeHost(named: "UA-651BLE", at: SimulatedPosition(x: 1))
    self.device = device
    var settings = VirtualDevice.Settings()
    settings.clock = air.clock
    settings.now = now
    settings.isConnected = { device.connectedPeers.contains($0) }
    virtual = VirtualDevice(
      .ua651BLE(memory: []), settings: settings, managerOptions: device.managerOptions)
    virtual.switchOn()
    health = SimulatedPhone(store: folder.appendingPathComponent("health.sqlite"))
    health.setTime(Date())
    defaults = UserDefaults(suiteName: suite) ?? .standard
    app = AppModel(AppEnvironment(folder: folder, notices: notices))
    app = AppModel(environment)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
    UserDefaults.standard.removePersistentDomain(forName: suite)
  }

  private var readings: URL { folder.appendingPathComponent("readings-\(launches)") }

  private var environment: AppEnvironment {
    var environment = AppEnvironment(folder: readings, notices: notices)
    environment.defaults = defaults
    let transport = transport
    environment.configure = { configuration, _ in
      configuration.refusalGrace = .zero
      if let transport { configuration.transport = transport }
    }
    environment.central = BluetoothCentral(managerOptions: radio.managerOptions)
    environment.bluetooth.clock = air.clock
    environment.bluetooth.now = now
    let health = health
    environment.healthStore = health.makeHealthStore()
    environment.health.now = { health.now }
    environment.scheduler = health.makeTaskScheduler()
    environment.locale = Locale(identifier: "en_US")
    return environment
  }

  /// Launches the app, and waits until it is known who is signed in.
  func launch() async { await app.launch().value }

  /// Starts the app with its files as they are now, or as they are then changed, as after the system
  /// has ended it.
  func relaunch(after change: (URL) throws -> Void = { _ in }) async throws {
    let old = readings
    launches += 1
    // What is copied must not change meanwhile.
    await app.services?.session.suspend()
    while FileManager.default.fileExists(atPath: old.path) {
      do {
        try FileManager.default.copyItem(at: old, to: readings)
        break
      } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
        // A call that was still under way has closed the session's file.
        try? FileManager.default.removeItem(at: readings)
      }
    }
    try change(readings)
    health.terminateApp()
    radio.application.terminate()
    radio.application.state = .background
    app = AppModel(environment)
    await launch()
  }

  /// Signs the person in, as the person does.
  func signIn() async throws { await signIn(server.user, at: server.address) }

  /// Signs a person in, as the person does.
  ///
  /// - Returns: The form.
  @discardableResult func signIn(_ user: SantorioUser, at address: String) async -> SignInModel {
    let form = SignInModel(app)
    form.enter(address, in: .server)
    form.enter(user.organizationID, in: .organization)
    form.enter(user.userID, in: .user)
    form.enter(user.accessToken, in: .token)
    await form.signIn()
    return form
  }

  /// Signs a person in at a server that does not answer, as the person does.
  func signInNowhere() async throws {
    let user = SantorioUser(userID: "u", organizationID: "o", accessToken: "t")
    let form = await signIn(user, at: "http://127.0.0.1:9")
    try #require(form.state.isServerSilent)
    await form.signInAnyway()
  }

  /// The screen of the person who is signed in.
  func account() throws -> AccountModel {
    guard case .signedIn(let person) = app.state.phase else { throw Failure() }
    return AccountModel(person, app)
  }

  /// What the screens of devices work with.
  func context() -> CaptureContext? { app.services?.context(in: app.units) }

  /// Lets time pass on the radio until something is the case, not faster than the disk.
  func advance(minutes: Int = 30, until isTrue: @MainActor () async -> Bool) async -> Bool {
    for _ in 0..<(minutes * 240) {
      if await isTrue() { return true }
      await air.advance(by: .milliseconds(250))
      _ = try? await app.services?.session.heldCount()
      await Task.yield()
    }
    return await isTrue()
  }

  /// Waits for something that other threads do.
  func wait(until isTrue: @MainActor () async throws -> Bool) async rethrows {
    while try await !isTrue() { await Task.yield() }
  }

  /// Pairs the monitor, as the person does.
  func pair() async -> Bool {
    guard let context = context() else { return false }
    let pairing = PairingModel(monitor, context)
    virtual.enterPairingMode()
    pairing.start()
    return await advance {
      if case .paired = pairing.state.step { self.radio.connectedPeers.isEmpty } else { false }
    }
  }

  /// Measures with the monitor, a while after what was before; a second apart.
  func measure(
    _ measurements: VirtualMeasurement..., after pause: Duration = .seconds(60)
  ) async {
    await air.advance(by: pause)
    for (index, measurement) in measurements.enumerated() {
      let age = Double(measurements.count - index)
      virtual.measure(measurement, at: now().addingTimeInterval(-age))
    }
  }
}

/// Writes down what would lie on the lock screen.
@MainActor final class NoticeList: NoticePosting {
  private(set) var shown: [Notice] = []
  private(set) var askedCount = 0

  func askForPermission() async { askedCount += 1 }
  func post(_ notice: Notice) {
    shown.removeAll { $0.id == notice.id }
    shown.append(notice)
  }
  func removeAll() { shown = [] }
}

/// Measurements of the monitor.
enum Readings {
  static let first = VirtualMeasurement(.bloodPressure(systolic: 125, diastolic: 80, pulse: 64))
  static let second = VirtualMeasurement(.bloodPressure(systolic: 134, diastolic: 77, pulse: 61))
}
