// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

@Suite struct `Nested extras in the outbox` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() -> SantorioSession {
    let transport = ScriptedTransport { _, _ in .failure(TransportError(.unreachable, "")) }
    return SantorioSession(configuration(folder, transport, clock: ManualClock()))
  }

  @Test func `come back as they were stored`() async throws {
    var record = reading("a")
    record.extras = ["visit": ["room": 7, "staff": ["A", .null], "alone": false], "none": .null]
    do {
      let session = open()
      try await session.start(alice)
      try await session.submit(record)
    }

    #expect(try await open().pendingRecords() == [record])
  }

  @Test func `are refused to the caller when they are too deep, with all of the batch`()
    async throws
  {
    let session = open()
    try await session.start(alice)
    var record = reading("b")
    record.extras = ["a": (0..<17).reduce(ExtraValue.null) { value, _ in [value] }]

    await #expect { try await session.submit([reading("a"), record]) } throws: {
      ($0 as? SessionError)?.code == .invalidRecord
    }

    #expect(try await session.pendingCount() == 0)
  }
}
