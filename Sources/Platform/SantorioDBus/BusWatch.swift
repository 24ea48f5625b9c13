// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Calls back when a connection may have work: it is readable, writable, or a deadline has passed.
final class BusWatch {
  // A copy, so that sd-bus may close its own before the sources have released it.
  private let descriptor: DBusFileDescriptor
  private let queue: DispatchQueue
  private let work: @Sendable () -> Void
  private let reading: any DispatchSourceRead
  private var writing: (any DispatchSourceWrite)?
  private let timer: any DispatchSourceTimer
  /// When the timer fires, in microseconds of the monotonic clock.
  private var alarm = UInt64.max
  private var isPaused = false

  /// Begins to watch; `work` is called when there may be work, `deadlinePassed` when a deadline has
  /// passed, which is to be followed by ``timerFired()``.
  init(
    _ descriptor: Int32, queue: DispatchQueue, work: @escaping @Sendable () -> Void,
    deadlinePassed: @escaping @Sendable () -> Void
  ) throws(DBusError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw DBusError(code: -errno) }
    let owned = DBusFileDescriptor(copy)
    self.descriptor = owned
    self.queue = queue
    self.work = work
    reading = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
    reading.setEventHandler(handler: work)
    reading.setCancelHandler { withExtendedLifetime(owned) {} }
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .distantFuture)
    timer.setEventHandler(handler: deadlinePassed)
    reading.activate()
    timer.activate()
  }

  /// Notes that the timer has to be set for the next deadline.
  func timerFired() { alarm = .max }

  /// Changes what is waited for; `deadline` is in microseconds of the monotonic clock.
  ///
  /// A timer that fires before the deadline stays as it is: to set one takes two changes of thread,
  /// which after each of many answers costs more than one early alarm.
  func follow(isWriting: Bool, deadline: UInt64) {
    if isWriting { watchWriting() } else { stopWriting() }
    guard deadline < alarm else { return }
    alarm = deadline
    let (nanoseconds, isTooFar) = deadline.multipliedReportingOverflow(by: 1_000)
    timer.schedule(
      deadline: isTooFar ? .distantFuture : DispatchTime(uptimeNanoseconds: nanoseconds))
  }

  /// Leaves what arrives unread, until ``resume()``.
  func pause() {
    guard !isPaused else { return }
    isPaused = true
    reading.suspend()
  }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    reading.resume()
  }

  private func watchWriting() {
    guard writing == nil else { return }
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.value, queue: queue)
    source.setEventHandler(handler: work)
    source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
    source.activate()
    writing = source
  }

  private func stopWriting() {
    writing?.cancel()
    writing = nil
  }

  /// Ends it and the connection: the other side sees the end at once.
  func cancel() {
    shutdown(descriptor.value, Int32(SHUT_RDWR))
    // A source that is paused cannot be released.
    resume()
    reading.cancel()
    timer.cancel()
    stopWriting()
  }
}
