// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import IngestServer
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import Hub

extension HubGateway {
  /// Asks for something while a change of the configuration is begun.
  fileprivate func ask(
    _ request: HubRequest, during new: HubConfiguration
  ) async -> HubAnswer {
    // It begins when this has to wait for something.
    let change = changes.add { await self.apply(new) }
    let answer = Task.immediate { await self.ask(request) }
    await change.value
    return await answer.value
  }
}

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

@Suite(.timeLimit(.minutes(15))) struct `A bed that gets another patient` {
  /// A shared cuff with a reading of which nobody knows whose it is.
  private func undecided(
    in room: HubRoom
  ) async throws -> (RoomDevice, HubGateway, reading: String) {
    let (device, gateway) = try await room.sharedCuff()
    device.device.measure(pressure(163, user: 9))
    #expect(
      try await room.advance(gateway) { await gateway.status().patients.last?.held == 1 })
    let decision = try #require(await gateway.status().patients.last?.decisions.first)
    return (device, gateway, decision.record)
  }

  @Test func `is given no reading that was released for the former one`() async throws {
    let room = try HubRoom()
    let (device, gateway, reading) = try await undecided(in: room)
    let new = try room.configuration(
      room.text(
        [
          ("bed-1", device.entry(sharedCuff, slot: 1)),
          ("bed-2", device.entry(sharedCuff, slot: 2)),
        ], people: ["bed-2": "bed-3"]))
    let release = HubRequest.release(.records([reading], patient: "bed-2"))

    let answer = try await room.whilePassing(gateway) {
      await gateway.ask(release, during: new)
    }

    guard case .failed(let fault) = answer else {
      Issue.record("released: \(answer)")
      return
    }
    #expect(fault.code == .refused)
    #expect(fault.message.contains("bed-2 is another patient's"))
    #expect(await gateway.status().patients.last?.held == 1)
    // Said of the new one, it is that one's.
    #expect(await gateway.ask(release) == .released(1))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-3") == 1 })
    #expect(try await room.count(of: "bed-2") == 0)
    await room.stop(gateway)
  }

  @Test func `has a device read at once that is shared while it is being read`() async throws {
    let room = try HubRoom()
    let (first, device) = (room.device(.bm54(memory: [])), room.device(.bm54(memory: [])))
    func text(_ slots: Int...) -> String {
      room.text(
        [("bed-1", 1), ("bed-2", 2)].map { alias, slot in
          let own = slots.contains(slot) ? [device.entry(sharedCuff, slot: slot)] : []
          return (alias, ([first.entry(sharedCuff, slot: slot)] + own).joined(separator: ","))
        })
    }
    // Of the kind, one is shared already.
    let gateway = try room.gateway(text(1))
    await gateway.start()
    try await room.enroll(device, for: "bed-1", slot: 1, in: gateway)
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    device.device.measure(pressure(121, user: slots[0]))
    #expect(
      try await room.advance(gateway) {
        let state = await gateway.status().patients.first?.devices.last?.state
        let count = try await room.count(of: "bed-1")
        return state == .reading && count == 1
      })

    try room.write(text(1, 2))
    #expect(try await room.whilePassing(gateway) { await gateway.reload() }.isInUse)

    // By its clock, which may be ahead, it is certain only then.
    room.skip(4300)
    device.device.measure(pressure(142, user: slots[1]))
    var seconds = 0
    while try await room.count(of: "bed-2") == 0, seconds < 600 {
      await room.advance(gateway, by: 5)
      seconds += 5
    }
    #expect(seconds <= 30)
    #expect(try await room.readings(of: "bed-1").systolic == [121])
    #expect(try await room.readings(of: "bed-2").systolic == [142])
    await room.stop(gateway)
  }

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
