// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file in which a session's folder keeps the name of its items in the keychain.
struct KeychainName: Sendable {
  static let fileName = "keychain-name"
  private static let longest = 200

  private let path: String
  /// The app and the folder's place in it: apps may share a keychain, and folders have the same place
  /// in several of them.
  let origin: String

  init(folder: URL, of app: AppBundle = .main) {
    path = folder.path + "/" + Self.fileName
    origin = [app.identifier, app.place(of: folder)].compactMap(\.self).joined(separator: ":")
  }

  /// The name; nil when the folder has none yet.
  func read() throws(SessionError) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw SessionError(errno: errno, doing: "open", path) }
      return nil
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    let count = unsafe Foundation.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw SessionError(errno: errno, doing: "read", path) }
    let name = String(decoding: bytes.prefix(count), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard name.hasPrefix(KeychainStore.prefix) else {
      throw SessionError(
        .credentialsUnavailable,
        "\(Self.fileName) does not hold the name of the folder's items in the keychain; restore it")
    }
    return name
  }

  /// Gives the folder a name, unless another process has given it one.
  ///
  /// - Returns: The folder's name.
  func create(_ name: String) throws(SessionError) -> String {
    let draft = path + "." + UUID().uuidString
    let file = try DurableFile(path: draft)
    try file.write(Array((name + "\n").utf8))
    try file.commit()
    defer { unsafe unlink(draft) }
    guard unsafe link(draft, path) == 0 || errno == EEXIST else {
      throw SessionError(errno: errno, doing: "save", path)
    }
    try DurableFile.synchronizeFolder(of: path)
    return try read() ?? name
  }
}
