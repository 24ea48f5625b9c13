// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the files of a certificate and its key.
enum PrivateFile {
  private static let largest = 1 << 20

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed, since programs that renew certificates use them.
  ///   - isSecret: Whether only its owner may be able to read it, and the group of a file of root,
  ///     which is how a service of another user is given one.
  /// - Returns: What it holds.
  /// - Throws: ``IngestError`` of code `invalid_configuration`.
  static func read(_ path: String, isSecret: Bool) throws(IngestError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw failure("\(path) cannot be opened; it must exist, and the server's user may read it")
    }
    defer { close(descriptor) }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_size <= largest
    else { throw failure("\(path) is no file of a certificate or a key", isOfSystem: false) }
    if isSecret { try check(facts, path) }
    return try read(descriptor, path)
  }

  private static func check(_ facts: stat, _ path: String) throws(IngestError) {
    guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
      throw failure(
        "\(path) belongs to another user, who could change the key; give it to root or to the "
          + "server's user", isOfSystem: false)
    }
    // The group of root's file may read it, nobody else may do anything.
    let allowed: mode_t = facts.st_uid == 0 ? 0o740 : 0o700
    guard facts.st_mode & 0o777 & ~allowed == 0 else {
      throw failure(
        "others may read the key \(path); do: chmod 600 \(path) (or, as root's file, 640 with the "
          + "server's group)", isOfSystem: false)
    }
  }

  private static func read(_ descriptor: Int32, _ path: String) throws(IngestError) -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while content.count <= largest {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("\(path) cannot be read") }
      guard count > 0 else { return content }
      content += buffer.prefix(count)
    }
    throw failure("\(path) is too large for a certificate or a key", isOfSystem: false)
  }

  private static func failure(_ message: String, isOfSystem: Bool = true) -> IngestError {
    IngestError(
      .invalidConfiguration, message,
      cause: isOfSystem ? unsafe String(cString: strerror(errno)) : nil)
  }
}
