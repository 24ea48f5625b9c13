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

  init(_ server: ServerAddress, _ environment: AppEnvironment) {
    self.server = server
    var configuration = SantorioSession.Configuration(
      directory: environment.folder.appendingPathComponent(server.fileName), endpoint: server.url)
    configuration.allowsPlainHTTP = environment.allowsPlainHTTP
    environment.configure(&configuration, Self.uploads(of: server))
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
  /// - Parameter units: The person's units.
  /// - Returns: The context.
  public func context(in units: UnitPreferences) -> CaptureContext {
    var context = CaptureContext(
      session: session, receiver: passive.receiver, central: central, units: units)
    context.now = bluetooth.now
    return context
  }

  /// Goes on with what was set in earlier launches; before this one is over.
  func launched() {
    #if os(iOS) || os(Linux)
      health.registerBackgroundTasks(
        HealthKitBackgroundTasks(
          refresh: AppIdentifiers.healthRefresh, processing: AppIdentifiers.healthCatchUp))
    #endif
    health.observeCurrentSubscriptions()
    // Who was never asked has set nothing, and is not to be asked at a launch.
    if central.authorization != .notDetermined { passive.restoreState() }
  }
}
