// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SantorioFiles

/// Stores tokens and keys as files of mode 0600 in a folder, for systems without a keychain.
///
/// A file that the group or others can read or write is refused.
public struct CredentialFiles: CredentialStoring {
  static let suffix = ".token"

  private let folder: URL

  /// Stores tokens in a folder, which must exist.
  ///
  /// - Parameter folder: The folder.
  public init(folder: URL) { self.folder = folder }

  private func path(_ name: String) -> String { folder.path + "/" + name + Self.suffix }

  /// Stores a token in a file of its own, whole or not at all.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - name: The token's name.
  /// - Throws: ``SessionError`` when the file cannot be written.
  public func save(_ token: String, for name: String) throws(SessionError) {
    let file = try DurableFile(path: path(name))
    try file.write(Array(token.utf8))
    try file.commit()
  }

  /// Reads a token from a file that only its owner can read.
  ///
  /// - Parameter name: The token's name.
  /// - Returns: The token.
  /// - Throws: ``SessionError`` when there is none, or others can read it.
  public func token(for name: String) throws(SessionError) -> String {
    String(decoding: try Self.read(path(name), refusing: 0o077), as: UTF8.self)
  }

  /// Reads a small file unless its mode has one of the refused bits.
  package static func read(
    _ path: String, refusing bits: UInt32
  ) throws(SessionError) -> [UInt8] {
    do throws(SecretFile.Failure) {
      return try SecretFile.read(path, refusing: bits)
    } catch {
      throw SessionError(error, reading: (path as NSString).lastPathComponent)
    }
  }

  /// Removes a token's file.
  ///
  /// - Parameter name: The token's name.
  /// - Throws: ``SessionError`` when the file cannot be removed.
  public func removeToken(for name: String) throws(SessionError) {
    // A file that was being written when the process was killed.
    unsafe unlink(path(name) + ".tmp")
    guard unsafe unlink(path(name)) != 0, errno != ENOENT else { return }
    throw SessionError(errno: errno, doing: "remove", path(name))
  }
}

extension SessionError {
  /// Makes an error from the failure to read a file of a token or key.
  init(_ failure: SecretFile.Failure, reading name: String) {
    switch failure {
    case .unopened(let code):
      self.init(
        code == ENOENT ? .credentialsMissing : .credentialsUnavailable,
        "cannot open \(name), a token or key; restore it or start the session again",
        systemCode: Int(code))
    case .exposed:
      self.init(
        .credentialsExposed,
        "\(name), a token or key, is accessible to other users; set its mode to 0600")
    case .empty:
      self.init(
        .credentialsUnavailable, "\(name), a token or key, is empty; start the session again")
    }
  }
}
