// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value behind a lock. (Mutex of the standard library needs iOS 18.)
package final class Locked<Value>: @unchecked Sendable {
  // `lock` guards `value`: it is touched inside `withLock` only.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
