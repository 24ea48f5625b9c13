// SPDX-License-Identifier: Apache-2.0

// In place of SpeziLocalStorage, which encrypts with keys of Apple's keychain and publishes with Combine: values in memory,
// as JSON.
import Foundation
import Spezi

/// How a value is stored; here always unencrypted.
public struct LocalStorageSetting: Sendable {
  /// As files are that anyone can read.
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

/// The values.
public final class LocalStorage: Module, DefaultInitializable, EnvironmentAccessible,
  @unchecked Sendable
{
  private let lock = NSLock()
  private var values: [String: Data] = [:]

  /// An empty storage.
  public required init() {}

  /// Stores a value, or deletes it.
  public func store<Value>(_ value: Value?, for key: LocalStorageKey<Value>) throws {
    let data = try value.map(key.encode)
    lock.withLock { values[key.key] = data }
  }

  /// The value, where there is one.
  public func load<Value>(_ key: LocalStorageKey<Value>) throws -> Value? {
    try lock.withLock { values[key.key] }.map(key.decode)
  }

  /// Forgets a value.
  public func delete(_ key: LocalStorageKey<some Any>) throws {
    lock.withLock { values[key.key] = nil }
  }
}
