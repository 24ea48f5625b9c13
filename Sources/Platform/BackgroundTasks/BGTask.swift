// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the system has launched the app for; one of its two subclasses.
open class BGTask: NSObject, @unchecked Sendable {
  /// The name of the task.
  public let identifier: String
  private let completed: (Bool) -> Void
  private let lock = NSLock()
  private var unlockedHandler: (() -> Void)?
  private var isCompleted = false

  init(_ identifier: String, completed: @escaping (Bool) -> Void) {
    self.identifier = identifier
    self.completed = completed
  }

  /// What is called shortly before the time is over; nil after it was called, and after the end of the
  /// task.
  open var expirationHandler: (() -> Void)? {
    get { lock.withLock { unlockedHandler } }
    set { lock.withLock { unlockedHandler = isCompleted ? nil : newValue } }
  }

  /// Says that the work is done; only the first call counts.
  open func setTaskCompleted(success: Bool) {
    let isFirst = lock.withLock {
      defer { isCompleted = true }
      unlockedHandler = nil
      return !isCompleted
    }
    if isFirst { completed(success) }
  }

  /// Takes the handler away, to call it.
  func takeExpirationHandler() -> (() -> Void)? {
    lock.withLock {
      defer { unlockedHandler = nil }
      return unlockedHandler
    }
  }
}

/// A task of some minutes, for work that can wait.
open class BGProcessingTask: BGTask, @unchecked Sendable {}

/// A task of half a minute, in which the app brings itself up to date.
open class BGAppRefreshTask: BGTask, @unchecked Sendable {}
