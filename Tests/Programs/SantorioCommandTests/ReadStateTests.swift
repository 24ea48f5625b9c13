// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SantorioBluetooth
@testable import SantorioCore
@testable import santorio

@Suite struct `Messages while reading` {
  private let away = SessionError(.serverUnreachable, "away")
  private let busy = SessionError(.serverBusy, "busy")

  @Test func `report each change of what blocks the upload once`() {
    var lines = UploadStateLines()
    let states: [UploadState] = [
      .idle, .uploading, .waiting(away), .uploading, .waiting(away), .waiting(busy), .uploading,
      .idle, .idle, .waiting(busy),
    ]
    let messages = states.compactMap { lines.line(for: $0) }
    #expect(
      messages == [
        "santorio: not sent now: server_unreachable: away",
        "santorio: not sent now: server_busy: busy",
        "santorio: sending again",
        "santorio: not sent now: server_busy: busy",
      ])
  }

  @Test func `repeat a storage failure each minute, other errors once`() {
    let start = ContinuousClock.now
    var errors = ReportedErrors()
    let full = BluetoothError(.submissionFailure, "full")
    let messages = [0, 2, 59, 60, 61, 119, 120].map { errors.isNew(full, at: start + .seconds($0)) }
    #expect(messages == [true, false, false, true, false, false, true])

    let off = BluetoothError(unavailable: .poweredOff)
    let toldOnce = [0, 60, 3600].map { errors.isNew(off, at: start + .seconds($0)) }
    #expect(toldOnce == [true, false, false])
    errors.forget()
    let toldAgain = errors.isNew(off, at: start)
    #expect(toldAgain)
  }

  @Test func `name the fault of each device once, also while another one is read`() {
    let (cuff, scale) = (UUID(), UUID())
    let start = ContinuousClock.now
    var errors = ReportedErrors()
    let lost = BluetoothError(.bondLost)
    let silent = BluetoothError(.readingTimeout)
    var named: [Bool] = []
    for _ in 0..<2 {
      named.append(errors.isNew(lost, of: cuff, at: start))
      named.append(errors.isNew(silent, of: scale, at: start))
    }
    #expect(named == [true, true, false, false])

    errors.forget(scale)
    let isAgain = [
      errors.isNew(lost, of: cuff, at: start), errors.isNew(silent, of: scale, at: start),
    ]
    #expect(isAgain == [false, true])
  }

  @Test func `name a full disk once, whatever device is read`() {
    var errors = ReportedErrors()
    let full = BluetoothError(.submissionFailure, "full")
    let start = ContinuousClock.now
    let named = [UUID(), UUID()].map { errors.isNew(full, of: $0, at: start) }
    #expect(named == [true, false])
  }

  @Test func `are not printed while the user's session continues`() async throws {
    let queue = QueueFixture()
    defer { try? FileManager.default.removeItem(at: queue.folder) }
    let session = try queue.session()
    #expect(try await SessionOwner(session) == nil)
    try await session.start(queue.alice)
    let owner = try #require(try await SessionOwner(session))
    #expect(await !owner.hasEnded())
    try await session.end()
    #expect(await owner.hasEnded())
    try await session.start(queue.alice)
    #expect(await !owner.hasEnded())
    try await session.start(.default)
    #expect(await owner.hasEnded())
  }
}
