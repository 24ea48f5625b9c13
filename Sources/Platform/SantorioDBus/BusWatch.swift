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
  private var hasDeadline = false

  init(
    _ descriptor: Int32, queue: DispatchQueue, work: @escaping @Sendable () -> Void
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
    timer.setEventHandler(handler: work)
    reading.activate()
    timer.activate()
  }

  /// Changes what is waited for; `deadline` is in microseconds of the monotonic clock.
  func follow(isWriting: Bool, deadline: UInt64) {
    if isWriting { watchWriting() } else { stopWriting() }
    guard hasDeadline || deadline != .max else { return }
    hasDeadline = deadline != .max
    let (nanoseconds, isTooFar) = deadline.multipliedReportingOverflow(by: 1_000)
    timer.schedule(
      deadline: isTooFar ? .distantFuture : DispatchTime(uptimeNanoseconds: nanoseconds))
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
    reading.cancel()
    timer.cancel()
    stopWriting()
  }
}
