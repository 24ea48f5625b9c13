// SPDX-License-Identifier: Apache-2.0

public import Foundation

// What a user takes along to a new phone.
extension SantorioSession {
  /// Writes all that the current user still has here into a file that opens with a passphrase.
  ///
  /// The file holds the records that wait for the server or are held back, those of earlier
  /// sessions' archives, what the server has refused, and the images. It holds no tokens, and no
  /// records of other users. It is encrypted with AES-256-GCM; the key is made of the passphrase
  /// by PBKDF2 with HMAC-SHA256 and 600,000 iterations, which takes some tenths of a second.
  ///
  /// Nothing changes here: what waits is still sent. A record that is sent from here and from the
  /// new phone is stored once by the server.
  ///
  /// ```swift
  /// let passphrase = SantorioSession.randomPassphrase()
  /// let export = try await session.exportQueue(to: file, passphrase: passphrase)
  /// ```
  ///
  /// - Parameters:
  ///   - file: Where to write it, also a place that the user has chosen in the system's dialog; an
  ///     existing file is replaced.
  ///   - passphrase: At least 12 characters; spaces around it do not count. With both anyone can
  ///     read the records, so it must not travel with the file.
  /// - Returns: What the file holds.
  /// - Throws: ``SessionError``: of code `noSession`; `defaultUser`, whose records belong to nobody
  ///   yet; `weakPassphrase`; `diskFull` or `storageFailed` when the file cannot be written, or not
  ///   there, or when an archive cannot be read. Then there is no new file.
  @concurrent public func exportQueue(
    to file: URL, passphrase: String
  ) async throws(SessionError) -> QueueExport {
    try await exportQueue(to: file, passphrase: passphrase, replacing: true)
  }

  /// The same; `isReplacing` says whether another file is replaced.
  @concurrent package func exportQueue(
    to file: URL, passphrase: String, replacing isReplacing: Bool
  ) async throws(SessionError) -> QueueExport {
    let key = try ExportKey(passphrase: passphrase)
    let scope = SecurityScope(file)
    defer { scope.end() }
    let export = try await outbox.export(to: file.path, key, replacing: isReplacing)
    Self.log(.outbox, "the queue was exported", .count("records", export.records))
    return export
  }

  /// Takes the records and images of an export into the queue.
  ///
  /// They must belong to the user of the current session. Records that wait go to the server, and
  /// those held back are held back again. The whole file is checked before anything is taken. What
  /// is here already stays as it is: a second import of a file adds what the first one could not
  /// store, and else changes nothing.
  ///
  /// - Parameters:
  ///   - file: The file that ``exportQueue(to:passphrase:)`` has written, also one that the user has
  ///     chosen in the system's dialog.
  ///   - passphrase: The passphrase that it was written with.
  ///   - allowingIncomplete: Whether all that can be read is taken from a damaged or incomplete file,
  ///     when there is no other copy.
  /// - Returns: What was taken.
  /// - Throws: ``SessionError``: of code `noSession`; `otherUser` when the records belong to another
  ///   user; `wrongPassphrase`; `exportDamaged` for a file that is not an export, or that is damaged
  ///   or incomplete; `storageIsNewer` for one of a newer version of this library; `outboxFull`. Then
  ///   nothing was taken. Of code `diskFull`, `storageFailed` or `sessionEnded` also when a part was.
  @discardableResult @concurrent
  public func importQueue(
    from file: URL, passphrase: String, allowingIncomplete: Bool = false
  ) async throws(SessionError) -> QueueExport {
    let scope = SecurityScope(file)
    defer { scope.end() }
    let source = try ExportSource(file)
    let key = try source.key(of: passphrase)
    let taken = try await QueueImport(
      source: source, key: key, allowsIncomplete: allowingIncomplete, outbox: outbox
    ).run()
    Self.log(.outbox, "an export of a queue was imported", .count("records", taken.records))
    wakeUpload()
    return taken
  }

  /// A new passphrase for an export, for the user to write down: four groups of five letters and
  /// digits.
  ///
  /// - Returns: The passphrase.
  public static func randomPassphrase() -> String { ExportPassphrase.random() }
}

/// The right to a file that the user has chosen in the system's dialog.
private struct SecurityScope {
  private let file: URL
  private let isGranted: Bool

  init(_ file: URL) {
    self.file = file
    #if canImport(Darwin)
      isGranted = file.startAccessingSecurityScopedResource()
    #else
      isGranted = false
    #endif
  }

  func end() {
    #if canImport(Darwin)
      if isGranted { file.stopAccessingSecurityScopedResource() }
    #endif
  }
}
