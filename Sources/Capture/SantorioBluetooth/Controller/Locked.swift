// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value behind a lock. (`Mutex` of the standard library asks for iOS 18.)
final class Locked<Value>: @unchecked Sendable {
  // `value` is touched only while `lock` is held.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
