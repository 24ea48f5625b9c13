// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

/// Submits for ever, in calls of different sizes, and tells what was acknowledged.
func produce(on session: Session, name: String) async throws {
  await withTaskGroup(of: Void.self) { group in
    for lane in 0..<2 {
      group.addTask {
        var next = 0
        while true {
          for size in [1, 1, 7, 20] {
            let ids = (next..<next + size).map { "\(name)-\(lane)-\($0)" }
            next += size
            await submit(ids, to: session)
          }
          // Leaves the uploader a chance to keep up; nothing depends on it.
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }
}

private func submit(_ ids: [String], to session: Session) async {
  do {
    try await session.submit(ids.map { record($0) })
    tell(ids.map { "ACK \($0)" })
  } catch {
    tell(["REFUSED \(error.code)"])
  }
}

/// Sends for ever, and tells what it was told.
func upload(with session: Session) async throws {
  let events = session.events
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await session.run() }
    group.addTask {
      for await event in events {
        switch event {
        case .recordSubmitted(let record, _): tell(["SUBMITTED \(record.logID)"])
        case .recordFailed(let record, _): tell(["FAILED \(record.logID)"])
        case .recordDamaged(let logID): tell(["DAMAGED \(logID)"])
        default: tell(["OTHER"])
        }
      }
    }
    try await group.waitForAll()
  }
}

/// Submits until the disk has no room, tells how it was refused, then sends what was acknowledged.
func fill(_ session: Session, as user: User, name: String) async throws {
  try await session.start(user)
  var next = 0
  while true {
    let ids = (next..<next + 20).map { "\(name)-\($0)" }
    next += 20
    do {
      try await session.submit(ids.map { record($0) })
      tell(["ACKED \(next)"])
    } catch {
      tell(["REFUSED \(error.code) \(try await session.pendingCount())"])
      break
    }
  }
  try await upload(with: session)
}

private func record(_ logID: String) -> HealthRecord {
  let time = Date(timeIntervalSince1970: 1_700_000_000)
  return HealthRecord(
    logID: logID, time: RecordTime(start: time, origin: .device, received: time),
    source: RecordSource(type: .bluetooth, device: SourceDevice(manufacturer: "Test")),
    metrics: [Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 60)])
}

private func tell(_ lines: [String]) {
  FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
}
