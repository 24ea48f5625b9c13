// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a session was told and what it reported, in order; it sees to the queue of the events.
final class Journal<Line: Sendable>: @unchecked Sendable {
  let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()
  private let lock = NSLock()
  private var written: [Line] = []
  private var complaining: [String] = []
  private var isHandling = false

  init(label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: true)
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  var lines: [Line] { locked { written } }

  var complaints: [String] { locked { complaining } }

  func write(_ line: Line) {
    locked { written.append(line) }
  }

  /// Runs a closure while no event can come.
  func hold<Result>(_ body: () -> Result) -> Result {
    DispatchQueue.getSpecific(key: key) == true ? body() : queue.sync(execute: body)
  }

  /// Takes an event, and does what follows from it.
  func receive(_ line: Line, then action: () -> Void = {}) {
    let isOnQueue = DispatchQueue.getSpecific(key: key) == true
    locked {
      if !isOnQueue { complaining.append("an event came outside of the session's queue") }
      if isHandling { complaining.append("an event came inside a command") }
      isHandling = true
      written.append(line)
    }
    action()
    locked { isHandling = false }
  }
}
