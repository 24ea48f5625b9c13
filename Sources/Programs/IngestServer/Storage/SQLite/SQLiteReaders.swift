// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency
import SantorioSQLite

/// Connections that read concurrently with the writing one and with each other.
///
/// A long query must not delay others, especially not the check of a token, which has a connection
/// of its own.
final class SQLiteReaders: Sendable {
  private static let count = 3

  private let connections: [Locked<SQLiteConnection>]
  private let tokens: Locked<SQLiteConnection>
  // The indices of the idle connections, and their number.
  private let idle: Locked<[Int]>
  private let places: DispatchSemaphore

  /// Opens the connections with a function.
  init(
    open: () throws(IngestError) -> sending SQLiteConnection
  ) throws(IngestError) {
    var connections: [Locked<SQLiteConnection>] = []
    for _ in 0..<Self.count { connections.append(Locked(try open())) }
    self.connections = connections
    tokens = Locked(try open())
    idle = Locked(Array(0..<Self.count))
    places = DispatchSemaphore(value: Self.count)
  }

  /// Calls `body` with an idle connection; waits while there is none.
  func read<Result: Sendable>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    let place = takePlace()
    defer { leave(place) }
    return try Self.read(connections[place], body)
  }

  /// Calls `body` with the connection for tokens.
  func readToken<Result: Sendable>(
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    try Self.read(tokens, body)
  }

  /// Calls `body` while no connection reads; one call at a time.
  func whileIdle<Result>(_ body: () -> Result) -> Result {
    let all = connections.map { _ in takePlace() }
    defer { for place in all { leave(place) } }
    return tokens.withLock { _ in body() }
  }

  private func takePlace() -> Int {
    places.wait()
    return idle.withLock { $0.popLast() ?? 0 }
  }

  private func leave(_ place: Int) {
    idle.withLock { $0.append(place) }
    places.signal()
  }

  private static func read<Result: Sendable>(
    _ connection: Locked<SQLiteConnection>,
    _ body: (SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      return try connection.withLock { connection throws(SQLiteError) in try body(connection) }
    } catch {
      throw IngestError(error)
    }
  }
}
