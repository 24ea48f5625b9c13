// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioCore
import Glibc

/// The time for which a machine has run, also asleep: a clock that is set does not change it.
package struct Uptime: Hashable, Sendable {
  /// The identifier of this start of the machine.
  package let boot: String
  /// The seconds since.
  package let seconds: TimeInterval

  package init(boot: String, seconds: TimeInterval) {
    (self.boot, self.seconds) = (boot, seconds)
  }

  /// The machine's own; nil where the kernel does not say.
  package static func now() -> Uptime? {
    var time = timespec()
    guard let boot = kernelBoot, unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else {
      return nil
    }
    return Uptime(boot: boot, seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  private static let kernelBoot = try? String(
    contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8
  ).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// The start of a machine by its own clock, which moves when the clock is set.
struct MachineStart: Hashable, Sendable, Codable {
  let boot: String
  let date: Date

  init(_ uptime: Uptime, at now: Date) {
    (boot, date) = (uptime.boot, now - uptime.seconds)
  }

  private static let leastStep: TimeInterval = 1

  /// The seconds by which the clock was set since; nil where it was not, or the machine has started anew.
  func step(to now: MachineStart) -> TimeInterval? {
    let step = now.date.timeIntervalSince(date)
    return now.boot == boot && abs(step) >= Self.leastStep ? step : nil
  }
}

extension HubFacts {
  /// Notes the machine's clock, and moves the beginnings of ownerships with it that were noted since the
  /// machine has started: a machine without a battery has the wrong time until the network gives it.
  ///
  /// - Returns: The seconds by which the clock was set; nil where it was not.
  package mutating func noteClock(_ uptime: Uptime, at now: Date) -> TimeInterval? {
    let start = MachineStart(uptime, at: now)
    guard let before = machine, before.boot == start.boot else {
      machine = start
      return nil
    }
    guard let step = before.step(to: start) else { return nil }
    machine = start
    for device in devices.keys {
      devices[device]?.owners.move(since: before.date, by: step)
    }
    return step
  }
}
