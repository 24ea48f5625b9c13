// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Tells systemd how a service of type `notify` or `notify-reload` is (sd_notify(3)).
package struct ServiceNotifier: Sendable {
  /// What a service says of itself.
  package enum State: Hashable, Sendable {
    /// It has started, or has read its configuration again.
    case ready
    /// It reads its configuration again; ``ready`` must follow.
    case reloading
    /// It ends.
    case stopping
    /// One line for `systemctl status`, without health values and names.
    case status(String)
    /// It works: without this, within each ``ServiceNotifier/watchdogInterval``, it is restarted.
    case watchdog
    /// It needs so much more time to start, to reload or to stop.
    case extendTimeout(Duration)
  }

  /// How often ``State/watchdog`` must be said at least; nil when systemd does not ask for it.
  ///
  /// Say it twice as often.
  package let watchdogInterval: Duration?
  private let path: String

  /// Uses the socket that systemd has named; nil for a process that is not such a service.
  ///
  /// - Parameter environment: The environment of the process.
  package init?(environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
      path.utf8.count > 1
    else { return nil }
    self.path = path
    watchdogInterval = Self.watchdog(environment)
  }

  /// The interval of sd_watchdog_enabled(3).
  private static func watchdog(_ environment: [String: String]) -> Duration? {
    guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text),
      microseconds > 0
    else { return nil }
    // It may be meant for the process that started this one.
    if let process = environment["WATCHDOG_PID"], process != String(getpid()) { return nil }
    return .microseconds(microseconds)
  }

  /// Says something to systemd, all of it at once.
  ///
  /// - Parameter states: What is said.
  /// - Returns: Whether systemd has got it.
  @discardableResult
  package func send(_ states: State...) -> Bool {
    let text = states.flatMap(Self.assignments).joined(separator: "\n")
    return DatagramSocket.send(Array(text.utf8), to: path)
  }

  private static func assignments(_ state: State) -> [String] {
    switch state {
    case .ready: ["READY=1"]
    case .reloading: ["RELOADING=1", "MONOTONIC_USEC=\(monotonicMicroseconds)"]
    case .stopping: ["STOPPING=1"]
    case .status(let text): ["STATUS=\(String(text.map { $0.isNewline ? " " : $0 }))"]
    case .watchdog: ["WATCHDOG=1"]
    case .extendTimeout(let time): ["EXTEND_TIMEOUT_USEC=\(Int64(time / .microseconds(1)))"]
    }
  }

  /// CLOCK_MONOTONIC, by which systemd knows which of two reloads this is.
  private static var monotonicMicroseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
