// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import IngestServer
import SantorioCore
import TestSupport

/// Records that a server stores and sends to a connected event stream.
///
/// Users are erased after some thousand records: a larger storage takes more time for itself.
final class ServerEvents: LongStream {
  private static let portion = 100
  private static let mostRecords = 5_000
  private static let adminToken = "the-administrator"

  private let folder: TemporaryFolder
  private let server: IngestServer
  private var user: IngestUser
  private var recordsOfUser = 0
  private let transport = CurlTransport()
  private let received = EventCount()

  private struct Refused: Error {
    let status: Int
  }

  init() async throws {
    folder = try TemporaryFolder()
    server = try IngestServer(
      configuration: .init(
        storagePath: folder.path("store.sqlite"), adminToken: Self.adminToken))
    user = try server.createUser(organization: "acme", uid: "patient")
    let isConnected = EventCount()
    let (received, port) = (received, server.port)
    Thread { Self.listen(port, received, isConnected) }.start()
    await isConnected.reaches(1)
  }

  func run(_ count: Int) async throws {
    var left = count
    while left > 0 {
      let portion = min(left, Self.portion)
      let first = received.value
      try await post((first..<first + portion).map { reading("r\($0)") })
      await received.reaches(first + portion)
      left -= portion
      recordsOfUser += portion
      if recordsOfUser >= Self.mostRecords { try await replaceUser() }
    }
  }

  private func replaceUser() async throws {
    try await send("DELETE", path, token: Self.adminToken, expecting: 204)
    user = try server.createUser(organization: "acme", uid: "patient")
    recordsOfUser = 0
  }

  private var path: String { "v1/organizations/\(user.organization)/users/\(user.id)" }

  private func post(_ records: [HealthRecord]) async throws {
    var body: [UInt8] = []
    for record in records {
      body += try record.informJSON()
      body.append(UInt8(ascii: "\n"))
    }
    try await send("POST", path + "/records:batch", token: user.token, body, expecting: 200)
  }

  private func send(
    _ method: String, _ path: String, token: String, _ body: [UInt8]? = nil, expecting status: Int
  ) async throws {
    let request = TransportRequest(
      method: method, url: ServerProcess.url(port: server.port).appendingPathComponent(path),
      headers: [TransportHeader("Authorization", "Bearer \(token)")]
        + (body == nil ? [] : [TransportHeader("Content-Type", "application/x-ndjson")]),
      body: body)
    let answer = try await transport.send(request)
    guard answer.status == status else { throw Refused(status: answer.status) }
  }

  /// Reads the event stream and counts its records.
  private static func listen(_ port: UInt16, _ received: EventCount, _ connected: EventCount) {
    // The body of an answer to HTTP 1.0 comes without the sizes of chunks between its bytes.
    let request = """
      GET /v1/events HTTP/1.0\r
      Host: 127.0.0.1\r
      Authorization: Bearer \(adminToken)\r
      \r

      """
    guard let descriptor = LoopbackSocket.connect(to: port) else { return }
    LoopbackSocket.write(request.utf8, to: descriptor)
    let mark = Array("event: record\n".utf8)
    var (buffer, position) = ([UInt8](repeating: 0, count: 65_536), 0)
    while case let count = unsafe recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      if received.value == 0, connected.value == 0 { connected.add() }
      var found = 0
      for byte in buffer[..<count] {
        position = byte == mark[position] ? position + 1 : byte == mark[0] ? 1 : 0
        if position == mark.count { (found, position) = (found + 1, 0) }
      }
      if found > 0 { received.add(found) }
    }
  }
}
