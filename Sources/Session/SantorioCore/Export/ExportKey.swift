// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCryptography

/// The header of an export, and the key that follows from it and the passphrase.
///
/// The header has 37 bytes: the text `SANTORIO EXPORT` with a line end, the format's version 1, the
/// number of iterations as 4 bytes, most significant first, and a salt of 16 bytes. Frames follow,
/// see ``ExportWriter``. The key is made by PBKDF2 with HMAC-SHA256.
struct ExportKey: Sendable {
  static let headerSize = magic.count + 1 + 4 + saltSize
  /// OWASP's recommendation for PBKDF2 with HMAC-SHA256, of 2023.
  static let usualIterations = 600_000
  /// A file that asks for more than a second or two of work is refused.
  private static let mostIterations = 2_000_000
  private static let magic = Array("SANTORIO EXPORT\n".utf8)
  private static let version: UInt8 = 1
  private static let saltSize = 16

  let header: [UInt8]
  private let cipher: AESGCM
  private let name: String

  /// A key for a new file.
  ///
  /// - Throws: ``SessionError``, of code `weakPassphrase`.
  init(
    passphrase: String, iterations: Int = Self.usualIterations
  ) throws(SessionError) {
    guard ExportPassphrase.isLongEnough(passphrase) else { throw SessionError.weakPassphrase }
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<Self.saltSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let count = (0..<4).map { UInt8(truncatingIfNeeded: iterations >> (24 - 8 * $0)) }
    try self.init(
      header: Self.magic + [Self.version] + count + salt, passphrase, salt, iterations)
  }

  /// The key of an existing file.
  ///
  /// - Throws: ``SessionError``, of code `exportDamaged` for another kind of file, `storageIsNewer`
  ///   for one of a newer version.
  init(header: [UInt8], passphrase: String) throws(SessionError) {
    guard header.starts(with: Self.magic) else {
      throw SessionError(.exportDamaged, "the file is not an export of a queue")
    }
    guard header.count == Self.headerSize else { throw SessionError.exportEnds }
    let version = header[Self.magic.count]
    guard version <= Self.version else {
      throw SessionError(
        .storageIsNewer,
        "the export has version \(version), this library knows \(Self.version); update the library")
    }
    let rest = header.dropFirst(Self.magic.count + 1)
    let iterations = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard version == Self.version, (1...Self.mostIterations).contains(iterations) else {
      throw SessionError(.exportDamaged, "the first bytes of the export are damaged")
    }
    try self.init(header: header, passphrase, Array(rest.dropFirst(4)), iterations)
  }

  private init(
    header: [UInt8], _ passphrase: String, _ salt: [UInt8], _ iterations: Int
  ) throws(SessionError) {
    do throws(CryptographyError) {
      cipher = AESGCM(
        key: try PBKDF2.key(
          of: ExportPassphrase.normalized(passphrase), salt: salt, iterations: iterations))
    } catch {
      throw SessionError(.storageFailed, "no key can be made of the passphrase: \(error.message)")
    }
    self.header = header
    name = "export/" + Data(header).base64EncodedString() + "/"
  }

  /// Encrypts a frame; its number is authenticated with it, so that none can be moved or left out.
  func seal(_ bytes: [UInt8], number: Int) throws(SessionError) -> [UInt8] {
    var sealed: [UInt8] = []
    let isDone = cipher.encrypting { encryption in
      unsafe bytes.withUnsafeBufferPointer {
        unsafe encryption.seal($0, authenticating: name + String(number), onto: &sealed)
      }
    }
    guard isDone else { throw SessionError(.storageFailed, "the export cannot be encrypted") }
    return sealed
  }

  /// Decrypts a frame; nil when the passphrase is another one, or the frame is damaged.
  func open(_ sealed: [UInt8], number: Int) -> [UInt8]? {
    cipher.open(sealed, authenticating: name + String(number))
  }
}

extension SessionError {
  static let weakPassphrase = SessionError(
    .weakPassphrase,
    "the passphrase has fewer than \(ExportPassphrase.least) characters; use a longer one")
  static let exportEnds = SessionError(
    .exportDamaged,
    "the export is not complete: the file ends too early; copy it again, "
      + "or import what can be read with allowingIncomplete")
}
