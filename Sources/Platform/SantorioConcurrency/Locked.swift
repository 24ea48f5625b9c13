// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value behind a lock.
///
/// `Mutex` of the standard library requires iOS 18, and ThreadSanitizer does not recognise its
/// ordering. For a lock without a value use `NSLock`: an empty value has no storage of its own, and
/// ThreadSanitizer treats accesses to it as accesses to the whole object.
package final class Locked<Value>: @unchecked Sendable {
  // `lock` guards `value`: it is touched inside `withLock` only.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Calls `body` with the value while the lock is held; the lock is not recursive.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
