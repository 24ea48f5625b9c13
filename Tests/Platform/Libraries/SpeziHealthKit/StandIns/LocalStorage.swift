// SPDX-License-Identifier: Apache-2.0

// In place of SpeziLocalStorage, which encrypts with keys of Apple's keychain and publishes with Combine: values in files,
// as JSON.
import Foundation
import Spezi

/// How a value is stored; here always unencrypted.
public struct LocalStorageSetting: Sendable {
  /// A file that anyone can read.
  public static func unencrypted(excludeFromBackup: Bool = true) -> Self { Self() }
}

/// The name of a value, and how it is coded.
public final class LocalStorageKey<Value>: Sendable {
  let key: String
  let encode: @Sendable (Value) throws -> Data
  let decode: @Sendable (Data) throws -> Value

  /// The key of a name.
  public init(_ key: String, setting: LocalStorageSetting = .unencrypted()) where Value: Codable {
    self.key = key
    encode = { try JSONEncoder().encode($0) }
    decode = { try JSONDecoder().decode(Value.self, from: $0) }
  }
}

/// The values, each in a file.
public final class LocalStorage: Module, DefaultInitializable, EnvironmentAccessible,
  @unchecked Sendable
{
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "storage-\(UUID())")
  private let lock = NSLock()

  /// An empty storage.
  public required init() {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(of key: LocalStorageKey<some Any>) -> URL {
    folder.appendingPathComponent(key.key)
  }

  /// Stores a value, or deletes it.
  public func store<Value>(_ value: Value?, for key: LocalStorageKey<Value>) throws {
    guard let value else { return try delete(key) }
    try lock.withLock { try key.encode(value).write(to: file(of: key)) }
  }

  /// The value, where there is one.
  public func load<Value>(_ key: LocalStorageKey<Value>) throws -> Value? {
    try lock.withLock { try (try? Data(contentsOf: file(of: key))).map(key.decode) }
  }

  /// Forgets a value.
  public func delete(_ key: LocalStorageKey<some Any>) throws {
    try lock.withLock {
      guard FileManager.default.fileExists(atPath: file(of: key).path) else { return }
      try FileManager.default.removeItem(at: file(of: key))
    }
  }
}
