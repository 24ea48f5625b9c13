// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Images as files named by the digest of their bytes, encrypted like rows.
struct ImageFiles: Sendable {
  /// The largest accepted image, in bytes.
  static let maximumSize = 16 << 20
  static let folderName = "images"

  let folder: URL

  private func path(_ digest: String) -> String { folder.path + "/" + digest }

  /// Writes an image unless it exists and is whole; once this returns, it survives a power loss.
  func write(_ bytes: [UInt8], digest: String, _ seal: RowSeal) throws(SessionError) {
    guard try read(digest, seal) == nil else { return }
    if unsafe mkdir(folder.path, 0o700) == 0 {
      try DurableFile.synchronizeFolder(of: folder.path)
    }
    let sealed = try seal.seal(bytes, as: SealedPlace.image(digest))
    let file = try DurableFile(path: path(digest))
    try file.write(sealed)
    try file.commit()
  }

  /// Reads an image; nil when it is damaged or gone.
  ///
  /// - Throws: ``SessionError`` when it cannot be read now: the image may be whole.
  func read(_ digest: String, _ seal: RowSeal) throws(SessionError) -> [UInt8]? {
    let descriptor = unsafe open(path(digest), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw SessionError(errno: errno, doing: "open", path(digest)) }
      return nil
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      return seal.open(Array(try file.readToEnd() ?? Data()), as: SealedPlace.image(digest))
    } catch {
      throw SessionError(
        .storageFailed, "cannot read \(digest): \(error.localizedDescription)",
        systemCode: (error as NSError).code)
    }
  }

  func remove(_ digest: String) { unsafe unlink(path(digest)) }

  /// The digests of the existing images; leftovers of interrupted writes are removed.
  func digests() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasSuffix(".tmp") { remove(name) }
    return names.filter { !$0.hasSuffix(".tmp") }
  }
}

/// An image on its way into the queue.
struct ImageItem: Sendable {
  let logID: String
  /// SHA-256 of the bytes, in lower-case hexadecimal digits.
  let digest: String
  let contentType: String
  let bytes: [UInt8]
}

/// An image claimed from the queue.
struct ImageRow: Hashable, Sendable, Codable {
  let id: Int64
  /// Empty when the row's name is damaged.
  let logID: String
  let digest: String
  let contentType: String
  let size: Int
  /// How often the server left the image without an answer.
  let attempts: Int
}
