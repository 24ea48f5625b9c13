// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import Hub

@Suite(.timeLimit(.minutes(5))) struct `A device that is enrolled by the code of a wristband` {
  private let room: HubRoom
  private let device: RoomDevice
  private let gateway: HubGateway

  init() async throws {
    room = try HubRoom()
    device = room.device(.ua651BLE(memory: []))
    gateway = try room.gateway(room.text(codes: Self.codes))
  }

  private static let codes = ["bed-1": "4711 0815", "bed-2": "]C1(8018)42"]

  /// Enrols the device, which measures then; one that was paired before needs no pairing.
  private func associate(
    _ alias: String, isPaired: Bool = false, measuring systolic: Int? = nil
  ) async throws -> HubAnswer.EnrolledDevice {
    let (room, device, gateway) = (room, device, gateway)
    let answer = try await room.whilePassing(gateway) {
      let measured = Task {
        guard (try? await room.air.clock.sleep(for: .seconds(1))) != nil else { return }
        if !isPaired { device.device.enterPairingMode() }
        // Some time after the device was another patient's.
        guard (try? await room.pass(30)) != nil else { return }
        systolic.map { device.device.measure(pressure($0)) }
      }
      defer { measured.cancel() }
      return await gateway.ask(
        .enroll(
          .init(
            patient: .code(Self.codes[alias] ?? ""), device: device.identifier, acceptsAll: true)))
    }
    guard case .enrolled(let enrolled) = answer else { throw Unexpected(answer) }
    #expect(enrolled.patient == alias)
    return enrolled
  }

  private struct Unexpected: Error {
    let answer: HubAnswer
    init(_ answer: HubAnswer) { self.answer = answer }
  }

  private func release(_ reading: HubStatus.Decision, for alias: String) async -> HubAnswer {
    await gateway.ask(.release(.records([reading.record], patient: alias)))
  }

  private func heldCount(of alias: String) async -> Int? {
    await gateway.update()
    return await gateway.status().patients.first { $0.alias == alias }?.held
  }

  @Test func `is the patient's once a reading was confirmed`() async throws {
    await gateway.start()
    let enrolled = try await associate("bed-1", measuring: 121)
    #expect(enrolled.waitsForConfirmation)
    let reading = try #require(enrolled.reading)
    #expect(reading.reason == .unconfirmed && reading.candidates == ["bed-1"])
    #expect(reading.values.first == "systolic blood pressure 121 mmHg")
    #expect(try await room.count(of: "bed-1") == 0)
    #expect(await release(reading, for: "bed-1") == .released(1))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    room.skip(120)
    device.device.measure(pressure(122))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 2 })
    #expect(await heldCount(of: "bed-1") == 0)
    await room.stop(gateway)
  }

  @Test func `is not confirmed by a restart`() async throws {
    await gateway.start()
    let enrolled = try await associate("bed-1", measuring: 121)
    #expect(enrolled.reading != nil)
    await room.stop(gateway)
    let next = try room.gateway(room.text(codes: Self.codes))
    await next.start()
    room.skip(120)
    device.device.measure(pressure(122))
    #expect(
      try await room.advance(next) {
        await next.update()
        return await next.status().patients.first?.held == 2
      })
    #expect(try await room.count(of: "bed-1") == 0)
    await room.stop(next)
  }

  @Test func `moves from the patient who had it`() async throws {
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    room.skip(3600)
    let reading = try #require(try await associate("bed-2", isPaired: true, measuring: 131).reading)
    #expect(reading.candidates == ["bed-1", "bed-2"])
    #expect(await gateway.status().patients.map(\.devices.count) == [0, 1])
    #expect(await release(reading, for: "bed-2") == .released(1))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-2") == 1 })
    #expect(try await room.count(of: "bed-1") == 0)
    await room.stop(gateway)
  }

  @Test func `leaves a reading that is not confirmed for the right patient`() async throws {
    await gateway.start()
    let reading = try #require(try await associate("bed-1", measuring: 141).reading)
    _ = await gateway.ask(.forget(device.identifier, patient: "bed-1"))
    // Not for one who never had the device.
    guard case .failed(let fault) = await release(reading, for: "bed-2") else {
      throw Unexpected(.stopping)
    }
    #expect(fault.message.contains("nothing was released"))
    _ = try await associate("bed-2", isPaired: true, measuring: 142)
    #expect(await release(reading, for: "bed-2") == .released(1))
    #expect(
      try await room.advance(gateway) { try await room.readings(of: "bed-2").systolic == [141] })
    #expect(try await room.count(of: "bed-1") == 0)
    #expect(await heldCount(of: "bed-1") == 0)
    await room.stop(gateway)
  }

  @Test func `waits no longer for a reading than was asked`() async throws {
    await gateway.start()
    let enrolled = try await associate("bed-1")
    #expect(enrolled.waitsForConfirmation && enrolled.reading == nil)
    await room.stop(gateway)
  }

  @Test func `needs a known code, and a device that the file does not name`() async throws {
    await gateway.start()
    let unknown = HubRequest.Enrolment(patient: .code("0815"), model: singleCuff)
    #expect(await room.fault(of: unknown, in: gateway)?.message.contains("no patient") == true)
    try room.write(
      room.text([("bed-1", device.entry(singleCuff)), ("bed-2", "")], codes: Self.codes))
    _ = try await room.whilePassing(gateway) { await gateway.reload() }
    let others = HubRequest.Enrolment(
      patient: .code("]C1(8018)42"), device: device.identifier)
    #expect(
      await room.fault(of: others, in: gateway)?.message
        == "the file says that the device is bed-1's; change it there, then reload")
    await room.stop(gateway)
  }
}

