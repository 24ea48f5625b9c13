// SPDX-License-Identifier: Apache-2.0

// What SpeziFoundation has on Apple's platforms only, or with atomic values of another package.
import Foundation

/// Runs code that raises an exception of Objective-C on Apple's platforms; Linux has none.
public func catchingNSException<Value>(_ body: () throws -> Value) throws -> Value { try body() }

/// A lock that a thread may take again while it holds it.
public final class RecursiveRWLock: Sendable {
  private let lock = NSRecursiveLock()

  /// A free lock.
  public init() {}

  /// Runs code that reads.
  public func withReadLock<Value>(_ body: () throws -> Value) rethrows -> Value {
    try lock.withLock(body)
  }

  /// Runs code that changes something.
  public func withWriteLock<Value>(_ body: () throws -> Value) rethrows -> Value {
    try lock.withLock(body)
  }
}
