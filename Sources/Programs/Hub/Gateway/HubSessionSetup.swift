// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioBluetooth
import SantorioCore

/// Whose session it is, where it is kept, and where it sends to.
struct HubSessionSetup: Hashable, Sendable {
  /// The patient; nil for the devices that several patients share.
  let patient: HubConfiguration.Patient?
  /// The name in logs and on the command line.
  let alias: String
  private let configuration: HubConfiguration
  private let folder: URL
  /// The user's token, as it is now; nil without a server, and for one that cannot be read.
  private let token: String?
  private let tokenFailure: String?
  let environment: [String: String]

  /// The alias and the folder of the shared devices, which no patient can have.
  static let sharedAlias = HubStatus.Patient.shared
  private static let sharedFolder = ".shared"

  /// Describes a patient's session.
  init(
    _ patient: HubConfiguration.Patient, of configuration: HubConfiguration,
    environment: [String: String]
  ) {
    var patient = patient
    // Devices come and go without another session.
    patient.devices = []
    self.patient = patient
    alias = patient.alias
    folder = configuration.folder(of: patient)
    self.environment = environment
    self.configuration = configuration.forSessions
    do throws(HubSecret.Failure) {
      token = try patient.account?.token.read(environment: environment)
      tokenFailure = nil
    } catch {
      token = nil
      tokenFailure = error.description
    }
  }

  /// Describes the session of shared devices.
  init(sharedOf configuration: HubConfiguration, environment: [String: String]) {
    patient = nil
    alias = Self.sharedAlias
    folder = URL(fileURLWithPath: configuration.folder, isDirectory: true)
      .appendingPathComponent(Self.sharedFolder, isDirectory: true)
    self.environment = environment
    self.configuration = configuration.forSessions
    (token, tokenFailure) = (nil, nil)
  }

  var isShared: Bool { patient == nil }

  /// Whether it was opened before.
  var exists: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// Whether the records go to a server.
  var sends: Bool { patient?.account != nil }

  /// Opens the session, and starts one where there is none.
  func open(_ radio: HubRadio) async throws(HubSessionFailure) -> SantorioSession {
    try makeFolder()
    let session: SantorioSession
    do throws(TransportError) {
      session = SantorioSession(try sessionConfiguration(radio))
    } catch {
      throw HubSessionFailure(code: "transport", description: "\(error)")
    }
    do throws(SessionError) {
      try await session.open()
      try await start(session)
    } catch {
      throw HubSessionFailure(code: error.code.name, description: explained(error))
    }
    return session
  }

  private func explained(_ error: SessionError) -> String {
    if let tokenFailure, error.code == .invalidUser {
      return "Its token cannot be used: \(tokenFailure)."
    }
    guard error.code == .credentialsRefused else { return error.description }
    return "The server does not know the user or the token; \"user\" is the \"id\" that the server "
      + "gave when the user was provisioned."
  }

  private func makeFolder() throws(HubSessionFailure) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw HubSessionFailure(
        code: "folder",
        description: "The folder \(folder.path) cannot be created: \(error.localizedDescription)")
    }
  }

  private func sessionConfiguration(_ radio: HubRadio) throws(TransportError)
    -> SantorioSession.Configuration
  {
    let destination = patient.flatMap { configuration.destination(for: $0) }
    var session = SantorioSession.Configuration(
      directory: folder, destination: destination ?? Nowhere())
    session.transport = try configuration.transport()
    (session.clock, session.now) = (radio.clock, radio.now)
    session.allowsPlainHTTP = configuration.server?.allowsPlainHTTP ?? false
    if let grace = configuration.server?.refusalGrace { session.refusalGrace = .seconds(grace) }
    let (key, token, environment) = (configuration.queueKey, token, environment)
    session.credentials = SuppliedCredentials(files: CredentialFiles(folder: folder)) {
      item throws(SessionError) in
      guard item == .key else { return token }
      do throws(HubSecret.Failure) {
        return try key?.read(environment: environment)
      } catch {
        throw SessionError(.credentialsUnavailable, error.description)
      }
    }
    return session
  }

  /// Makes the session the patient's, unless it is.
  private func start(_ session: SantorioSession) async throws(SessionError) {
    let current = try await session.storedUser()
    guard current.map({ $0 != owner }) ?? true else {
      // A token that was put in its place while the hub did not run.
      guard let token, let kept = try? await session.user()?.accessToken, kept != token else {
        return
      }
      return try await session.start(user(token))
    }
    try await session.start(user(sends ? token ?? "" : "none"))
  }

  private func user(_ token: String) -> SantorioUser {
    SantorioUser(userID: owner.0, organizationID: owner.1, accessToken: token)
  }

  /// The user of the server, or one for readings that are only kept.
  private var owner: (String, String) {
    guard let account = patient?.account else { return (patient?.alias ?? "shared", "hub") }
    return (account.user, account.organization)
  }

  /// Whether the session is not the patient's any more.
  func hasEnded(_ session: SantorioSession) async -> Bool {
    do throws(SessionError) {
      return try await session.storedUser().map { $0 != owner } ?? true
    } catch {
      return false
    }
  }

  /// How devices are read for it.
  func settings(_ radio: HubRadio) -> BluetoothSettings {
    var settings = BluetoothSettings()
    (settings.clock, settings.now) = (radio.clock, radio.now)
    if configuration.clock == .shown { settings.clockPolicy.correctsDrift = false }
    // Pairing is asked for by an operator, who has been told whose the device is.
    settings.takesDevicesOver = true
    settings.takesEveryUser = isShared
    settings.holdsEveryReading = isShared
    return settings
  }
}

/// Why a session could not be opened, and what to do.
struct HubSessionFailure: Error {
  /// The name of the reason.
  let code: String
  let description: String
}

extension HubConfiguration {
  /// What of it matters for a session, whoever the patients are.
  fileprivate var forSessions: HubConfiguration {
    var configuration = self
    (configuration.patients, configuration.metrics, configuration.mqtt) = ([], nil, nil)
    (configuration.control, configuration.allow) = (Control(socket: "", users: []), Allowance())
    configuration.silentAfter = 0
    return configuration
  }
}
