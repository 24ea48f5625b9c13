// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Whose turn it is when several devices are read one after the other.
///
/// A device that was served rests before its next turn, so that the others get theirs: shortly when
/// it had news, and each time twice as long when it had none. So a device rests about as long as it
/// has been awake without news, and one that wakes for a new measurement is not kept waiting.
package struct DeviceTurns: Sendable {
  /// How long a device rests that had news.
  package static let shortest = Duration.seconds(5)
  /// How long a device rests at most.
  package static let longest = Duration.seconds(120)
  /// How many devices are remembered; of more, those are forgotten that were not served for
  /// longest.
  package static let capacity = 256

  private struct Turn {
    var served: Duration
    var rest: Duration
    /// The readings that it gave last, as hashes.
    var readings: Set<Int>

    var end: Duration { served + rest }
  }

  private var turns: [UUID: Turn] = [:]

  /// Begins with no device served.
  package init() {}

  /// Notes that a device was connected or listened to, and what came of it.
  ///
  /// - Parameters:
  ///   - device: Which device.
  ///   - logIDs: The identifiers of the readings that it gave; none when it failed.
  ///   - now: The present instant.
  /// - Returns: How many of the readings are new.
  @discardableResult
  package mutating func served(
    _ device: UUID, readings logIDs: [String], at now: Duration
  ) -> Int {
    let last = turns[device]
    let readings = Set(logIDs.map(\.hashValue))
    let new = readings.subtracting(last?.readings ?? [])
    turns[device] = Turn(
      served: now, rest: new.isEmpty ? rest(after: last, at: now) : Self.shortest,
      readings: readings.isEmpty ? last?.readings ?? [] : readings)
    forgetOldest()
    return new.count
  }

  /// The devices that are left alone now.
  package func resting(at now: Duration) -> Set<UUID> {
    Set(turns.filter { $0.value.end > now }.keys)
  }

  /// How long it takes until the next of the resting devices may be served; nil when none rests.
  package func untilNext(at now: Duration) -> Duration? {
    turns.values.map { $0.end - now }.filter { $0 > .zero }.min()
  }

  private func rest(after last: Turn?, at now: Duration) -> Duration {
    // One that could have been served for a while, and was not, has slept meanwhile.
    guard let last, now - last.end <= last.rest + Self.longest else { return Self.shortest }
    return min(last.rest * 2, Self.longest)
  }

  private mutating func forgetOldest() {
    guard turns.count > Self.capacity else { return }
    guard let oldest = turns.min(by: { $0.value.served < $1.value.served }) else { return }
    turns[oldest.key] = nil
  }
}
