// SPDX-License-Identifier: Apache-2.0

import Foundation

/// For how long a hub has listened for its devices, by which it is known how long one is silent.
///
/// The time of day tells nothing of that: the hub may have been off or paused, and its clock may be
/// set.
struct ListeningTime: Sendable {
  /// How often it is written to the disk.
  private static let period: TimeInterval = 600

  /// In seconds, all in all.
  private var total: TimeInterval = 0
  private var written: TimeInterval = 0
  private var last: Duration?
  /// When each device was heard, by the time of day and by the total.
  private var heard: [UUID: (date: Date?, total: TimeInterval)] = [:]

  init() {}

  init(_ facts: HubFacts) {
    (total, written) = (facts.listened, facts.listened)
    for (id, device) in facts.devices { heard[id] = (device.lastHeard, device.heardAfter) }
  }

  /// Whether it is to be written.
  var isDue: Bool { total - written >= Self.period }

  mutating func wasWritten() { written = total }

  /// Notes whether devices were listened for since the last time.
  mutating func note(isListening: Bool, at now: Duration) {
    defer { last = now }
    guard isListening, let last, now > last else { return }
    total += (now - last) / .seconds(1)
  }

  /// For how long a device was listened for in vain, in seconds.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - lastHeard: When it was last heard; nil when it never was.
  /// - Returns: The time.
  mutating func silence(of device: UUID, lastHeard: Date?) -> TimeInterval {
    guard let known = heard[device] else {
      heard[device] = (lastHeard, total)
      return 0
    }
    if let lastHeard, known.date.map({ lastHeard > $0 }) ?? true {
      heard[device] = (lastHeard, total)
      return 0
    }
    return total - known.total
  }

  func write(to facts: inout HubFacts) {
    facts.listened = total
    for (device, known) in heard {
      facts[device]?.lastHeard = known.date
      facts[device]?.heardAfter = known.total
    }
  }
}
