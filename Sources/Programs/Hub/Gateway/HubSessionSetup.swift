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
    patient.code = nil
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
    self.init(ownIn: Self.sharedFolder, of: configuration, environment: environment)
  }

  /// Describes files of the hub's own.
  ///
  /// - Parameters:
  ///   - name: Their folder in the hub's.
  ///   - configuration: The hub's configuration.
  ///   - environment: The environment of the process.
  init(
    ownIn name: String, of configuration: HubConfiguration, environment: [String: String]
  ) {
    patient = nil
    alias = Self.sharedAlias
    folder = URL(fileURLWithPath: configuration.folder, isDirectory: true)
      .appendingPathComponent(name, isDirectory: true)
    self.environment = environment
    self.configuration = configuration.forSessions
    (token, tokenFailure) = (nil, nil)
  }

  var isShared: Bool { patient == nil }

  /// Why nothing can be sent, and what to do; nil where there is a token, or no server.
  var tokenProblem: String? { tokenFailure.map { "Its token cannot be used: \($0)." } }

  /// Whether it was opened before.
  var exists: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// Whether the records go to a server.
  var sends: Bool { patient?.account != nil }

  /// Opens the session, and starts one where there is none.
  func open(
    _ radio: HubRadio, _ transport: HubTransport
  ) async throws(HubSessionFailure) -> SantorioSession {
    try makeFolder()
    let configuration: SantorioSession.Configuration
    do throws(TransportError) {
      configuration = try sessionConfiguration(radio, transport)
    } catch {
      throw HubSessionFailure(code: "transport", description: "\(error)")
    }
    do throws(SessionError) {
      let session = try await Self.open(configuration)
      try await start(session)
      return session
    } catch {
      throw HubSessionFailure(code: error.code.name, description: explained(error))
    }
  }

  /// A file of state in the folder, encrypted like a session's.
  func stateFile(_ radio: HubRadio) throws(SessionError) -> StateFile {
    do throws(HubSessionFailure) {
      try makeFolder()
    } catch {
      throw SessionError(.storageFailed, error.description)
    }
    return StateFile(
      in: folder, credentials: sessionConfiguration().credentials, now: radio.now)
  }

  /// How often, and how long after each time, a folder is asked for that an ended session may still
  /// have: no event tells when its last operation has released it.
  private static let releaseTries = 50
  private static let releasePause = Duration.milliseconds(100)

  private static func open(
    _ configuration: SantorioSession.Configuration, tries: Int = releaseTries
  ) async throws(SessionError) -> SantorioSession {
    do throws(SessionError) {
      let session = SantorioSession(configuration)
      try await session.open()
      return session
    } catch {
      guard error.code == .folderInUse, tries > 1, !Task.isCancelled else { throw error }
    }
    try? await Task.sleep(for: releasePause)
    return try await open(configuration, tries: tries - 1)
  }

  private func explained(_ error: SessionError) -> String {
    guard error.code == .credentialsRefused else { return error.description }
    return Self.refusal + ", or \"user\" is not the \"id\" that it gave when the user was "
      + "provisioned. No device is read. " + Self.remedy
  }

  /// What a refusal may mean: a server does not tell one from the other.
  static let refusal =
    "The server does not know the user or the token: the token was revoked or has expired, or the "
    + "user was deleted there"
  /// What to do about it.
  static let remedy =
    "Put a new token in place and reload the hub; if the user was deleted, give the alias another "
    + "\"user\" and \"token\" in the file, or take it out of there."

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

  private func sessionConfiguration(
    _ radio: HubRadio, _ transport: HubTransport
  ) throws(TransportError) -> SantorioSession.Configuration {
    var session = sessionConfiguration()
    session.transport = try transport.current(of: configuration)
    (session.clock, session.now) = (radio.clock, radio.now)
    return session
  }

  private func sessionConfiguration() -> SantorioSession.Configuration {
    let destination = patient.flatMap { configuration.destination(for: $0) }
    var session = SantorioSession.Configuration(
      directory: folder, destination: destination ?? Nowhere())
    session.allowsPlainHTTP = configuration.server?.allowsPlainHTTP ?? false
    // Without a word of the operator a refused token ends nothing: readings wait for a new one.
    session.refusalGrace = .seconds(configuration.server?.refusalGrace ?? 10 * 365 * 86_400)
    // What was handed to patients is remembered as declined, so that it is not held again.
    if isShared { session.maximumDeclinedRecords = 5000 }
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
      do throws(SessionError) {
        return try await session.start(user(token))
      } catch {
        // The session goes on with the one that it has.
        guard error.code == .credentialsRefused, await !hasEnded(session) else { throw error }
        return HubLog.failed("new token refused", alias, error.code.name)
      }
    }
    if sends, token == nil {
      try await session.startWithoutToken(of: owner.0, in: owner.1)
    } else {
      try await session.start(user(token ?? "none"))
    }
    if let current, current == Self.keeper, sends { await takeKept(session) }
  }

  /// Takes what was only kept while there was no server: it is the same patient's.
  private func takeKept(_ session: SantorioSession) async {
    let archives = (try? await session.archives()) ?? []
    for ended in archives where (ended.userID, ended.organizationID) == Self.keeper {
      guard let archive = ended.archive else { continue }
      do throws(SessionError) {
        _ = try await session.retryArchive(archive, ofAnyUser: true)
      } catch {
        HubLog.failed("kept readings not taken", alias, error.code.name)
      }
    }
  }

  /// The user of a session without a server.
  private static let keeper = ("kept", "hub")

  private func user(_ token: String) -> SantorioUser {
    SantorioUser(userID: owner.0, organizationID: owner.1, accessToken: token)
  }

  /// The user of the server, or one for readings that are only kept.
  private var owner: (String, String) {
    guard let account = patient?.account else { return Self.keeper }
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

  /// What takes exports of the patient's iPhone; nil without a folder for them.
  func exports(_ radio: HubRadio) -> HealthExportTaker? {
    patient?.healthExports.map {
      HealthExportTaker(
        $0, in: folder.appendingPathComponent("health", isDirectory: true),
        of: Self.name(of: owner), formerly: sends ? Self.name(of: Self.keeper) : nil,
        now: radio.now)
    }
  }

  private static func name(of owner: (String, String)) -> String { "\(owner.1)/\(owner.0)" }

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
  /// What of it matters for every session alike.
  fileprivate var forSessions: HubConfiguration {
    var configuration = self
    (configuration.patients, configuration.metrics, configuration.mqtt) = ([], nil, nil)
    (configuration.control, configuration.allow) = (Control(socket: "", users: [:]), Allowance())
    configuration.silentAfter = 0
    return configuration
  }
}
