// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioCore

/// A session whose files are damaged by the other end of standard output, at rest and under its
/// hands.
struct Damage: Sendable {
  let folder: URL
  let server: URL
  let user: SantorioUser
  let name: String
  private let line = CurlTransport()

  init(folder: URL, server: URL, user: SantorioUser, name: String) {
    (self.folder, self.server, self.user, self.name) = (folder, server, user, name)
  }

  func run(cases: Int) async {
    for index in 0..<cases { await run("\(name)-\(index)") }
    report(["DONE \(name)"])
  }

  private func run(_ place: String) async {
    let filled = folder.appendingPathComponent(place)
    do throws(SessionError) {
      let folder = try await fill(filled, place)
      await recover(folder, place)
      try? FileManager.default.removeItem(at: folder)
    } catch {
      report(["UNEXPECTED \(place) \(error)"])
    }
    try? FileManager.default.removeItem(at: filled)
  }

  /// Fills a folder, has it damaged, and goes on with it where that was done under its hands.
  private func fill(_ folder: URL, _ place: String) async throws(SessionError) -> URL {
    let stage = Stage(limit: 40, line: line)
    let session = SantorioSession(stage.configuration(folder: folder, server: server))
    try await session.start(user)
    for call in 0..<20 {
      await submit((0..<10).map { "\(place)-\(call)-\($0)" }, to: session)
    }
    report(["FILLED \(place)"])
    guard let answer = readLine() else { exit(0) }
    guard answer == folder.path else { return URL(fileURLWithPath: answer) }
    await submit(["\(place)-during"], to: session)
    await stage.runAmongFaults(session) {
      report([Ledger.line(for: $0)])
    }
    return folder
  }

  /// What any program would do at its next launch.
  private func recover(_ folder: URL, _ place: String) async {
    let stage = Stage(limit: 100, line: line)
    do throws(SessionError) {
      let session = SantorioSession(stage.configuration(folder: folder, server: server))
      if try await session.user() == nil {
        report(["NEW \(place)"])
        try await session.start(user)
      }
      guard await submit(["\(place)-last"], to: session) else { return report(["CLOSED \(place)"]) }
      let outcome = await stage.drain(session, folder: folder) { report([Ledger.line(for: $0)]) }
      report([outcome == .empty ? "EMPTY \(place)" : "STUCK \(place) \(outcome)"])
    } catch {
      report(["CLOSED \(place) \(error)"])
    }
  }
}
