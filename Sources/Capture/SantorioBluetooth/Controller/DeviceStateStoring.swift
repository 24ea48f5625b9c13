// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// Where one kind of state of devices is kept: bytes in, bytes out.
protocol DeviceStateStoring: Sendable {
  /// Identifies the queue whose records the state vouches for; nil where there is none.
  var generation: [UInt8]? { get }
  /// Notes that the state is about to vouch for the records stored so far.
  func noteRecords() throws
  /// Who reads now.
  var reader: KnownPeripheral.Enrolment { get }

  /// What was written last; nil when nothing was.
  func read() throws -> [UInt8]?

  /// Puts bytes in the place of those that were written before, whole and durably, or not at all.
  func write(_ bytes: [UInt8]) throws
}

extension PlainFile: DeviceStateStoring {
  var generation: [UInt8]? { nil }
  func noteRecords() {}
  var reader: KnownPeripheral.Enrolment { .unclaimed }
}

/// State in the folder of a session, encrypted with the key of its records.
///
/// A file that is damaged, or was written under a key that is lost, is one that is not there.
struct SealedState: DeviceStateStoring {
  let session: Session
  let name: String

  var generation: [UInt8]? { session.storageGeneration }
  func noteRecords() throws { try session.noteStorage() }
  var reader: KnownPeripheral.Enrolment { KnownPeripheral.Enrolment(session.lastSeenUser) }

  func read() throws -> [UInt8]? {
    let file = try session.sealedFile(named: name)
    do throws(SessionError) {
      return try file.read()
    } catch {
      guard error.code == .storageDamaged else { throw error }
      return nil
    }
  }

  func write(_ bytes: [UInt8]) throws { try session.sealedFile(named: name).write(bytes) }
}
