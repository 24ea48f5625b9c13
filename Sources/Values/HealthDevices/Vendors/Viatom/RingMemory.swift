// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Which recordings of a ring are still to be read.
///
/// Rings name a recording after the time of its start, so that the digits of the names are numbers
/// that grow.
package struct RingMemory: Hashable, Sendable {
  /// The name of the memory in ``SyncCheckpoint``.
  package static let checkpoint = "recordings"
  /// The same for the newest recording that could not be read.
  package static let leftOut = "left-out"

  /// The recordings to be read, oldest first.
  package private(set) var names: [String]

  /// Chooses those that are newer than a checkpoint, which was made with a key.
  ///
  /// When the recording of the checkpoint is gone and nothing is newer, the memory was cleared or
  /// the ring's clock was set back: then all are read.
  package init(_ names: [String], after checkpoint: SyncCheckpoint?, key: CheckpointKey) {
    let sorted = names.sorted { (Self.number(of: $0) ?? 0, $0) < (Self.number(of: $1) ?? 0, $1) }
    guard let checkpoint else {
      self.names = sorted
      return
    }
    let newer = sorted.filter { Self.number(of: $0).map { $0 > checkpoint.sequenceNumber } ?? true }
    let isMarkThere = names.contains { Self.checkpoint(of: $0, key: key) == checkpoint }
    self.names = newer.isEmpty && !isMarkThere ? sorted : newer
  }

  /// Takes the next name.
  package mutating func popFirst() -> String? {
    names.isEmpty ? nil : names.removeFirst()
  }

  /// The checkpoint of a recording that was read; nil for a name without a number.
  ///
  /// It is never later than the local time: after the ring's clock was set back, recordings begin
  /// before the one that was read.
  package static func checkpoint(
    of name: String, _ memory: String = checkpoint, at time: LocalDateTime? = nil,
    key: CheckpointKey
  ) -> SyncCheckpoint? {
    guard let number = number(of: name) else { return nil }
    let now = time.flatMap { Self.number(of: $0.description) }
    return SyncCheckpoint(
      memory: memory, sequenceNumber: min(number, now ?? number), payload: name.utf8, key: key)
  }

  /// The first fourteen digits of a name, YYYYMMDDhhmmss, as a number; nil when there are fewer.
  private static func number(of name: String) -> Int? {
    let digits = name.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.count >= 14 else { return nil }
    return digits.prefix(14).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The time in a name; nil when it has none.
  package static func start(of name: String) -> LocalDateTime? {
    guard let number = number(of: name) else { return nil }
    let date = number / 1_000_000
    let time = number % 1_000_000
    let start = try? DateTime(
      year: date / 10_000, month: date / 100 % 100, day: date % 100, hours: time / 10_000,
      minutes: time / 100 % 100, seconds: time % 100)
    return start?.localDateTime
  }
}
