// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SantorioBluetooth
@testable import SantorioCore
@testable import santorio

@Suite struct `What reading tells` {
  private let away = SessionError(.serverUnreachable, "away")
  private let busy = SessionError(.serverBusy, "busy")

  @Test func `is each change of what holds up the upload, once`() {
    var lines = UploadStateLines()
    let states: [UploadState] = [
      .idle, .uploading, .waiting(away), .uploading, .waiting(away), .waiting(busy), .uploading,
      .idle, .idle, .waiting(busy),
    ]
    let told = states.compactMap { lines.line(for: $0) }
    #expect(
      told == [
        "santorio: not sent now: server_unreachable: away",
        "santorio: not sent now: server_busy: busy",
        "santorio: sending again",
        "santorio: not sent now: server_busy: busy",
      ])
  }

  @Test func `is a full disk every minute, and another fault once`() {
    let start = ContinuousClock.now
    var errors = ReportedErrors()
    let full = BluetoothError(.submissionFailure, "full")
    let told = [0, 2, 59, 60, 61, 119, 120].map { errors.isNews(full, at: start + .seconds($0)) }
    #expect(told == [true, false, false, true, false, false, true])

    let off = BluetoothError(unavailable: .poweredOff)
    let toldOnce = [0, 60, 3600].map { errors.isNews(off, at: start + .seconds($0)) }
    #expect(toldOnce == [true, false, false])
    errors.forget()
    let toldAgain = errors.isNews(off, at: start)
    #expect(toldAgain)
  }

  @Test func `is nothing of a session that is the user's still`() async throws {
    let queue = QueueFixture()
    defer { try? FileManager.default.removeItem(at: queue.folder) }
    let session = try queue.session()
    #expect(try await SessionOwner(session) == nil)
    try await session.start(queue.alice)
    let owner = try #require(try await SessionOwner(session))
    #expect(await !owner.isGone())
    try await session.end()
    #expect(await owner.isGone())
    try await session.start(queue.alice)
    #expect(await !owner.isGone())
    try await session.start(.default)
    #expect(await owner.isGone())
  }
}
