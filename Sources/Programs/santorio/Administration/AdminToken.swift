// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
import SantorioSystemd

/// The administrator's token of a server.
enum AdminToken {
  /// The environment variable that holds it.
  static let variable = "SANTORIO_ADMIN_TOKEN"
  /// Its name among the credentials that systemd passes to a service.
  static let credential = "santorio.admin-token"

  private static func file(in folder: URL) -> URL { folder.appendingPathComponent("admin-token") }

  private static var ofEnvironment: String? {
    let token = ProcessInfo.processInfo.environment[variable] ?? ""
    return token.isEmpty ? nil : token
  }

  /// The token that the server is given, or the one kept in its folder; nil at the first start.
  ///
  /// - Throws: ``CommandError`` when there is one that cannot be read, or that others may read.
  static func load(in folder: URL) throws(CommandError) -> String? {
    if let token = ofEnvironment { return token }
    let systemd = SystemdCredentialFolder(environment: ProcessInfo.processInfo.environment)
    if let path = systemd?.path(of: credential),
      let token = try read(path, refusing: SystemdCredentialFolder.refusedBits)
    {
      return token
    }
    return try read(file(in: folder).path, refusing: 0o077)
  }

  /// The token that a command is given to authenticate with a server.
  ///
  /// - Parameters:
  ///   - file: The file that holds it; nil for the environment.
  ///   - command: The command, for the error text.
  /// - Returns: The token.
  /// - Throws: ``UsageError`` when there is none, ``CommandError`` when it cannot be read.
  static func given(file: String?, for command: String) throws -> String {
    if let file {
      guard let token = try read(file, refusing: 0o077) else {
        throw CommandError("the administrator's token file \(file) does not exist")
      }
      return token
    }
    guard let token = ofEnvironment else {
      throw UsageError(
        "the administrator's token is missing; set \(variable), or pass --token-file FILE.",
        command: command)
    }
    return token
  }

  private static func read(_ path: String, refusing mode: UInt32) throws(CommandError) -> String? {
    do throws(SessionError) {
      let bytes = try CredentialFiles.read(path, refusing: mode)
      let token = String(decoding: bytes, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      if !token.isEmpty { return token }
    } catch {
      if error.code == .credentialsMissing { return nil }
      if error.code == .credentialsExposed {
        throw CommandError(
          "others may read the administrator's token; run: chmod 600 \(path)\nAnyone who has seen "
            + "it can provision users; to make the server create a new one, remove the file.")
      }
    }
    throw CommandError(
      "the administrator's token in \(path) cannot be read, or is empty; run as its owner, or remove "
        + "the file to make the server create a new one.")
  }

  /// Stores the token that the server created, readable by its owner only.
  static func keep(_ token: String, in folder: URL) throws(UsageError) {
    let path = file(in: folder).path
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: Data((token + "\n").utf8), attributes: [.posixPermissions: 0o600])
    guard isWritten else {
      throw UsageError("the administrator's token cannot be written to \(path).", command: "serve")
    }
    printError("The administrator's token was created and written to \(path).")
  }
}
