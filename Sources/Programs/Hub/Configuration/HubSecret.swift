// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioFiles
import SantorioSystemd

/// Where a secret is: the configuration never holds the secret itself.
package enum HubSecret: Hashable, Sendable {
  /// A credential that systemd passes to the service, by its name.
  case credential(String)
  /// A file that its owner alone may read, by its absolute path.
  case file(String)

  /// Why a secret cannot be used, and what to do; without the secret.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    package let description: String
    /// Whether the reason is that systemd has passed no credentials at all to this process.
    package let isOutsideService: Bool
  }

  /// Reads the secret, without white space around it.
  ///
  /// - Parameter environment: The environment of the process, which names systemd's credentials.
  /// - Returns: The secret, which is not empty.
  /// - Throws: ``Failure`` when it is missing, empty or exposed to other users.
  package func read(environment: [String: String]) throws(Failure) -> String {
    let bytes: [UInt8]
    do throws(SecretFile.Failure) {
      bytes = try self.bytes(environment)
    } catch {
      throw failure(error, environment)
    }
    let text = String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw failure(.empty, environment) }
    return text
  }

  private func bytes(_ environment: [String: String]) throws(SecretFile.Failure) -> [UInt8] {
    switch self {
    case .file(let path): return try SecretFile.read(path, refusing: 0o077)
    case .credential(let name):
      guard let bytes = try SystemdCredentialFolder(environment: environment)?.read(name) else {
        throw .unopened(errno: ENOENT)
      }
      return bytes
    }
  }

  private func failure(
    _ failure: SecretFile.Failure, _ environment: [String: String]
  ) -> Failure {
    switch self {
    case .file(let path): Self.failure(failure, file: path)
    case .credential(let name): Self.failure(failure, credential: name, environment)
    }
  }

  private static func failure(_ failure: SecretFile.Failure, file path: String) -> Failure {
    let text =
      switch failure {
      case .unopened(ENOENT): "the file \(path.shown) does not exist; create it with mode 600"
      case .unopened(ELOOP):
        "the file \(path.shown) is a symbolic link, which is not followed; name the file itself"
      case .unopened(let number):
        "the file \(path.shown) cannot be read: \(unsafe String(cString: strerror(number))); it must "
          + "belong to the hub's user"
      case .exposed: "others may read the file \(path.shown); run: chmod 600 \(path.shown)"
      case .empty: "the file \(path.shown) is empty or not a file; write the secret into it"
      }
    return Failure(description: text, isOutsideService: false)
  }

  private static func failure(
    _ failure: SecretFile.Failure, credential name: String, _ environment: [String: String]
  ) -> Failure {
    guard SystemdCredentialFolder(environment: environment) != nil else {
      return Failure(
        description: "the credential \(name) is there only in the service, which systemd starts",
        isOutsideService: true)
    }
    let text =
      switch failure {
      case .unopened(ENOENT):
        "the service has no credential \(name); add LoadCredentialEncrypted=\(name):FILE to its unit"
      case .unopened(let number):
        "the credential \(name) cannot be read: \(unsafe String(cString: strerror(number)))"
      case .exposed: "every user may read the credential \(name); set it anew by systemd-creds"
      case .empty: "the credential \(name) is empty; set it anew by systemd-creds"
      }
    return Failure(description: text, isOutsideService: false)
  }
}
