// SPDX-License-Identifier: Apache-2.0

/// A value that is only reachable while its lock is held.
@_spi(Radio)
public final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Guards a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// Calls the closure with the value while the lock is held; the lock is not recursive.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
