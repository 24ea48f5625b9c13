// SPDX-License-Identifier: Apache-2.0

import Glibc
package import SantorioFiles

/// The folder into which systemd decrypts the credentials of a service (systemd.exec(5)).
package struct SystemdCredentialFolder: Sendable {
  /// The bits of a credential's mode that make it unsafe: systemd grants the service access by
  /// those of the group (an ACL), never by those for others.
  package static let refusedBits: UInt32 = 0o007

  private let path: String

  /// The folder that systemd made for this service; nil without systemd credentials.
  ///
  /// - Parameter environment: The environment of the process.
  package init?(environment: [String: String]) {
    guard let path = environment["CREDENTIALS_DIRECTORY"], !path.isEmpty else { return nil }
    self.path = path
  }

  /// The path of a credential's file, whether the service has it or not.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Reads a credential.
  ///
  /// - Parameter name: The credential's name.
  /// - Returns: The bytes of its file; nil when the service does not have it.
  /// - Throws: `SecretFile.Failure`, also when every user can read the file.
  package func read(_ name: String) throws(SecretFile.Failure) -> [UInt8]? {
    do throws(SecretFile.Failure) {
      return try SecretFile.read(path(of: name), refusing: Self.refusedBits)
    } catch {
      guard error == .unopened(errno: ENOENT) else { throw error }
      return nil
    }
  }
}
