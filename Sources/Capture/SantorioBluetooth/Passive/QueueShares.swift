// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// How much of a queue each device has filled: one that floods it must not block the others.
///
/// Nothing that was read is dropped; a device that has reached its share is not read until the
/// queue has been sent.
package struct QueueShares: Sendable {
  /// How many readings of one device may wait; more than any meter keeps.
  package static let limit = 5000

  /// How many readings of a device may wait here.
  package let limit: Int
  private var counts: [UUID: Int] = [:]
  package private(set) var full: Set<UUID> = []

  /// Starts with nothing waiting.
  package init(limit: Int = Self.limit) { self.limit = limit }

  /// Adds new readings of a device.
  package mutating func add(_ count: Int, of device: UUID) {
    guard count > 0 else { return }
    counts[device, default: 0] += count
  }

  /// Updates the shares by the number of waiting records.
  ///
  /// - Parameter pending: How many records wait, of all devices.
  /// - Returns: The devices that have reached their share just now.
  package mutating func update(pending: Int) -> Set<UUID> {
    // No more of a device can wait than wait at all.
    counts = counts.mapValues { min($0, pending) }.filter { $0.value > 0 }
    let now = Set(counts.filter { $0.value >= limit }.keys)
    defer { full = now }
    return now.subtracting(full)
  }
}
