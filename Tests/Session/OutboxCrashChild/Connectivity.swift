// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

/// Tells of every try to reach a server that never answers; adds an address to the machine, which
/// is a network namespace of its own, for each line that comes.
func waitForConnectivity(_ configuration: SantorioSession.Configuration) async throws {
  var configuration = configuration
  configuration.directory.appendPathComponent("waiting")
  configuration.transport = NoLine()
  configuration.clock = StoppedClock()
  configuration.retryTriggers = [.connectivity]
  let session = SantorioSession(configuration)
  let user = SantorioUser(userID: "alice", organizationID: "acme", accessToken: "token")
  try await session.start(user)
  Thread {
    while readLine() != nil { addAddress() }
    exit(0)
  }.start()
  try await session.run()
}

private func addAddress() {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["ip", "address", "add", "192.0.2.1/32", "dev", "lo"]
  process.standardInput = FileHandle.nullDevice
  try? process.run()
  process.waitUntilExit()
}

/// No time passes on it: a wait ends with its task, or not.
private struct StoppedClock: Clock {
  typealias Duration = Swift.Duration

  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  let now = Instant(offset: .zero)
  let minimumResolution = Duration.zero

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (end, _) = AsyncStream<Void>.makeStream()
    for await _ in end {}
    try Task.checkCancellation()
  }
}

private struct NoLine: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    FileHandle.standardOutput.write(Data("TRIED\n".utf8))
    throw TransportError(.unreachable, "no line")
  }
}
