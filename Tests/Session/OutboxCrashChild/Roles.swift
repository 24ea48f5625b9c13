// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import SantorioCore

/// A session that waits a hundredth of the usual time.
func hurried(_ folder: URL, _ server: URL) -> SantorioSession.Configuration {
  var configuration = SantorioSession.Configuration(directory: folder, endpoint: server)
  configuration.requestTimeout = .milliseconds(400)
  configuration.random = { range in Double.random(in: range) / 100 }
  return configuration
}

func report(_ lines: [String]) {
  FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
}

/// Submits readings in one call, and reports whether they were acknowledged.
@discardableResult
func submit(_ ids: [String], to session: SantorioSession) async -> Bool {
  do throws(SessionError) {
    try await session.submit(ids.map { reading($0) })
    report(ids.map { "ACK \($0)" })
    return true
  } catch {
    report(["REFUSED \(error.code)"])
    return false
  }
}

/// Submits deletions in one call, and reports whether they were acknowledged.
func delete(_ ids: [String], from session: SantorioSession) async {
  report(ids.map { "DELETING \($0)" })
  do throws(SessionError) {
    try await session.submit(
      deletions: ids.map { RecordDeletion(of: $0, noticed: Date(), metrics: [.systolic]) })
    report(ids.map { "DELETED \($0)" })
  } catch {
    report(["REFUSED \(error.code)"])
  }
}

/// Submits for ever, in calls of different sizes, and deletes some of it.
///
/// That is of what was just submitted and waits or is on its way, and of what was sent before. Then it
/// reads some of that again.
func produce(on session: SantorioSession, name: String) async throws {
  await withTaskGroup(of: Void.self) { group in
    for lane in 0..<2 {
      group.addTask {
        var next = 0
        while true {
          for size in [1, 1, 7, 20] {
            await submit((next..<next + size).map { "\(name)-\(lane)-\($0)" }, to: session)
            next += size
          }
          let recent = (max(0, next - 20)..<next).filter { $0 % 4 == 0 }
          let former = (max(0, next - 49)..<max(0, next - 29)).filter { $0 % 7 == 1 }
          let deleted = (recent + former).map { "\(name)-\(lane)-\($0)" }
          await delete(deleted, from: session)
          if next % 2 == 0 { await submit(Array(deleted.prefix(4)), to: session) }
          // Leaves the uploader a chance to keep up; nothing depends on it.
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }
}

/// Submits a number of readings, one a call, and ends.
func deliver(_ count: Int, to session: SantorioSession, name: String) async throws {
  for index in 0..<count { await submit(["\(name)-\(index)"], to: session) }
}

/// Sends without end, and reports each event.
func upload(with session: SantorioSession) async throws {
  let events = session.events
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      do throws(SessionError) {
        try await session.run()
      } catch {
        report(["ENDED \(error.code)"])
        throw error
      }
    }
    group.addTask {
      for await event in events { report([Ledger.line(for: event)]) }
    }
    try await group.waitForAll()
  }
}

/// Submits until the disk is full, reports the error, then sends what was acknowledged.
func fill(_ session: SantorioSession, as user: SantorioUser, name: String) async throws {
  try await session.start(user)
  var next = 0
  while await submit((next..<next + 20).map { "\(name)-\($0)" }, to: session) { next += 20 }
  report(["PENDING \(try await session.pendingCount())"])
  takeAllRoom(in: folder)
  // As after a kill: nothing is closed, and another process opens the queue on a disk that is full.
  let words = [arguments[0], "upload", arguments[2], arguments[3], name]
  var copies = unsafe words.map { unsafe strdup($0) } + [nil]
  unsafe execv("/proc/self/exe", &copies)
  report(["no second process: \(errno)"])
}

/// Writes a file until the disk has no room for another byte.
private func takeAllRoom(in folder: URL) {
  let file = unsafe open(folder.path + "/of-another-program", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  for block in [4096, 1] {
    let bytes = [UInt8](repeating: 0, count: block)
    while unsafe write(file, bytes, block) > 0 {}
  }
}
