// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// The folder of a session, which has to be made, protected and claimed before its file is opened.
final class SessionFolder: Sendable {
  private let configuration: SantorioSession.Configuration
  private let claim = Locked<OpenFolder?>(nil)

  init(_ configuration: SantorioSession.Configuration) { self.configuration = configuration }

  /// Checks the server's address, makes the folder and claims it, as long as this instance lives.
  ///
  /// - Throws: ``SessionError``.
  func prepare() throws(SessionError) {
    let isFirst = claim.withLock { $0 == nil }
    if isFirst { try checkEndpoint() }
    try make(isFirst: isFirst)
    guard isFirst else { return }
    let claimed = try OpenFolder(configuration.directory)
    claim.withLock { $0 = claimed }
  }

  private func checkEndpoint() throws(SessionError) {
    let destination = configuration.destination
    try destination.checkEndpoint(allowsPlainHTTP: configuration.allowsPlainHTTP)
    guard destination.endpoint.isExposed else { return }
    SantorioLogging.shared.log(
      .upload, level: .warning, "records and the token go unencrypted to another machine")
  }

  private func make(isFirst: Bool) throws(SessionError) {
    let folder = configuration.directory
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if isFirst { try FileProtection.apply(to: folder) }
    } catch {
      throw SessionError(
        .storageFailed, "cannot create the session's folder", systemCode: (error as NSError).code)
    }
    if isFirst { Self.close(folder) }
  }

  /// Restricts an existing folder to its owner if it is a session's: empty, or with a queue.
  private static func close(_ folder: URL) {
    var status = stat()
    guard unsafe stat(folder.path, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 != 0,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path),
      names.isEmpty || names.contains(Outbox.fileName)
    else { return }
    unsafe chmod(folder.path, 0o700)
  }
}
