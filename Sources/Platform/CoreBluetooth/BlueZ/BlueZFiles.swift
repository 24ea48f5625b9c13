// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency
internal import SantorioFiles

/// The folder in which a host keeps known peers and the state to be restored between processes.
///
/// Uses the C library, because Foundation's file manager takes megabytes of a gateway's memory at
/// its first use.
struct BlueZFiles: Hashable, Sendable {
  /// The folder's path; nil if the environment names none, in which case nothing is stored.
  let folder: String?

  /// The folder of the service or of the user (systemd.exec(5), StateDirectory=; XDG Base
  /// Directory Specification).
  static let standard = Self(in: { name in getenv(name).map { String(cString: $0) } })

  init(folder: String) { self.folder = folder }

  /// The folder that an environment names.
  ///
  /// There is no default such as `/tmp`: in a world-writable folder, any user could plant files.
  init(in environment: (String) -> String?) {
    func path(_ name: String) -> String? {
      environment(name)?.split(separator: ":").first.map(String.init)
        .flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let base =
      path("STATE_DIRECTORY") ?? path("XDG_STATE_HOME") ?? path("HOME").map { $0 + "/.local/state" }
    folder = base.map { $0 + "/corebluetooth" }
    if folder == nil {
      Self.warn(
        "known peers and restoration state are not stored, because no folder is set; "
          + "set STATE_DIRECTORY, XDG_STATE_HOME or HOME")
    }
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
    guard let folder, let listing = opendir("\(folder)/\(subfolder)") else { return [] }
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
    guard let folder else { return nil }
    let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard let file = fdopen(descriptor, "r") else {
      close(descriptor)
      return nil
    }
    defer { fclose(file) }
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while case let count = fread(&part, 1, part.count, file), count > 0 {
      bytes += part.prefix(count)
    }
    return bytes
  }

  /// Writes a file atomically; nil removes it.
  func write(_ bytes: [UInt8]?, _ name: String) {
    guard let folder else { return }
    let path = "\(folder)/\(name)"
    guard let bytes else {
      unlink(path)
      return
    }
    makeFolders(above: path)
    let draft = path + ".\(getpid())"
    let descriptor = open(
      draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let isWritten = descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    let isWhole = isWritten && fsync(descriptor) == 0 && rename(draft, path) == 0
    if !isWhole {
      Self.warn("cannot write \(path): \(String(cString: strerror(errno)))")
    }
    if descriptor >= 0 { close(descriptor) }
    if !isWhole { unlink(draft) }
  }

  // MARK: - One process per file

  /// The files that this process has claimed, and keeps until it ends.
  private static let claimed = Locked<[String: FileLock]>([:])

  /// Claims a file for this process until it ends.
  ///
  /// - Returns: false when another process has claimed it, or it cannot be locked.
  func claim(_ name: String) -> Bool {
    guard let folder else { return true }
    let path = "\(folder)/\(name).lock"
    return Self.claimed.withLock { claimed in
      if claimed[path] != nil { return true }
      makeFolders(above: path)
      do throws(FileLock.Failure) {
        claimed[path] = try FileLock(path, waiting: .seconds(1))
        return true
      } catch {
        Self.warn(
          "the state file \(name) is neither read nor written: \(Self.reason(for: error))")
        return false
      }
    }
  }

  private static func reason(for failure: FileLock.Failure) -> String {
    switch failure {
    case .taken: "another process uses it"
    case .unopened(let code), .unlockable(let code): String(cString: strerror(code))
    }
  }

  private func makeFolders(above path: String) {
    for (index, character) in zip(path.indices, path) where character == "/" {
      mkdir(String(path[..<index]), 0o700)
    }
  }

  private static func warn(_ message: String) {
    FileHandle.standardError.write(Data("[CoreBluetooth] \(message)\n".utf8))
  }
}
