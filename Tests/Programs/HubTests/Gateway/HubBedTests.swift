// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import IngestServer
import SantorioCore
import Testing
import VirtualDevices

@testable import Hub

extension HubRoom {
  /// Deletes a patient's user at the server.
  fileprivate func erase(_ alias: String) async throws {
    let url = try #require(
      URL(string: "http://127.0.0.1:\(server.port)/v1/organizations/ward/users/\(id(of: alias))"))
    let answer = try await CurlTransport().send(
      TransportRequest(
        method: "DELETE", url: url,
        headers: [TransportHeader("Authorization", "Bearer \(server.adminToken)")]))
    try #require(answer.status == 204)
  }
}

@Suite(.timeLimit(.minutes(10))) struct `A bed that gets another patient` {
  @Test func `says what to do when the server has deleted its user`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway(room.text([("bed-1", device.entry(singleCuff))]))
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    try await room.erase("bed-1")

    device.device.measure(pressure(121))

    func problem() async -> String? {
      let upload = await gateway.status().patients.first?.upload
      return upload.flatMap { $0.works ? nil : $0.text }
    }
    #expect(try await room.advance(gateway) { await problem() != nil })
    let text = try #require(await problem())
    #expect(text.contains("was deleted"), "\(text)")
    #expect(text.contains("new token"), "\(text)")
    #expect(text.contains("\"user\""), "\(text)")
    #expect(await gateway.status().patients.first?.queued == 1)
    await room.stop(gateway)

    // The same is said where the session cannot be opened.
    let next = try room.gateway(room.text([("bed-1", device.entry(singleCuff))]))
    await next.start()
    #expect(
      try await room.advance(next) { await next.status().patients.first?.upload.works == false })
    #expect(await next.status().patients.first?.upload.text.contains("was deleted") == true)
    await room.stop(next)
  }
}
