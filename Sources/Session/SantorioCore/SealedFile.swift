// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A file of state in a session's folder, encrypted with the key of the session's records.
///
/// The file appears in its place whole or not at all, and is for its owner's eyes. Its name is
/// authenticated with its bytes, so that no other file and no record can take its place. One task
/// writes a file at a time.
package struct SealedFile: Sendable {
  /// Where the file lies.
  package let path: String
  private let name: String
  private let seal: RowSeal

  init(name: String, in folder: URL, _ seal: RowSeal) {
    path = folder.path + "/" + RequestAddress.escaped(name) + ".sealed"
    self.name = SealedPlace.file(name)
    self.seal = seal
  }

  /// Reads the file.
  ///
  /// - Returns: The bytes last written; nil when there is no file.
  /// - Throws: ``SessionError``, of code `storageDamaged` when the file is not as it was written,
  ///   and `storageFailed` when it cannot be read.
  package func read() throws(SessionError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw SessionError(errno: errno, doing: "open", path) }
      return nil
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let data: Data
    do {
      data = try file.readToEnd() ?? Data()
    } catch {
      throw SessionError(
        .storageFailed, "cannot read \(fileName)", systemCode: (error as NSError).code)
    }
    guard let bytes = seal.open(Array(data), as: name) else {
      throw SessionError(
        .storageDamaged, "\(fileName) is not as it was written; remove it to begin anew")
    }
    return bytes
  }

  /// Writes the file, in the place of the one before; when this returns it survives a loss of
  /// power.
  ///
  /// - Parameter bytes: The content.
  /// - Throws: ``SessionError`` when the file cannot be written; the one before is whole then.
  package func write(_ bytes: [UInt8]) throws(SessionError) {
    let sealed = try seal.seal(bytes, as: name)
    let file = try DurableFile(path: path)
    try file.write(sealed)
    try file.commit()
  }

  private var fileName: String { (path as NSString).lastPathComponent }
}

extension Session {
  /// A file in which a part of the program keeps its state, encrypted as the records are.
  ///
  /// - Parameter name: The part's name for it, another one for each file.
  /// - Returns: The file, which need not exist.
  /// - Throws: ``SessionError`` of code `storageDamaged` while the file of the records, which tells
  ///   the key, cannot be used.
  package func sealedFile(named name: String) throws(SessionError) -> SealedFile {
    guard let seal = outbox.currentSeal.withLock({ $0 }) else {
      throw SessionError(.storageDamaged, "the file of the records is damaged")
    }
    return SealedFile(name: name, in: directory, seal)
  }

  /// Tells the file of the records from one that stood in its place before, or an older copy; nil
  /// while it is damaged.
  ///
  /// State that vouches for records is of no use beside a file that has lost them.
  package var storageGeneration: [UInt8]? { outbox.currentGeneration.withLock { $0 } }

  /// Notes that state is about to vouch for the records stored so far.
  ///
  /// - Throws: ``SessionError`` when the note cannot be written.
  package func noteStorage() throws(SessionError) {
    try StoragePosition.Note(path: Outbox.databasePath(in: directory)).write()
  }

  /// The user of the session that this process has seen last, without asking the file.
  package var lastSeenUser: (userID: String, organizationID: String)? {
    outbox.lastSeenSession.withLock { $0.map { ($0.userID, $0.organizationID) } }
  }
}
