// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

private func sendRecords(
  folder: URL, server: URL, id: String, organization: String, token: String, record: HealthRecord
) async throws {
  let session = SantorioSession(.init(directory: folder, endpoint: server))
  let events = session.events  // before resume(): events without a subscriber are not repeated
  let user = SantorioUser(userID: id, organizationID: organization, accessToken: token)
  try await session.start(user)
  session.resume()
  try await session.submit(record)
  for await event in events {
    switch event {
    case .recordSubmitted(let record, _): print("stored:", record)
    case .recordFailed(_, let failure): print(failure)
    default: break  // cases are added over time
    }
  }
}

private func observe(_ session: SantorioSession) -> any NSObjectProtocol {
  let observer = NotificationCenter.default.addObserver(
    forName: SantorioSession.sessionEndedNotification, object: session, queue: .main
  ) { notification in
    guard case .sessionEnded(let ended)? = SessionEvent(notification) else { return }
    print("not sent:", ended.unsentRecords.count)
  }
  return observer
}

private func run(folder: URL, server: URL) async throws {
  let session = SantorioSession(.init(directory: folder, endpoint: server))
  let events = session.events
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await session.run() }  // a program on Linux
    group.addTask { for await event in events { print(event) } }
    try await group.waitForAll()
  }
}

private func post(_ record: HealthRecord, server: URL, user: SantorioUser) async throws {
  let client = try IngestClient(endpoint: server, user: user)
  let receipt = try await client.post(record)
  _ = receipt
}

private func enableLogging() {
  SantorioLogging.shared.frameworks = [.bluetooth, .core]
  SantorioLogging.shared.isEnabled = true
  SantorioLogging.shared.setHandler { tag, message in print(tag, message) }
}
