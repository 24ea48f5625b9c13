// SPDX-License-Identifier: Apache-2.0

// What public libraries use of SpeziLocalStorage, kept in memory as JSON.
import Foundation
import Spezi

/// How values are protected; in memory they are not.
public enum LocalStorageSetting: Sendable {
  /// As files are.
  case unencrypted(excludeFromBackup: Bool = true)
}

/// The name of a value of a type.
public final class LocalStorageKey<Value>: @unchecked Sendable {
  let name: String
  let encode: (Value) throws -> Data
  let decode: (Data) throws -> Value

  /// A name for values that are kept as JSON.
  public init(_ name: String, setting: LocalStorageSetting = .unencrypted()) where Value: Codable {
    self.name = name
    encode = { try JSONEncoder().encode($0) }
    decode = { try JSONDecoder().decode(Value.self, from: $0) }
  }
}

/// Values by name.
public final class LocalStorage: DefaultInitializable, @unchecked Sendable {
  private let lock = NSLock()
  private var values: [String: Data] = [:]

  /// An empty storage.
  public init() {}

  /// The value of a name.
  public func load<Value>(_ key: LocalStorageKey<Value>) throws -> Value? {
    try lock.withLock { values[key.name] }.map(key.decode)
  }

  /// Keeps a value, or forgets it.
  public func store<Value>(_ value: Value?, for key: LocalStorageKey<Value>) throws {
    let data = try value.map(key.encode)
    lock.withLock { values[key.name] = data }
  }
}
