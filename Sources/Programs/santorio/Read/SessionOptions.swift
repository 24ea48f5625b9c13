// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// The options of commands that put readings into a session's queue.
struct SessionOptions: Sendable {
  static let all =
    [
      CommandOption("data", "FOLDER", help: "Put readings into the queue of the session there."),
      CommandOption("server", "URL", help: "Where the queue is sent; without it readings wait."),
      CommandOption(
        "to", "FORM", help: "The server's API: \(Form.names); ingest if not given."),
      CommandOption("organization", "ID", help: "The organisation of the session's user."),
      CommandOption(
        "user", "ID",
        help: "The session's user: the \"id\" that the server assigned; needed only once."),
      CommandOption(
        "refusal-grace", "SECONDS",
        help: "How long to retry a refused token before the session ends; 900 if not given."),
    ] + FHIROptions.all + TransportOptions.all

  static let details = """
    The user's token is taken from the environment variable SANTORIO_TOKEN or, in a service, from
    systemd's credential \(SystemdCredentials.tokenName); it is then stored. Without a user,
    readings are kept in FOLDER and not sent. "santorio queue --data FOLDER" shows what is there.
    """

  /// The environment variable that holds the token.
  static let tokenVariable = "SANTORIO_TOKEN"

  /// The interfaces of servers.
  enum Form: String, CaseIterable {
    case ingest, inform, legacy, fhir

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    func destination(_ server: URL, _ fhir: FHIROptions) -> any RecordDestination {
      switch self {
      case .ingest: IngestAPI(server)
      case .inform: InformConnect(server)
      case .legacy: LegacyV1(server)
      case .fhir: fhir.destination(server)
      }
    }
  }

  private let command: String
  private let folder: String?
  private let destination: (any RecordDestination)?
  private let account: (user: String, organization: String)?
  private let refusalGrace: Int?
  private let transport: TransportOptions

  /// Whether there is a folder for readings and for the enrolment of devices.
  var isKept: Bool { folder != nil }

  /// Whether the queue is to be sent.
  var sends: Bool { destination != nil }

  /// Takes the options from the arguments.
  ///
  /// - Throws: ``UsageError`` when one needs another that is missing.
  init(_ arguments: Arguments) throws(UsageError) {
    command = arguments.command
    folder = arguments["data"]
    for (option, needed) in [
      ("server", "data"), ("to", "server"), ("user", "server"), ("organization", "user"),
      ("user", "organization"), ("refusal-grace", "server"), ("ca", "server"), ("pin", "server"),
      ("insecure", "server"),
    ] where arguments.has(option) && !arguments.has(needed) {
      throw UsageError("--\(option) requires --\(needed).", command: command)
    }
    transport = try TransportOptions(arguments)
    destination = try Self.destination(arguments, transport)
    account = try Self.account(arguments)
    refusalGrace = try arguments.integer("refusal-grace", in: 0...86_400)
  }

  private static func account(
    _ arguments: Arguments
  ) throws(UsageError) -> (user: String, organization: String)? {
    guard let user = arguments["user"], let organization = arguments["organization"] else {
      return nil
    }
    guard user != SantorioUser.default.userID || organization != SantorioUser.default.organizationID
    else {
      throw UsageError(
        "the user \"default\" of \"default\" is a placeholder whose records are not sent; "
          + "name another.",
        command: arguments.command)
    }
    return (user, organization)
  }

  private static func destination(
    _ arguments: Arguments, _ transport: TransportOptions
  ) throws(UsageError) -> (any RecordDestination)? {
    let form = try arguments.choice("to", of: Form.self) ?? .ingest
    let fhir = try FHIROptions(arguments, isFHIR: form == .fhir)
    guard let text = arguments["server"] else { return nil }
    return form.destination(try transport.server(text, for: arguments.command), fhir)
  }

