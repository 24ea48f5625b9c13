// SPDX-License-Identifier: Apache-2.0

// What public libraries use of SpeziFoundation.
import Foundation

/// Runs code that raises an exception of Objective-C on Apple's platforms; Linux has none.
public func catchingNSException<Value>(_ body: () throws -> Value) throws -> Value { try body() }

/// A lock that one thread takes at a time, to read as well as to write.
public final class RWLock: Sendable {
  private let lock = NSLock()

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

extension Collection {
  /// The element at a place; nil where there is none.
  public subscript(safe place: Index) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
