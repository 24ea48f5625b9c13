// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency
import SantorioSQLite

/// Connections that read beside the one that writes, and beside each other.
///
/// A query takes a while, and others must not wait for it: above all not the look at a token, which
/// has a connection of its own.
final class SQLiteReaders: Sendable {
  private static let count = 3

  private let connections: [Locked<SQLiteConnection>]
  private let tokens: Locked<SQLiteConnection>
  // The places of the connections that nobody uses, and how many there are.
  private let idle: Locked<[Int]>
  private let places: DispatchSemaphore

  /// Opens the connections by a function.
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

  /// Calls `body` with a connection that nobody uses; waits while there is none.
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

  /// Calls `body` while nothing is read; one at a time.
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
