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

  @Test func `ends within seconds for a queue that failed again after a batch`() async throws {
    let room = try HubRoom()
    let line = try PatientLine(to: room.server.port)
    let gateway = try await gateway(in: room, over: line)
    let second = try await session(of: "bed-2", in: gateway)
    line.breakOff([room.id(of: "bed-1"), room.id(of: "bed-2")])
    try await session(of: "bed-1", in: gateway).submit([record("bed-1-second")])
    // More than one batch.
    try await second.submit((1...120).map { record("bed-2-\($0)") })
    await room.advance(gateway, by: 30)
    line.passBatch(of: room.id(of: "bed-2"))
    let isStored = try await room.advance(gateway) { try await second.pendingCount() == 20 }
    #expect(isStored)
    await room.advance(gateway, by: 600)

    line.breakOff([])
    try await session(of: "bed-1", in: gateway).processQueue()

    let wait = try await seconds(room, gateway) { try await second.pendingCount() == 0 }
    #expect(wait < 30)
    await room.stop(gateway)
  }

  /// Starts a gateway whose patients have each stored a record.
  private func gateway(in room: HubRoom, over line: PatientLine) async throws -> HubGateway {
    let gateway = try room.gateway(
      room.text().replacing(":\(room.server.port)", with: ":\(line.port)"))
    await gateway.start()
    for alias in HubRoom.patients {
      try await session(of: alias, in: gateway).submit([record("\(alias)-first")])
    }
    let isStored = try await room.advance(gateway) {
      let counts = (try await room.count(of: "bed-1"), try await room.count(of: "bed-2"))
      return counts == (1, 1)
    }
    #expect(isStored)
    return gateway
  }

  private func session(of alias: String, in gateway: HubGateway) async throws -> SantorioSession {
    try #require(await gateway.sessions[alias]?.session)
  }

  /// Returns the seconds until something is the case, 60 at most.
  private func seconds(
    _ room: HubRoom, _ gateway: HubGateway, until isTrue: () async throws -> Bool
  ) async throws -> Int {
    var seconds = 0
    while seconds < 60, try await !isTrue() {
      await room.advance(gateway, by: 1)
      seconds += 1
    }
    return seconds
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

/// A line between a hub and its server that breaks for single patients.
private final class PatientLine: Sendable {
  private struct State {
    /// The identifiers of the patients whose requests fail.
    var broken: Set<String> = []
    /// The patient among them whose next batch passes.
    var passing: String?
  }

  private let state: Locked<State>
  private let proxy: FaultProxy

  init(to port: UInt16) throws {
    let state = Locked(State())
    self.state = state
    proxy = try #require(FaultProxy(to: port) { request, _ in Self.fault(for: request, state) })
  }

  var port: UInt16 { proxy.port }

  func breakOff(_ patients: Set<String>) { state.withLock { $0.broken = patients } }

  func passBatch(of patient: String) { state.withLock { $0.passing = patient } }

  private static func fault(for request: HTTPMessage, _ state: Locked<State>) -> LineFault {
    state.withLock { state in
      guard state.broken.contains(where: { request.head.contains($0) }) else { return .none }
      guard let passing = state.passing, request.head.contains(passing), !request.logIDs.isEmpty
      else { return .close }
      state.passing = nil
      return .none
    }
  }
}
