// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The order in which the memory of one user of a TaiDoc device is read.
///
/// The newest record has the index 0, and none has a number of its own. So a memory of which
/// nothing is known is read from its oldest record on, and how far that came is remembered by the
/// record itself. Later the newest records are looked through until that one is found, and then
/// handed on, the oldest first. Either way the next transfer continues
/// where this one was interrupted.
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

  let user: UInt8
  /// The index of the record that is read.
  private(set) var index: UInt16
  /// Its time, when it has come.
  var time: [UInt8]?
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
  /// `first` is the memory of the first user, if this is another one's.
  init?(user: UInt8, count: UInt16, first: Extent?, context: DriverContext) {
    guard count > 0 else { return nil }
    self.user = user
    self.count = count
    key = context.checkpointKey
    known = context.checkpoint(Self.name(user))
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
  /// - Returns: Records to be handed on, in order, and the index of the one to be read next, if
  ///   any; nil when no time came before.
  mutating func received(value: [UInt8]) -> (records: [Found], next: UInt16?)? {
    guard let time else { return nil }
    self.time = nil
    let record = Record(time: time, value: value)
    let checkpoint = SyncCheckpoint(
      memory: Self.name(user), sequenceNumber: Int(count) - Int(index), payload: record.payload,
      key: key)
    let found = Found(record: record, user: user, checkpoint: checkpoint)
    if index == 0 { newest = record }
    if let first {
      self.first = nil
      if first.newest == record {
        checkpointOfTwin = checkpoint
        return ([], nil)
      }
      begin()
      return ([], index)
    }
    if isProbing { return probed(found) }
    return known == nil ? fromTheOldest(found) : fromTheNewest(found)
  }

  /// The record is where it was: those after it are read in order, and each one that was read stays
  /// read if the link is lost.
  ///
  /// Otherwise it is looked for.
  private mutating func probed(_ found: Found) -> (records: [Found], next: UInt16?) {
    isProbing = false
    guard found.checkpoint.fingerprint == known?.fingerprint else {
      index = 0
      return ([], index)
    }
    known = nil
    guard index > 0 else { return ([], nil) }
    index -= 1
    return ([], index)
  }

  private mutating func fromTheOldest(_ found: Found) -> (records: [Found], next: UInt16?) {
    guard index > 0 else { return ([found], nil) }
    index -= 1
    return ([found], index)
  }

  private mutating func fromTheNewest(_ found: Found) -> (records: [Found], next: UInt16?) {
    guard found.checkpoint.fingerprint != known?.fingerprint else { return (newer.reversed(), nil) }
    newer.append(found)
    guard index < count - 1 else { return (newer.reversed(), nil) }
    index += 1
    return ([], index)
  }

  private static func name(_ user: UInt8) -> String { "user-\(user)" }
}
