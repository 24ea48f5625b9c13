// SPDX-License-Identifier: Apache-2.0

/// The folder in which a host keeps what outlives a process: known peers, and what is restored.
struct BlueZFiles: Sendable {
  let folder: URL

  /// The folder of the service or of the user (systemd.exec(5), StateDirectory=; XDG Base
  /// Directory Specification).
  static var standardFolder: URL {
    let environment = ProcessInfo.processInfo.environment
    let base: URL
    if let ofService = environment["STATE_DIRECTORY"]?.split(separator: ":").first {
      base = URL(fileURLWithPath: String(ofService))
    } else if let ofUser = environment["XDG_STATE_HOME"], ofUser.hasPrefix("/") {
      base = URL(fileURLWithPath: ofUser)
    } else {
      base = FileManager.default.homeDirectoryForCurrentUser
        .appendingPathComponent(".local/state", isDirectory: true)
    }
    // Said outright, for else the file system would be asked, and two folders would not be equal.
    return base.appendingPathComponent("corebluetooth", isDirectory: true)
  }

  /// Reads a file; nil when there is none, or none that can be read.
  func load<Value: Decodable>(_ name: String) -> Value? {
    guard let data = try? Data(contentsOf: url(of: name)) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: data)
  }

  /// Writes a file whole or not at all; nil removes it.
  func save<Value: Encodable>(_ value: Value?, _ name: String) {
    let url = url(of: name)
    guard let value else {
      try? FileManager.default.removeItem(at: url)
      return
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      try encoder.encode(value).write(to: url, options: .atomic)
    } catch {
      FileHandle.standardError.write(
        Data("[CoreBluetooth] \(url.path) cannot be written: \(error.localizedDescription)\n".utf8))
    }
  }

  /// The names of the files in a folder.
  func names(in subfolder: String) -> [String] {
    let path = folder.appendingPathComponent(subfolder).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      .map { "\(subfolder)/\($0)" }
  }

  private func url(of name: String) -> URL { folder.appendingPathComponent(name) }

  /// A file name for any identifier.
  static func fileName(for identifier: String) -> String {
    identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "_"
  }
}
