// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import SantorioCore

/// A session on a scripted transport whose events can be waited for.
func configuration(
  _ folder: TemporaryFolder, _ transport: any HTTPTransport, clock: any Clock<Duration>
) -> SantorioSession.Configuration {
  var configuration = SantorioSession.Configuration(
    directory: folder.url, endpoint: localURL())
  configuration.transport = transport
  configuration.clock = clock
  configuration.random = { $0.upperBound }
  configuration.notificationCenter = NotificationCenter()
  configuration.refusalGrace = .zero
  return configuration
}

/// Runs a session until `body` returns.
func running<Value: Sendable>(
  _ session: SantorioSession, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask {
      try await session.run()
      return nil
    }
    group.addTask { try await body() }
    defer { group.cancelAll() }
    while let value = try await group.next() {
      if let value { return value }
    }
    throw CancellationError()
  }
}
