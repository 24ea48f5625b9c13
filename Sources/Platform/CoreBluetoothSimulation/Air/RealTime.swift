// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A thread that runs the environment's time by the computer's clock.
final class RealTime: @unchecked Sendable {
  private let speed: Double
  // DispatchTime is monotonic.
  private let begin = DispatchTime.now().uptimeNanoseconds
  private let signal = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private var isStopped = false

  init(speed: Double) {
    self.speed = max(speed, 0.001)
  }

  /// The environment's time.
  var now: Moment {
    Moment(Double(DispatchTime.now().uptimeNanoseconds - begin) * speed)
  }

  /// Calls the action whenever an event may be due; it returns the time of the next one.
  func start(_ action: @escaping @Sendable () -> Moment?) {
    Thread.detachNewThread { [self] in
      var deadline = DispatchTime.distantFuture
      while true {
        _ = signal.wait(timeout: deadline)
        if hasStopped { return }
        deadline = action().map(deadline(of:)) ?? .distantFuture
      }
    }
  }

  /// An event earlier than the known ones may be due.
  func wake() {
    signal.signal()
  }

  func stop() {
    lock.lock()
    isStopped = true
    lock.unlock()
    signal.signal()
  }

  private var hasStopped: Bool {
    lock.lock()
    defer { lock.unlock() }
    return isStopped
  }

  /// Rounded up to a whole millisecond of the environment's time, so that events due within it run
  /// together.
  private func deadline(of moment: Moment) -> DispatchTime {
    let milliseconds = (Double(moment) / 1_000_000).rounded(.up)
    // Limited to a century, so that the sum fits.
    let nanoseconds = UInt64(min(max(0, milliseconds * 1_000_000 / speed), 3.2e18))
    return DispatchTime(uptimeNanoseconds: begin + nanoseconds)
  }
}
