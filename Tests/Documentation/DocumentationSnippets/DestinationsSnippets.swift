// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

private protocol Account: Sendable {
  func newToken(for userID: String) async throws -> String
}

private func sendToFHIR(base: URL, folder: URL, account: some Account) -> SantorioSession {
  let server = FHIRServer(base, subject: .reference("Patient/123"))
  var configuration = SantorioSession.Configuration(directory: folder, destination: server)
  configuration.refreshToken = { user in try await account.newToken(for: user.userID) }
  let session = SantorioSession(configuration)
  return session
}

private func sendToHealthRecord(base: URL) -> FHIRServer {
  let record = FHIRServer(
    base, subject: .reference("Patient/123"), profile: .ehr,
    chart: FHIRChart(performer: "Practitioner/7", encounter: "Encounter/8"))
  return record
}

#if os(Linux)
  private func trust(
    current: String, reserve: String, file: URL,
    configuration: inout SantorioSession.Configuration
  ) throws {
    configuration.transport = CurlTransport(
      pinnedKeys: try PinnedKeys([current, reserve]), certificateAuthorities: file)
  }
#endif
