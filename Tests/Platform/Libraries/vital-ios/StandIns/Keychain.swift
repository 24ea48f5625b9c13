// SPDX-License-Identifier: Apache-2.0

// In place of what keeps secrets in Apple's keychain, and of what packs data for the network.
import Foundation

/// Why the keychain gives nothing.
public enum VitalKeychainError: Error {
  /// The device is locked.
  case interactionNotAllowed
}

/// Writes the library's logs into files; here nobody enables it.
final class VitalPersistentLogger {
  static let shared: VitalPersistentLogger? = nil

  func log<Body>(_ request: Request<Body>) {}
}

final class KeychainSwift {
  enum Access { case accessibleAfterFirstUnlock }

  private var values: [String: Data] = [:]

  init(keyPrefix: String) {}

  func set(_ value: Data, forKey key: String, withAccess access: Access) { values[key] = value }
  func getData(_ key: String) throws -> Data? { values[key] }
  func delete(_ key: String) { values[key] = nil }
}

extension Data {
  func gzipped() throws -> Data { self }
}
