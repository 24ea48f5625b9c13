// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the files of a certificate and its key.
enum PrivateFile {
  private static let largest = 1 << 20

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed, since programs that renew certificates use them.
  ///   - isSecret: Whether the file must be readable by its owner only. A file of root may also be
  ///     readable by its group, for a service of another user.
  /// - Returns: The content.
  /// - Throws: ``IngestError`` of code `invalid_configuration`.
  static func read(_ path: String, isSecret: Bool) throws(IngestError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw failure("cannot open \(path); it must exist and be readable by the server's user")
    }
    defer { close(descriptor) }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_size <= largest
    else { throw failure("\(path) is not a file of a certificate or key", isOfSystem: false) }
    if isSecret { try check(facts, path) }
    return try read(descriptor, path)
  }

  private static func check(_ facts: stat, _ path: String) throws(IngestError) {
    guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
      throw failure(
        "\(path) belongs to another user, who could change the key; change its owner to root or "
          + "the server's user", isOfSystem: false)
    }
    // The group may read a file of root; no one else may have access.
    let allowed: mode_t = facts.st_uid == 0 ? 0o740 : 0o700
    guard facts.st_mode & 0o777 & ~allowed == 0 else {
      throw failure(
        "the key \(path) is accessible to others; run chmod 600 \(path) (or, for a file of root, "
          + "640 with the server's group)", isOfSystem: false)
    }
  }

  private static func read(_ descriptor: Int32, _ path: String) throws(IngestError) -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while content.count <= largest {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot read \(path)") }
      guard count > 0 else { return content }
      content += buffer.prefix(count)
    }
    throw failure("\(path) is too large for a certificate or key", isOfSystem: false)
  }

  private static func failure(_ message: String, isOfSystem: Bool = true) -> IngestError {
    IngestError(
      .invalidConfiguration, message,
      cause: isOfSystem ? unsafe String(cString: strerror(errno)) : nil)
  }
}
