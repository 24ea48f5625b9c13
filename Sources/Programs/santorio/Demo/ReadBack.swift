// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import IngestServer
import SantorioCore

/// Reads back over HTTP what a server stores for a user.
struct ReadBack: Sendable {
  let server: IngestServer
  let user: SantorioUser

  /// All records of the user as they were sent, in the order of their arrival.
  func records() async throws -> [HealthRecord] {
    var records: [HealthRecord] = []
    var next: String?
    repeat {
      let answer = try await page(after: next)
      for record in try answer.member("records").elements() {
        var read = try HealthRecord(record)
        read.serverID = nil
        records.append(read)
      }
      next = try answer.optional("next")?.string()
    } while next != nil
    return records
  }

  private func page(after page: String?) async throws -> JSONReader {
    let path = "/v1/organizations/\(user.organizationID)/users/\(user.userID)/records"
    let query = page.map { "?after=\($0)" } ?? ""
    guard let url = URL(string: "http://127.0.0.1:\(server.port)\(path)\(query)") else {
      throw UsageError("The user's identifier does not give a valid address.")
    }
    let answer = try await CurlTransport().send(
      TransportRequest(
        url: url, headers: [TransportHeader("Authorization", "Bearer \(user.accessToken)")]))
    guard answer.status == 200 else {
      throw UsageError("The server answered \(answer.status) when records were read back.")
    }
    return try JSONReader(parsing: answer.body)
  }
}
