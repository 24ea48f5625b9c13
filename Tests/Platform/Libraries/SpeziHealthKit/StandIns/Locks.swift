// SPDX-License-Identifier: Apache-2.0

// In place of SpeziFoundation's locks, which need swift-atomics, and of what only Objective-C needs.
import Foundation

/// Runs code that raises an exception of Objective-C on Apple's platforms; Linux has none.
public func catchingNSException<Value>(_ body: () throws -> Value) throws -> Value { try body() }

/// The library takes it for locks that a thread takes once.
public typealias RWLock = RecursiveRWLock

/// A lock that one thread takes at a time, to read as well as to write, as often as it likes.
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
