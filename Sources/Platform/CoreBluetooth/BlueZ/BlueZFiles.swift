// SPDX-License-Identifier: Apache-2.0

/// The folder in which a host keeps what outlives a process: known peers, and what is restored.
///
/// A gateway has little memory, and Foundation's file manager takes megabytes of it at first use:
/// the C library does.
struct BlueZFiles: Hashable, Sendable {
  let folder: String

  /// The folder of the service or of the user (systemd.exec(5), StateDirectory=; XDG Base
  /// Directory Specification).
  static var standard: Self {
    Self(folder: baseFolder + "/corebluetooth")
  }

  private static var baseFolder: String {
    if let ofService = variable("STATE_DIRECTORY")?.split(separator: ":").first {
      return String(ofService)
    }
    if let ofUser = variable("XDG_STATE_HOME"), ofUser.hasPrefix("/") { return ofUser }
    return (variable("HOME") ?? "/tmp") + "/.local/state"
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// A file name for any identifier.
  static func fileName(for identifier: String) -> String {
    identifier.utf8.map { byte in
      let isPlain = byte < 128 && (Character(UnicodeScalar(byte)).isLetter || byte & 0xF0 == 0x30)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
    }
    .joined()
  }

  /// The names of the files in a folder.
  func names(in subfolder: String) -> [String] {
    guard let listing = opendir("\(folder)/\(subfolder)") else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Reads a file; nil when there is none.
  func read(_ name: String) -> [UInt8]? {
    guard let file = fopen("\(folder)/\(name)", "re") else { return nil }
    defer { fclose(file) }
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while case let count = fread(&part, 1, part.count, file), count > 0 {
      bytes += part.prefix(count)
    }
    return bytes
  }

  /// Writes a file whole or not at all; nil removes it.
  func write(_ bytes: [UInt8]?, _ name: String) {
    let path = "\(folder)/\(name)"
    guard let bytes else {
      unlink(path)
      return
    }
    makeFolders(above: path)
    let draft = path + ".\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let isWritten = descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    let isWhole = isWritten && fsync(descriptor) == 0 && rename(draft, path) == 0
    if !isWhole { complain(path, errno) }
    if descriptor >= 0 { close(descriptor) }
    if !isWhole { unlink(draft) }
  }

  private func makeFolders(above path: String) {
    for (index, character) in zip(path.indices, path) where character == "/" {
      mkdir(String(path[..<index]), 0o700)
    }
  }

  private func complain(_ path: String, _ number: Int32) {
    let reason = String(cString: strerror(number))
    FileHandle.standardError.write(
      Data("[CoreBluetooth] \(path) cannot be written: \(reason)\n".utf8))
  }
}