@Suite struct `The confirmation of a device` {
  @Test(arguments: [(-3600.0, -3600.0, false), (-120, 30, false), (20, 30, true)])
  func `comes from a reading since the enrolment only`(
    seconds: Double, received: Double, isConfirmed: Bool
  ) {
    let start = Date(timeIntervalSince1970: 1_772_344_800)
    var owners = DeviceOwners()
    owners.settle("ward/1", slot: nil, HandOver(at: start, waitsForConfirmation: true))
    let time = RecordTime(
      start: start + seconds, origin: .deviceCorrected, received: start + received)
    #expect(owners.confirm(slot: nil, byReadingOf: time) == isConfirmed)
    #expect(owners.owner(ofSlot: nil)?.since?.waitsForConfirmation == !isConfirmed)
  }
}

@Suite struct `The code of a patient` {
  @Test func `is the patient's only`() throws {
    let room = try HubRoom()
    let reading = HubConfiguration.read(room.text(codes: ["bed-1": "1", "bed-2": "1"]).utf8)
    #expect(reading.findings.map(\.path) == ["patients[1].code"])
    #expect(!reading.findings.map(\.message).joined().contains("\"1\""))
  }

  @Test(arguments: ["", " 1", "1 ", "1\\u001d2", String(repeating: "1", count: 81)])
  func `is printable`(code: String) throws {
    let reading = HubConfiguration.read(try HubRoom().text(codes: ["bed-1": code]).utf8)
    #expect(reading.findings.map(\.path) == ["patients[0].code"])
  }

  @Test func `changes without another session`() throws {
    let room = try HubRoom()
    let old = try room.configuration(room.text(codes: ["bed-1": "1"]))
    let new = try room.configuration(room.text(codes: ["bed-1": "2"]))
    #expect(old.changes(to: new).changed.map(\.parts) == [[.code]])
    let setups = [old, new].map { HubSessionSetup($0.patients[0], of: $0, environment: [:]) }
    #expect(setups[0] == setups[1])
  }
}

extension HubAnswer.EnrolledDevice {
  static var unconfirmed: Self {
    var device = Self(
      identifier: HubStatus.monitor, model: 10100, name: "BM54", patient: "bed-2")
    device.waitsForConfirmation = true
    device.reading = HubStatus.Decision(
      record: "r", device: "BM54", slot: 2, time: Date(timeIntervalSince1970: 1_780_000_000),
      reason: .unconfirmed)
    device.reading?.values = ["systolic blood pressure 121 mmHg"]
    return device
  }
}
