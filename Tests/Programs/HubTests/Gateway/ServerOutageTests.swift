// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import HealthRecords
import IngestServer
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import Hub

@Suite(.timeLimit(.minutes(15))) struct `An outage of the server` {
  @Test func `ends for all patients with the first stored record`() {
    var outage = ServerOutage()
    for alias in ["one", "two", "three"] { outage.uploadFailed(of: alias, .serverUnreachable) }
    #expect(outage.stored(of: "one", at: .zero) == ["two", "three"])
  }

  @Test func `does not end for a patient whose token was refused`() {
    var outage = ServerOutage()
    outage.uploadFailed(of: "two", .credentialsRefused)
    #expect(outage.stored(of: "one", at: .zero).isEmpty)
  }

  @Test func `has all queues try again every five seconds at most`() {
    var outage = ServerOutage()
    outage.uploadFailed(of: "two", .serverBusy)
    #expect(outage.stored(of: "one", at: .zero) == ["two"])
    #expect(outage.stored(of: "one", at: .seconds(4.9)).isEmpty)
    #expect(outage.stored(of: "one", at: .seconds(5)) == ["two"])
    outage.end(of: "two")
    #expect(outage.stored(of: "one", at: .seconds(10)).isEmpty)
  }

  @Test func `ends for each queue of a hub within seconds`() async throws {
    let room = try HubRoom()
    let isDown = Locked(true)
    let proxy = try #require(
      FaultProxy(to: room.server.port) { _, _ in isDown.withLock { $0 } ? .close : .none })
    let text = room.text().replacing(":\(room.server.port)", with: ":\(proxy.port)")
    let gateway = try room.gateway(text)
    await gateway.start()
    for alias in HubRoom.patients {
      let session = try #require(await gateway.sessions[alias]?.session)
      try await session.submit([record(alias)])
    }
    // Long enough that each queue waits for minutes.
    await room.advance(gateway, by: 900)
    isDown.withLock { $0 = false }
    let first = try #require(await gateway.sessions["bed-1"]?.session)
    first.processQueue()
    var steps = 0
    while try await room.count(of: "bed-2") == 0, steps < 40 {
      await room.advance(gateway, by: 1)
      steps += 1
    }
    #expect(steps < 15)
    await room.stop(gateway)
  }

  private func record(_ logID: String) -> HealthRecord {
    HealthRecord(
      logID: logID, time: RecordTime(start: Date(), origin: .received, received: Date()),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.pulse, 60)])
  }

  @Test func `shows the devices of patients whose sessions are not open yet`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway(room.text([("bed-1", device.entry(singleCuff))]))
    let patient = try #require(await gateway.status().patients.first)
    #expect(patient.devices.map(\.identifier) == [device.identifier])
    #expect(patient.devices.map(\.state) == [.waiting])
    #expect(!patient.upload.works)
  }
}
