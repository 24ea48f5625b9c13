// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio
import SantorioHealthKit
import SantorioUI

/// What reads and sends for one server: made once in a launch, and used by all screens.
@MainActor public final class AppServices {
  /// The server.
  public let server: ServerAddress
  /// Keeps readings until the server has them.
  public let session: SantorioSession
  /// Reads devices by itself.
  public let passive: BluetoothPassiveManager
  /// Reads Apple Health.
  public let health: HealthKitManager
  private let central: BluetoothCentral
  private let bluetooth: BluetoothSettings
  private let destination: any RecordDestination
  private let transport: any HTTPTransport
  /// Looks up what is read automatically.
  private var restoring: Task<Bool, Never>?

  init(_ server: ServerAddress, _ environment: AppEnvironment) {
    self.server = server
    var configuration = SantorioSession.Configuration(
      directory: environment.folder.appendingPathComponent(server.fileName), endpoint: server.url)
    configuration.allowsPlainHTTP = environment.allowsPlainHTTP
    environment.configure(&configuration, Self.uploads(of: server))
    (destination, transport) = (configuration.destination, configuration.transport)
    session = SantorioSession(configuration)
    (central, bluetooth) = (environment.central, environment.bluetooth)
    passive = BluetoothPassiveManager(
      for: BluetoothReceiver(session: session, settings: bluetooth), on: central)
    health = HealthKitManager(
      session: session, store: environment.healthStore, settings: environment.health)
  }

  /// No two transports may have the same name, and a queue belongs to its server.
  private static func uploads(of server: ServerAddress) -> String {
    AppIdentifiers.uploads + "." + server.fileName
  }

  /// What the screens of devices and readings work with.
  ///
  /// - Parameters:
  ///   - units: The person's units.
  ///   - takingOver: Whether a device that another person has paired with this app becomes this
  ///     person's when it is paired, with all that it has in its memory.
  /// - Returns: The context.
  public func context(in units: UnitPreferences, takingOver: Bool = false) -> CaptureContext {
    var receiver = passive.receiver
    if takingOver {
      var settings = bluetooth
      settings.takesDevicesOver = true
      receiver = BluetoothReceiver(session: session, settings: settings)
    }
    var context = CaptureContext(
      session: session, receiver: receiver, central: central, units: units)
    context.now = bluetooth.now
    return context
  }

  /// The longest that a person waits for an answer of the server.
  private static let longestWait = Duration.seconds(15)

  /// Whether the server says something about a person, be it that it does not know the person.
  func isReached(by user: SantorioUser) async -> Bool {
    guard var question = destination.validation(of: user) else { return true }
    question.timeout = Self.longestWait
    guard let answer = try? await transport.send(question) else { return false }
    // Another server has its own words for what it does not have.
    guard ![401, 403].contains(answer.status) else {
      return destination.failure(in: answer) != nil
    }
    return (200...299).contains(answer.status) && destination.isKnown(by: answer)
  }

  /// Goes on with what was set in earlier launches; before this one is over.
  func launched() {
    #if os(iOS) || os(Linux)
      health.registerBackgroundTasks(
        HealthKitBackgroundTasks(
          refresh: AppIdentifiers.healthRefresh, processing: AppIdentifiers.healthCatchUp))
    #endif
    health.observeCurrentSubscriptions()
    restorePassive()
  }

  /// Goes on with automatic reading, if it was set and can be read.
  func restorePassive() {
    // Who was never asked has set nothing, and is not to be asked at a launch.
    if central.authorization != .notDetermined { restoring = passive.restoreState() }
  }

  /// Has devices read automatically, too, that were paired since that was switched on.
  func addPairedDevices() async {
    _ = await restoring?.value
    await PassiveModel(passive).load()
  }

  /// Whether a notice is about a device of the person who is signed in now.
  ///
  /// A reading that was under way when somebody else has signed out ends after that.
  func isOfOwnDevice(_ notice: Notice) async -> Bool {
    let own = try? await passive.receiver.enrolledDevices()
    return own?.contains { $0.description == notice.id } ?? false
  }

  /// Reads and sends nothing any more: the person uses another server.
  func leave() async {
    await passive.pause()
    await session.suspend()
  }
}
