// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value behind a lock.
///
/// `Mutex` of the standard library would do, but asks for iOS 18, and ThreadSanitizer does not see
/// the order that it makes. A lock without a value is an `NSLock`: an empty value has no place of
/// its own, and ThreadSanitizer takes its accesses for ones to the whole object.
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
