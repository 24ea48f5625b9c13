// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes the format and the arguments, as they describe themselves.
public func os_log(
  _ format: StaticString, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: any CVarArg...
) {
  Logger(log).notice("\(format) \(arguments)")
}

/// A lock.
public final class os_unfair_lock: @unchecked Sendable {
  fileprivate let lock = NSLock()

  /// An open lock.
  public init() {}
}

/// Closes a lock.
public func os_unfair_lock_lock(_ lock: inout os_unfair_lock) { lock.lock.lock() }

/// Opens a lock.
public func os_unfair_lock_unlock(_ lock: inout os_unfair_lock) { lock.lock.unlock() }
