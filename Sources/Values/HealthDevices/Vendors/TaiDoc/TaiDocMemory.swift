// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The order in which the memory of one user of a TaiDoc device is read.
///
/// The newest record has the index 0, and none has a number of its own. So a memory of which
/// nothing is known is read from its oldest record on, and how far that came is remembered by the
/// record itself. Later the newest records are looked through until that one is found, and then
/// handed on, the oldest first. Either way a transfer that breaks off goes on where it was.
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
  /// What is known already; nil when nothing is.
  private let known: UInt64?
  private let key: CheckpointKey
  /// What was looked through, the newest first.
  private var newer: [Found] = []

  /// Begins to read; nil for an empty memory.
  init?(user: UInt8, count: UInt16, context: DriverContext) {
    guard count > 0 else { return nil }
    self.user = user
    self.count = count
    key = context.checkpointKey
    known = context.checkpoint(Self.name(user))?.fingerprint
    index = known == nil ? count - 1 : 0
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
    return known == nil ? fromTheOldest(found) : fromTheNewest(found)
  }

  private mutating func fromTheOldest(_ found: Found) -> (records: [Found], next: UInt16?) {
    guard index > 0 else { return ([found], nil) }
    index -= 1
    return ([found], index)
  }

  private mutating func fromTheNewest(_ found: Found) -> (records: [Found], next: UInt16?) {
    guard found.checkpoint.fingerprint != known else { return (newer.reversed(), nil) }
    newer.append(found)
    guard index < count - 1 else { return (newer.reversed(), nil) }
    index += 1
    return ([], index)
  }

  private static func name(_ user: UInt8) -> String { "user-\(user)" }
}
