// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer
import SantorioCore

/// How a command reaches the server that it administers.
enum ServerAccess {
  static let options =
    [
      CommandOption(
        "data", "FOLDER", help: "The server's folder on this machine; no token is needed."),
      CommandOption("server", "URL", help: "The address of a server elsewhere."),
    ] + remoteOptions

  private static let remoteOptions =
    [
      CommandOption(
        "token-file", "FILE", help: "With --server: the file that holds the administrator's token.")
    ] + TransportOptions.all

  static let details = """
    With --data the command uses the socket of the running server that has the folder; if none runs,
    it works on the folder itself. Run it as the folder's owner.
    With --server the administrator's token is taken from the environment variable
    \(AdminToken.variable) or from --token-file; for one organisation, the token of its
    administrator is sufficient.
    """

  /// Calls `body` with a client of the server that the arguments name.
  ///
  /// - Throws: ``UsageError``, ``CommandError``, `IngestClientError`, and what `body` throws.
  static func withClient<Result: Sendable>(
    _ arguments: Arguments, _ body: (AdministrationClient) async throws -> Result
  ) async throws -> Result {
    let command = arguments.command
    switch (arguments["data"], arguments["server"]) {
    case (let path?, nil):
      for option in remoteOptions.map(\.name) where arguments.has(option) {
        throw UsageError("--\(option) can only be used with --server.", command: command)
      }
      return try await withLocalClient(ServerFolder(path), body)
    case (nil, let server?): return try await body(try remote(server, arguments))
    default:
      throw UsageError(
        "name the server with either --data FOLDER or --server URL.", command: command)
    }
  }

  private static func remote(
    _ server: String, _ arguments: Arguments
  ) throws -> AdministrationClient {
    let options = try TransportOptions(arguments)
    let url = try options.server(server, for: arguments.command)
    if let warning = TransportOptions.warning(about: url) { printError(warning) }
    let token = try AdminToken.given(file: arguments["token-file"], for: arguments.command)
    return AdministrationClient(server: url, token: token, by: options.transport())
  }

  private static func withLocalClient<Result: Sendable>(
    _ folder: ServerFolder, _ body: (AdministrationClient) async throws -> Result
  ) async throws -> Result {
    let running = AdministrationClient(socket: folder.socket)
    guard try await !running.isAnswered() else {
      defer { withExtendedLifetime(folder) {} }
      return try await body(running)
    }
    try folder.checkOwner()
    // A separate folder: a server that is just starting creates its socket in the data folder.
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("santorio-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: place) }
    let socket = place.appendingPathComponent("server.sock").path
    var configuration = IngestServer.Configuration(storagePath: folder.storage, addresses: [])
    configuration.administrationSocket = socket
    let server = try IngestServer(configuration: configuration)
    defer { server.stop() }
    return try await body(AdministrationClient(socket: socket))
  }
}

/// The folder of a server on this machine.
final class ServerFolder: Sendable {
  private let path: String
  private let descriptor: Int32

  /// The server's socket, by a short name: the address of a socket holds at most 107 bytes.
  var socket: String { "/proc/self/fd/\(descriptor)/server.sock" }
  /// The file of the records.
  var storage: String { Self.storage(in: path) }

  static func storage(in folder: String) -> String {
    URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("records.sqlite").path
  }

  /// Finds the folder.
  ///
  /// - Throws: ``CommandError`` when there is no server storage, or this user may not access it.
  init(_ path: String) throws(CommandError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, unsafe access(Self.storage(in: path), F_OK) == 0 else {
      let isForbidden = errno == EACCES
      throw CommandError(
        isForbidden
          ? "access to \(path) is denied; run this as the folder's owner"
          : "\(path) is not a server's folder; use the one given to \"santorio serve --data\"")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Refuses another user's folder: the server could not write files that this user creates.
  func checkOwner() throws(CommandError) {
    var facts = stat()
    guard unsafe stat(storage, &facts) == 0, facts.st_uid != geteuid() else { return }
    let name = unsafe getpwuid(facts.st_uid).map { unsafe String(cString: $0.pointee.pw_name) }
    throw CommandError(
      "\(path) belongs to user \(name ?? String(facts.st_uid)), and no running server answers; "
        + "run this as \(name ?? "that user"), or start the server first")
  }
}
