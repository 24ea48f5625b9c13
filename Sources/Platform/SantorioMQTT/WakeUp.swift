// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import Glibc

/// Wakes a thread that waits for a socket.
final class WakeUp: Sendable {
  private let descriptor: Int32

  /// Without a descriptor (the process has too many) a wait ends by its time only.
  init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Ends the present wait, or else the next.
  func signal() { eventfd_write(descriptor, 1) }

  /// Waits for a socket, for a signal, or until the time has passed.
  ///
  /// - Parameters:
  ///   - socket: The socket's descriptor; nil for none.
  ///   - isWriting: Whether to wait until the socket can be written to, too.
  ///   - longest: The longest wait.
  /// - Returns: Whether the socket may be read, and whether it may be written to.
  func wait(
    for socket: Int32? = nil, isWriting: Bool = false, longest: Duration
  ) -> (canRead: Bool, canWrite: Bool) {
    let wanted = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket ?? -1, events: wanted, revents: 0),
    ]
    let milliseconds = Int32(max(0, min(longest / .milliseconds(1), 60_000)).rounded(.up))
    guard unsafe poll(&descriptors, 2, milliseconds) > 0 else { return (false, false) }
    if descriptors[0].revents != 0 {
      var count: eventfd_t = 0
      unsafe eventfd_read(descriptor, &count)
    }
    let events = descriptors[1].revents
    let isBroken = events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    return (isBroken || events & Int16(POLLIN) != 0, events & Int16(POLLOUT) != 0)
  }
}
