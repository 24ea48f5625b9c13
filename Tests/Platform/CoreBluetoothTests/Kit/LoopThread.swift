// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation

/// A thread with a run loop that turns only when it is told to.
final class LoopThread {
  /// What the thread keeps.
  private final class Work: @unchecked Sendable {
    private let lock = NSLock()
    private let signal = DispatchSemaphore(value: 0)
    private var jobs: [() -> Void] = []
    private var isOver = false

    func add(_ job: @escaping () -> Void) {
      lock.lock()
      jobs.append(job)
      lock.unlock()
      signal.signal()
    }

    func end() {
      lock.lock()
      isOver = true
      lock.unlock()
      signal.signal()
    }

    func run() {
      while let job = next() { job() }
    }

    private func next() -> (() -> Void)? {
      signal.wait()
      lock.lock()
      defer { lock.unlock() }
      return isOver || jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }

  private let work = Work()

  init() {
    Thread.detachNewThread { [work] in work.run() }
  }

  deinit {
    work.end()
  }

  /// Does something on the thread.
  func run<Value>(_ job: @escaping () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      work.add { continuation.resume(returning: job()) }
    }
  }

  /// Begins something on the thread and does not wait for it.
  func begin(_ job: @escaping () -> Void) {
    work.add(job)
  }

  var loop: RunLoop {
    get async { await run { RunLoop.current } }
  }

  /// Lets the run loop handle what waits for it.
  func turn(_ mode: RunLoop.Mode = .default) async {
    await run {
      // A source that a timer has added has its turn after the timer.
      var quietTurns = 0
      while quietTurns < 2 {
        let hasHandled = Self.turnOnce(mode)
        quietTurns = hasHandled ? 0 : quietTurns + 1
      }
    }
  }

  private static func turnOnce(_ mode: RunLoop.Mode) -> Bool {
    let name = CFStringCreateWithCString(
      nil, mode.rawValue, CFStringBuiltInEncodings.UTF8.rawValue)
    return CFRunLoopRunInMode(name, 0, true) == .handledSource
  }
}
