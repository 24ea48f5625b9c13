// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The order in which the memory of one user of a TaiDoc device is read.
///
/// The newest record has the index 0, and none has a number of its own. So a memory of which
/// nothing is known is read from its oldest record on, and how far that came is remembered by the
/// record itself. Later the newest records are looked through until that one is found, and then
/// handed on, the oldest first. Either way the next transfer continues
/// where this one was interrupted.
///
/// A measurement that is made meanwhile moves all records by one index: the next record would be left
/// out, or a time be read with the value of another record. So the count is asked for again before
/// records are handed on, and where it has changed, the memory is read anew. A full memory, whose count
/// stays, is beyond that.
struct TaiDocMemory: Sendable {
  /// The bytes of time and value, which never change.
  struct Record: Hashable, Sendable {
    let time: [UInt8]
    let value: [UInt8]
    var payload: [UInt8] { time + value }
  }

  /// A record and the checkpoint that it is remembered by.
  struct Found: Sendable {
    let record: Record
    let user: UInt8
    let checkpoint: SyncCheckpoint
  }

  /// The consequences of a value.
  struct Step: Sendable {
    /// The records to be handed on, in order.
    var records: [Found] = []
    /// The index of the record to be read next; nil for none.
    var next: UInt16?
  }

  let user: UInt8
  /// The index of the record that is read.
  private(set) var index: UInt16
  /// Its time, when it has come.
  var time: [UInt8]?
  /// The next step if the count is still the same.
  private var unchecked: Step?
  private let count: UInt16
  /// How far an earlier transfer came; nil from the record on that is known to be the last one.
  private var known: SyncCheckpoint?
  /// Whether the record is asked for that was the last one, if the memory has only grown.
  private var isProbing = false
  /// The memory of the first user, while it is asked whether this one is the same.
  private var first: Extent?
  /// The newest record, once it was read.
  private(set) var newest: Record?
  /// Set when a device without users gives each of them the same memory.
  private(set) var checkpointOfTwin: SyncCheckpoint?
  private let key: CheckpointKey
  /// What was looked through, the newest first.
  private var newer: [Found] = []

  /// How many records a memory has, and the newest of them.
  struct Extent: Sendable {
    let count: UInt16
    let newest: Record
  }

  /// What is known of it once its newest record was read.
  var extent: Extent? { newest.map { Extent(count: count, newest: $0) } }

  /// Begins to read; nil for an empty memory.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - count: How many records there are.
  ///   - first: The memory of the first user, if this is another one's.
  ///   - last: The last record that was handed on in this connection; nil for none.
  ///   - context: The context of the driver.
  init?(
    user: UInt8, count: UInt16, first: Extent?, after last: SyncCheckpoint?,
    context: DriverContext
  ) {
    guard count > 0 else { return nil }
    self.user = user
    self.count = count
    key = context.checkpointKey
    known = last ?? context.checkpoint(Self.name(user))
    index = 0
    if let first, first.count == count {
      self.first = first
    } else {
      begin()
    }
  }

  private mutating func begin() {
    index = known == nil ? count - 1 : 0
    if let known, let grown = UInt16(exactly: Int(count) - known.sequenceNumber), grown < count {
      index = grown
      isProbing = true
    }
  }

  /// The value came, too.
  ///
  /// - Returns: What follows; nil when no time came before. Where it has records, it follows only if the
  ///   count is still the same.
  mutating func received(value: [UInt8]) -> Step? {
    guard let time else { return nil }
    self.time = nil
    let step = take(Record(time: time, value: value))
    if !step.records.isEmpty { unchecked = step }
    return step
  }

  /// The count came again.
  ///
  /// - Returns: What follows; nil when the count has changed or nothing was waiting for it.
  mutating func received(count: UInt16) -> Step? {
    defer { unchecked = nil }
    return count == self.count ? unchecked : nil
  }

  private mutating func take(_ record: Record) -> Step {
    let checkpoint = SyncCheckpoint(
      memory: Self.name(user), sequenceNumber: Int(count) - Int(index), payload: record.payload,
      key: key)
    let found = Found(record: record, user: user, checkpoint: checkpoint)
    if index == 0 { newest = record }
    if let first {
      self.first = nil
      if first.newest == record {
        checkpointOfTwin = checkpoint
        return Step()
      }
      begin()
      return Step(next: index)
    }
    if isProbing { return probed(found) }
    return known == nil ? fromTheOldest(found) : fromTheNewest(found)
  }

  /// The record is where it was: those after it are read in order, and each one that was read stays
  /// read if the link is lost.
  ///
  /// Otherwise it is looked for.
  private mutating func probed(_ found: Found) -> Step {
    isProbing = false
    guard found.checkpoint.fingerprint == known?.fingerprint else {
      index = 0
      return Step(next: index)
    }
    known = nil
    guard index > 0 else { return Step() }
    index -= 1
    return Step(next: index)
  }

  private mutating func fromTheOldest(_ found: Found) -> Step {
    guard index > 0 else { return Step(records: [found]) }
    index -= 1
    return Step(records: [found], next: index)
  }

  private mutating func fromTheNewest(_ found: Found) -> Step {
    guard found.checkpoint.fingerprint != known?.fingerprint else {
      return Step(records: newer.reversed())
    }
    newer.append(found)
    guard index < count - 1 else { return Step(records: newer.reversed()) }
    index += 1
    return Step(next: index)
  }

  private static func name(_ user: UInt8) -> String { "user-\(user)" }
}
