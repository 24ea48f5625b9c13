// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A file of state in a session's folder, encrypted with the key of the session's records.
///
/// The file appears in its place whole or not at all, and only its owner can read it. Its name is
/// authenticated with its bytes, so no other file and no record can take its place. Only one task
/// may write a file at a time.
package struct SealedFile: Sendable {
  /// The path of the file.
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
  /// - Throws: ``SessionError``, of code `storageDamaged` when the file is damaged, and
  ///   `storageFailed` when it cannot be read.
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
        .storageDamaged, "\(fileName) is damaged; remove it to start over")
    }
    return bytes
  }

  /// Replaces the file; once this returns, the content survives a power loss.
  ///
  /// - Parameter bytes: The content.
  /// - Throws: ``SessionError`` when the file cannot be written; the previous content is kept.
  package func write(_ bytes: [UInt8]) throws(SessionError) {
    let sealed = try seal.seal(bytes, as: name)
    let file = try DurableFile(path: path)
    try file.write(sealed)
    try file.commit()
  }

  private var fileName: String { (path as NSString).lastPathComponent }
}

extension Session {
  /// A file in which a part of the program keeps its state, encrypted like the records.
  ///
  /// - Parameter name: A name that is unique to this file.
  /// - Returns: The file, which need not exist.
  /// - Throws: ``SessionError`` of code `storageDamaged` while the record file, which identifies
  ///   the key, cannot be used.
  package func sealedFile(named name: String) throws(SessionError) -> SealedFile {
    guard let seal = outbox.currentSeal.withLock({ $0 }) else {
      throw SessionError(.storageDamaged, "the record file is damaged")
    }
    return SealedFile(name: name, in: directory, seal)
  }

  /// Distinguishes the record file from an earlier one or an older copy; nil while it is damaged.
  ///
  /// State that vouches for records is useless beside a file that has lost them.
  package var storageGeneration: [UInt8]? { outbox.currentGeneration.withLock { $0 } }

  /// Saves a checkpoint of the stored records before state vouches for them.
  ///
  /// - Throws: ``SessionError`` when the checkpoint cannot be written.
  package func noteStorage() throws(SessionError) {
    try StoragePosition.Note(path: Outbox.databasePath(in: directory)).write()
  }

  /// The user of the session last seen by this process, without reading the file.
  package var lastSeenUser: (userID: String, organizationID: String)? {
    outbox.lastSeenSession.withLock { $0.map { ($0.userID, $0.organizationID) } }
  }
}
