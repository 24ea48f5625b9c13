// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The records of one reading of a session, each delivered once and as soon as it has come.
///
/// What an earlier reading already had is recognised by the record that it ended with, which is
/// asked for again: when it does not come, the memory is another one, and all of it is asked for.
/// A sensor goes on measuring meanwhile, and sends the new record among those that it stored: only
/// from those that are older than the request follows how far the transfer has come. The newer ones
/// are asked for in another round, since some between them may not have been sent.
package struct CGMTransfer: Sendable {
  /// Some records, and how far the transfer has come with them.
  package struct Batch: Hashable, Sendable {
    package var records: [CGMRecord] = []
    package var checkpoints: [SyncCheckpoint] = []
  }

  /// What the end of a round means.
  package enum RoundEnd: Hashable, Sendable {
    /// Something is missing: ask for this.
    case again(RecordSelection)
    /// All is there.
    case finished(Batch)
    /// Values were damaged on their way, time and again.
    case damaged
  }

  /// What makes two records the same, whether stored or just measured.
  private struct RecordKey: Hashable {
    let timeOffset: UInt16
    let concentration: UInt16
  }

  /// How often is asked.
  private static let rounds = 4

  package let session: CGMSession
  private let key: CheckpointKey
  private let checkpoint: SyncCheckpoint?
  private var isAnchored: Bool
  /// Up to this offset, records were in the memory when they were asked for.
  private var horizon: UInt16
  private var seen: Set<RecordKey> = []
  private var damaged: Set<[UInt8]> = []
  private var hasNewDamage = false
  private var roundsLeft = rounds
  /// The last record of the round that was in the memory before the request.
  private var lastInOrder: UInt16?
  /// As long as the offsets grow, nothing older is expected.
  private var isAscending = true
  private var newestStored: CGMRecord?
  private var newestOffset: UInt16 = 0
  /// How far the checkpoints have come.
  private var reached: UInt16?
  private var isSessionKept: Bool

  /// Begins a transfer.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - checkpoint: The record with which an earlier reading of this session ended.
  ///   - now: The offset at present.
  ///   - key: The key of the checkpoints.
  package init(
    _ session: CGMSession, since checkpoint: SyncCheckpoint?, now: UInt16, key: CheckpointKey
  ) {
    self.session = session
    self.checkpoint = checkpoint
    self.key = key
    horizon = now
    reached = checkpoint.flatMap { UInt16(exactly: $0.sequenceNumber) }
    isAnchored = reached == nil
    isSessionKept = checkpoint != nil
  }

  /// What to ask for: the record with which the last reading ended, or the transfer has come so
  /// far with, and those after it.
  package var selection: RecordSelection { reached.map { .timeOffsets(.from($0)) } ?? .all }

  /// Whether nothing is known to be missing when the sensor has reported the end.
  package var isWhole: Bool { isAnchored && !hasNewDamage && newestOffset <= horizon }

  /// A record came.
  package mutating func receive(_ record: CGMRecord) -> Batch {
    let offset = record.timeOffset
    newestOffset = max(newestOffset, offset)
    if offset <= horizon, offset >= newestStored?.timeOffset ?? 0 { newestStored = record }
    guard checkpoint(of: record) != checkpoint else {
      isAnchored = true
      return Batch()
    }
    let place = RecordKey(timeOffset: offset, concentration: record.concentration.rawValue)
    let isNew = seen.insert(place).inserted
    return Batch(records: isNew ? [record] : [], checkpoints: advance(over: record))
  }

  /// A value came that is no measurement; returns whether it is the first time.
  ///
  /// What comes with the same damage again is damaged in the sensor, and does not come otherwise.
  package mutating func receiveDamaged(_ bytes: [UInt8]) -> Bool {
    let isNew = damaged.insert(bytes).inserted
    if isNew { hasNewDamage = true }
    return isNew
  }

  /// The sensor has sent all that it was asked for.
  package mutating func endRound() -> RoundEnd {
    roundsLeft -= 1
    defer {
      hasNewDamage = false
      lastInOrder = nil
      isAscending = true
    }
    guard isAnchored else {
      isAnchored = true
      reached = nil
      return .again(.all)
    }
    guard roundsLeft > 0 else { return hasNewDamage ? .damaged : .finished(end()) }
    if hasNewDamage { return .again(selection) }
    guard newestOffset > horizon else { return .finished(end()) }
    horizon = newestOffset
    return .again(selection)
  }

  /// How far the transfer has come when nothing else comes.
  package mutating func end() -> Batch {
    guard isAnchored, !hasNewDamage, let newestStored, newestStored.timeOffset != reached else {
      return Batch()
    }
    return Batch(checkpoints: checkpoints(reaching: newestStored))
  }

  /// The checkpoints when a record is there, and all before it.
  private mutating func advance(over record: CGMRecord) -> [SyncCheckpoint] {
    let offset = record.timeOffset
    guard offset < horizon else { return [] }
    if let lastInOrder, offset < lastInOrder { return isAscending ? outOfOrder() : [] }
    lastInOrder = offset
    guard isAnchored, isAscending, !hasNewDamage, reached.map({ $0 < offset }) ?? true else {
      return []
    }
    return checkpoints(reaching: record)
  }

  /// Older records may still come: the transfer has come as far as before it began.
  private mutating func outOfOrder() -> [SyncCheckpoint] {
    isAscending = false
    let first = checkpoint.flatMap { UInt16(exactly: $0.sequenceNumber) }
    guard reached != first else { return [] }
    reached = first
    return [checkpoint ?? SyncCheckpoint(sequenceNumber: -1, payload: [UInt8](), key: key)]
  }

  private mutating func checkpoints(reaching record: CGMRecord) -> [SyncCheckpoint] {
    reached = record.timeOffset
    defer { isSessionKept = true }
    return (isSessionKept ? [] : [session.checkpoint(key: key)]) + [checkpoint(of: record)]
  }

  /// A record as the end of a reading, made of what never changes.
  package func checkpoint(of record: CGMRecord) -> SyncCheckpoint {
    var writer = PayloadWriter()
    writer.uint64(UInt64(bitPattern: Int64(session.start)))
    writer.medicalFloat16(record.concentration)
    return SyncCheckpoint(
      sequenceNumber: Int(record.timeOffset), payload: writer.bytes, key: key)
  }
}
