// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import SantorioCore
import TestSupport

/// Records that a session submits and uploads to a server in another process.
final class QueuedRecords: LongStream, @unchecked Sendable {
  // Unchecked for `server`, which is used in `init` only.
  private static let portion = 100

  private let folder: TemporaryFolder
  private let server: ServerProcess
  private let session: SantorioSession
  private let submitted = EventCount()
  private let tasks: [Task<Void, any Error>]

  init() async throws {
    folder = try TemporaryFolder()
    server = try await ServerProcess()
    session = SantorioSession(
      SantorioSession.Configuration(directory: folder.url, endpoint: server.url))
    try await session.start(server.alice)
    let (session, submitted) = (session, submitted)
    let events = session.events
    tasks = [
      Task { try await session.run() },
      Task {
        for await event in events {
          if case .recordSubmitted = event { submitted.add() }
        }
      },
    ]
  }

  func run(_ count: Int) async throws {
    var left = count
    while left > 0 {
      let portion = min(left, Self.portion)
      let first = submitted.value
      try await session.submit((first..<first + portion).map { reading("r\($0)") })
      await submitted.reaches(first + portion)
      left -= portion
    }
  }
}
