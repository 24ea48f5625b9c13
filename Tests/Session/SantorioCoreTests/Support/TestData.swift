// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

@testable import SantorioCore
import SantorioConcurrency

/// A folder that vanishes with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("core-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.path + "/" + name }

  /// The outbox of the folder, on a clock that stands.
  func openOutbox(maximumBytes: Int = 1 << 20) throws -> Outbox {
    try Outbox(
      folder: url, maximumBytes: maximumBytes, credentials: CredentialFiles(folder: url),
      now: { Date(timeIntervalSince1970: 1_772_600_000) })
  }
}

/// A blood pressure reading of 4 March 2026, of a value that the check of all output looks for.
func reading(_ logID: String, systolic: Double = 118.625) -> HealthRecord {
  let time = Date(timeIntervalSince1970: 1_772_600_767)
  return HealthRecord(
    logID: logID, time: RecordTime(start: time, origin: .device, received: time),
    source: RecordSource(type: .bluetooth), metrics: [Metric(.systolic, systolic)])
}

/// Octets that need not be a record.
struct RawItem: OutboxItem {
  let logID: String
  let body: [UInt8]

  func write(to json: inout JSONWriter) { json.value(body) }
}

func item(_ logID: String, _ body: String = "{}") -> RawItem {
  RawItem(logID: logID, body: Array(body.utf8))
}

let alice = User(userID: "alice", organizationID: "acme", accessToken: "token-of-alice")
let bob = User(userID: "bob", organizationID: "acme", accessToken: "token-of-bob")

/// A wall clock that is set by hand.
final class WallClock: Sendable {
  private let seconds: Locked<Double>
  init(_ seconds: Double = 1_772_600_000) { self.seconds = Locked(seconds) }
  func advance(by difference: Double) { seconds.withLock { $0 += difference } }
  var now: @Sendable () -> Date {
    { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) }
  }
}
