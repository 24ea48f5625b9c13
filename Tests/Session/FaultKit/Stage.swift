// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import SantorioCore
import SantorioConcurrency
import SantorioSQLite
import TestSupport

/// Time and the line of a session under test: waits pass at once and requests are counted, so that
/// an end is reached within a number of requests, or it is known that it is not.
package final class Stage: Sendable {
  /// How a session came to rest.
  package enum Outcome: Hashable, Sendable {
    /// No record waits for the server, and no event for delivery.
    case empty
    /// It goes on without getting on.
    case stuck
    /// It gave up.
    case ended(SessionError)
  }

  package let clock: VirtualClock
  private let line: CountedLine
  private let jump = Locked(0.0)

  /// Sets a stage on which a session may make `limit` requests, and as many waits.
  package init(limit: Int, line: any HTTPTransport = CurlTransport()) {
    clock = VirtualClock(sleeps: limit)
    self.line = CountedLine(line, limit: limit)
  }

  /// How many requests were made.
  package var requestCount: Int { line.count }

  /// Moves the wall clock, as a user does who corrects it.
  package func jump(by seconds: Double) { jump.withLock { $0 += seconds } }

  /// The wall clock: it moves with the waits.
  package var now: Date {
    let seconds = Double(clock.now.offset.components.seconds)
    return Date(timeIntervalSince1970: 1_772_600_000 + seconds + jump.withLock { $0 })
  }

  package func configuration(folder: URL, server: URL) -> SantorioSession.Configuration {
    var configuration = SantorioSession.Configuration(directory: folder, endpoint: server)
    configuration.transport = line
    configuration.clock = clock
    configuration.now = { self.now }
    configuration.maximumBatchRecords = 20
    configuration.notificationCenter = NotificationCenter()
    return configuration
  }

  /// Runs a session until `isDone`, which is asked whenever the session has nothing to do.
  package func run(
    _ session: SantorioSession, until isDone: @escaping @Sendable () async -> Bool,
    hearing hear: @escaping @Sendable (SessionEvent) -> Void
  ) async -> Outcome {
    let (events, signals) = (session.events, clock.signals())
    return await withTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        do throws(SessionError) {
          try await session.run()
          return nil
        } catch {
          return .ended(error)
        }
      }
      group.addTask {
        for await event in events { hear(event) }
        return nil
      }
      group.addTask {
        for await signal in signals {
          if signal == .exhausted { return .stuck }
          if await isDone() { return .empty }
        }
        return nil
      }
      defer { group.cancelAll() }
      for await outcome in group { if let outcome { return outcome } }
      return .stuck
    }
  }

  /// Runs a session until no record waits, or until that cannot be determined.
  package func runAmongFaults(
    _ session: SantorioSession, hearing hear: @escaping @Sendable (SessionEvent) -> Void
  ) async {
    // A session at rest delivers nothing more: what cannot be delivered now never will be.
    _ = await run(session, until: { (try? await session.pendingCount()) ?? 0 == 0 }, hearing: hear)
  }

  /// Runs a session until its folder holds nothing that waits.
  package func drain(
    _ session: SantorioSession, folder: URL,
    hearing hear: @escaping @Sendable (SessionEvent) -> Void
  ) async -> Outcome {
    await run(session, until: { (try? OutboxFile(folder).openCount()) == 0 }, hearing: hear)
  }
}

/// A line that is cut after a number of requests.
private final class CountedLine: HTTPTransport {
  private let line: any HTTPTransport
  private let limit: Int
  private let requests = Locked(0)

  init(_ line: any HTTPTransport, limit: Int) {
    self.line = line
    self.limit = limit
  }

  var count: Int { requests.withLock { $0 } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let number = requests.withLock { requests in
      requests += 1
      return requests
    }
    guard number <= limit else { throw TransportError(.unreachable, "too many requests") }
    return try await line.send(request)
  }
}

/// What the file of a session shows from outside.
package struct OutboxFile {
  package static let name = "outbox.sqlite"

  private let folder: URL
  private var path: String { folder.path + "/" + Self.name }

  package init(_ folder: URL) { self.folder = folder }

  /// Whether no record waits for the server, and only delivered events are left.
  ///
  /// The last event is removed a little after its delivery.
  package func isSettled(delivered: Set<String>) throws -> Bool {
    let database = try SQLiteDatabase(path: path)
    guard try database.integer("SELECT count(*) FROM q") == 0 else { return false }
    let seal = try seal()
    let names = try database.prepare("SELECT log_id FROM ev").all { $0.blob(0) }
    return names.allSatisfy { name in seal.logID(of: name).map(delivered.contains) ?? false }
  }

  /// What the folder's key encrypts; the key is a file of the folder.
  package func seal() throws -> RowSeal {
    let key = try CredentialFiles(folder: folder).token(for: "outbox-key")
    return RowSeal(key: Array(Data(base64Encoded: key) ?? Data()))
  }

  /// How many records wait for the server, and how many events for delivery.
  package func openCount() throws -> Int64 {
    try SQLiteDatabase(path: path)
      .integer("SELECT (SELECT count(*) FROM q) + (SELECT count(*) FROM ev)")
  }
}