  /// Opens the session in the folder, and starts one there where there is none.
  ///
  /// - Returns: The session; nil when none was asked for.
  /// - Throws: ``UsageError`` when there is no user to send for, `SessionError` when the folder
  ///   cannot be used or the server does not know the user.
  func open() async throws -> SantorioSession? {
    guard let folder else { return nil }
    // Nothing is sent without a server, so any address is suitable.
    guard let nowhere = URL(string: "http://localhost") else { return nil }
    try SessionFolder.refuseHub(
      URL(fileURLWithPath: folder, isDirectory: true), named: folder, for: command)
    let directory = try DataFolder.make(folder, for: command)
    var configuration = SantorioSession.Configuration(
      directory: directory, destination: destination ?? IngestAPI(nowhere))
    configuration.transport = transport.transport()
    configuration.allowsPlainHTTP = transport.allowsPlainHTTP
    if let warning = destination.flatMap({ TransportOptions.warning(about: $0.endpoint) }) {
      printError(warning)
    }
    if let refusalGrace { configuration.refusalGrace = .seconds(refusalGrace) }
    let session = try await SessionFolder.open(configuration)
    let current = try await session.storedUser()
    if let account {
      try await start(account, in: session, directory)
    } else if sends {
      guard let current, !Self.isNobody(current) else {
        throw UsageError(
          "the session in \"\(folder)\" has no user to send for; name one with --organization and "
            + "--user.", command: command)
      }
    } else if current == nil {
      try await session.start(.default)
    }
    if !sends, try await session.storedUser().map(Self.isNobody) == true {
      printError(
        "santorio: no user is named: readings are kept in \"\(folder)\", and not sent"
      )
    }
    return session
  }

  private func start(
    _ account: (user: String, organization: String), in session: SantorioSession, _ directory: URL
  ) async throws {
    let supplied = try Self.suppliedToken(directory)
    let kept = try await Self.keptToken(of: account, in: session, isNeeded: supplied == nil)
    guard let token = supplied ?? kept else {
      throw UsageError(
        "the token of user \"\(account.user)\" is missing; set \(Self.tokenVariable) in the "
          + "environment.", command: command)
    }
    guard token != kept else { return }
    do throws(SessionError) {
      try await session.start(
        SantorioUser(userID: account.user, organizationID: account.organization, accessToken: token)
      )
    } catch {
      guard error.code == .credentialsRefused else { throw error }
      // Reading continues with what works: a device that broadcasts does not repeat itself.
      if kept != nil, command == "read" {
        return printError(
          "santorio: warning: the server does not know the new token of user \"\(account.user)\"; "
            + "the session keeps its previous one")
      }
      let archive = await SessionFolder.archiveAdvice(session, of: account)
      throw CommandError(
        "\(error). --user takes the \"id\" that the server returned when the user was provisioned, "
          + "not the user's name.\(archive.map { "\n\($0)" } ?? "")")
    }
  }

  private static func isNobody(_ user: (userID: String, organizationID: String)) -> Bool {
    user == (SantorioUser.default.userID, SantorioUser.default.organizationID)
  }

  /// The token of the current session, if it is this user's and can be read.
  ///
  /// - Throws: `SessionError` when it is needed and exists, but cannot be read.
  private static func keptToken(
    of account: (user: String, organization: String), in session: SantorioSession, isNeeded: Bool
  ) async throws(SessionError) -> String? {
    guard let current = try await session.storedUser(), current == account else { return nil }
    do throws(SessionError) {
      return try await session.user()?.accessToken
    } catch {
      guard isNeeded, error.code != .credentialsMissing else { return nil }
      throw error
    }
  }

  private static func suppliedToken(_ directory: URL) throws(SessionError) -> String? {
    if let token = ProcessInfo.processInfo.environment[tokenVariable], !token.isEmpty {
      return token
    }
    return try SystemdCredentials(files: CredentialFiles(folder: directory))?.suppliedToken()
  }
}
