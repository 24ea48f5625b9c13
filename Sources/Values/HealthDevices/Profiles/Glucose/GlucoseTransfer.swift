// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The records of one transfer, on the way from notifications to readings in the order of their
/// numbers.
///
/// A context may come a little later than its measurement, so the last few measurements are held
/// back. What an earlier transfer already had is recognised by the record that it ended with, which
/// is asked for again: when it comes, only what follows it is new. When it does not, or another
/// record has its number, the meter's memory was cleared, and everything is new.
package struct GlucoseTransfer: Sendable {
  /// Some records, and how far the transfer has come with them.
  package struct Batch: Hashable, Sendable {
    package var records: [GlucoseRecord] = []
    package var checkpoint: SyncCheckpoint?
  }

  /// How many measurements may still be waiting for their context.
  private static let window = 8

  private let checkpoint: SyncCheckpoint?
  private let key: CheckpointKey
  private var isCheckpointFound = false
  private var open: [GlucoseMeasurement] = []
  private var contexts: [UInt16: GlucoseMeasurementContext] = [:]
  private var received: Set<GlucoseMeasurement> = []
  private var newestReceived: UInt16?
  private var newestReleased: GlucoseMeasurement?
  /// As long as the numbers grow, nothing older is expected after what was released.
  private var isAscending = true

  /// Begins a transfer.
  ///
  /// - Parameters:
  ///   - checkpoint: The record with which an earlier transfer ended.
  ///   - key: The key of the checkpoints.
  package init(since checkpoint: SyncCheckpoint?, key: CheckpointKey) {
    self.checkpoint = checkpoint
    self.key = key
  }

  /// Whether the record with which the earlier transfer ended has come, or there was no earlier
  /// one.
  package var isAnchored: Bool { checkpoint == nil || isCheckpointFound }

  /// A measurement came; returns those that need not wait any longer.
  ///
  /// When older ones follow what was released, the transfer has come nowhere yet: the checkpoint is
  /// then one that no record has.
  package mutating func receive(_ measurement: GlucoseMeasurement) -> Batch {
    guard received.insert(measurement).inserted else { return Batch() }
    var batch = Batch()
    if let newestReceived, isAscending, !measurement.sequenceNumber.isAfter(newestReceived) {
      isAscending = false
      if newestReleased != nil {
        batch.checkpoint = SyncCheckpoint(sequenceNumber: 0, payload: [UInt8](), key: key)
      }
    }
    newestReceived = measurement.sequenceNumber
    if measurement.checkpoint(key: key) == checkpoint { isCheckpointFound = true }
    open.append(measurement)
    guard isAscending, isAnchored, open.count > Self.window else { return batch }
    return release(Array(open.prefix(open.count - Self.window)))
  }

  /// A context came.
  package mutating func receive(_ context: GlucoseMeasurementContext) {
    contexts[context.sequenceNumber] = context
  }

  /// Whether nothing is held back.
  package var isEmpty: Bool { open.isEmpty }

  /// The device has reported the end: returns what does not wait for a context that was announced.
  ///
  /// A device may disconnect at once, so nothing else may be held back.
  package mutating func settle() -> Batch {
    open = ordered(open)
    let waiting = open.firstIndex { $0.contextFollows && contexts[$0.sequenceNumber] == nil }
    return release(Array(open.prefix(waiting ?? open.count)))
  }

  /// The transfer is over: returns all that is left, in the order of the numbers.
  package mutating func finish() -> Batch {
    release(ordered(open))
  }

  /// The transfer was broken off: returns what does not wait for a context that was announced.
  ///
  /// What waits comes with the next transfer. When the numbers are out of order, what is missing is
  /// unknown, and no checkpoint is returned.
  ///
  /// - Parameter hasContexts: Whether the meter can send contexts. For those of one that has
  ///   announced several and sent none nothing waits; it may send them last, so no checkpoint is
  ///   returned.
  /// - Returns: The records, and how far the transfer has come.
  package mutating func breakOff(hasContexts: Bool = true) -> Batch {
    let announced = received.filter(\.contextFollows).count
    let lacksAll = hasContexts && announced >= 2 && contexts.isEmpty
    var batch = hasContexts && !lacksAll ? settle() : finish()
    if lacksAll || !isAscending || !isAnchored { batch.checkpoint = nil }
    return batch
  }

  private mutating func release(_ measurements: [GlucoseMeasurement]) -> Batch {
    open.removeFirst(measurements.count)
    let new = measurements.filter(isNew)
    if let last = new.last, newestReleased.map({ last.isAfter($0) }) ?? true {
      newestReleased = last
    }
    let isOlderLeft = newestReleased.map { newest in open.contains { newest.isAfter($0) } } ?? false
    return Batch(
      records: new.map {
        GlucoseRecord(measurement: $0, context: contexts[$0.sequenceNumber])
      },
      checkpoint: new.isEmpty || isOlderLeft ? nil : newestReleased?.checkpoint(key: key))
  }

  private func isNew(_ measurement: GlucoseMeasurement) -> Bool {
    guard let checkpoint, isCheckpointFound else { return true }
    return measurement.sequenceNumber.isAfter(UInt16(truncatingIfNeeded: checkpoint.sequenceNumber))
  }

  private func ordered(_ measurements: [GlucoseMeasurement]) -> [GlucoseMeasurement] {
    guard !isAscending else { return measurements }
    let numbers = measurements.map(\.sequenceNumber)
    // A memory that holds both ends of the range has passed from 65535 to 0.
    let passesZero = numbers.contains { $0 < 0x4000 } && numbers.contains { $0 >= 0xC000 }
    let first: UInt16 = passesZero ? 0x8000 : 0
    return measurements.sorted { $0.sequenceNumber &- first < $1.sequenceNumber &- first }
  }
}

extension UInt16 {
  /// Whether a sequence number comes after another one, also across the step from 65535 to 0.
  fileprivate func isAfter(_ other: UInt16) -> Bool { Int16(bitPattern: self &- other) > 0 }
}

extension GlucoseMeasurement {
  fileprivate func isAfter(_ other: GlucoseMeasurement) -> Bool {
    sequenceNumber.isAfter(other.sequenceNumber)
  }

  /// The measurement as the end of a transfer, made of what never changes: not of the time offset,
  /// which follows the user's clock.
  package func checkpoint(key: CheckpointKey) -> SyncCheckpoint {
    var unchanging = self
    unchanging.timeOffset = nil
    unchanging.contextFollows = false
    unchanging.trailingBytes = []
    return SyncCheckpoint(
      sequenceNumber: Int(sequenceNumber), payload: unchanging.payload, key: key)
  }
}
