// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The requests of the ingest API (Documentation/ingest-api.yaml).
struct IngestEndpoint {
  private let base: URL
  private let timeout: Duration

  init(_ base: URL, timeout: Duration) throws(SessionError) {
    guard ["http", "https"].contains(base.scheme?.lowercased()), base.host?.isEmpty == false else {
      throw SessionError(.invalidEndpoint, "the server's address must be an http or https URL")
    }
    self.base = base
    self.timeout = timeout
  }

  /// Asks whether the token belongs to the session's user.
  func validation(of session: StoredSession, token: String) -> TransportRequest {
    TransportRequest(url: url(session), headers: [Self.bearer(token)], timeout: timeout)
  }

  /// Sends rows as NDJSON.
  func batch(_ rows: [OutboxRow], of session: StoredSession, token: String) -> TransportRequest {
    var body: [UInt8] = []
    body.reserveCapacity(rows.reduce(0) { $0 + $1.body.count + 1 })
    for row in rows { body += row.body + [UInt8(ascii: "\n")] }
    return TransportRequest(
      method: "POST", url: url(session).appendingPathComponent("records:batch"),
      headers: [Self.bearer(token), TransportHeader("Content-Type", "application/x-ndjson")],
      body: body, timeout: timeout)
  }

  private func url(_ session: StoredSession) -> URL {
    base.appendingPathComponent("v1/organizations").appendingPathComponent(session.organizationID)
      .appendingPathComponent("users").appendingPathComponent(session.userID)
  }

  private static func bearer(_ token: String) -> TransportHeader {
    TransportHeader("Authorization", "Bearer \(token)")
  }
}
