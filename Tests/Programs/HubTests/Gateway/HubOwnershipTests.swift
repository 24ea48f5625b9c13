// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import Hub

/// A blood pressure monitor that goes from bed to bed, and never gives a reading to the wrong one.
@Suite(.timeLimit(.minutes(15))) struct `A monitor that goes from bed to bed` {
  private let room: HubRoom
  private let device: RoomDevice
  private static let codes = ["bed-1": "4711", "bed-2": "4712"]

  init() throws {
    room = try HubRoom()
    device = room.device(.ua651BLE(memory: []))
  }

  private func gateway() async throws -> HubGateway {
    let gateway = try room.gateway(room.text(codes: Self.codes))
    await gateway.start()
    return gateway
  }

  /// Enrols the monitor, which has a bond, by the code of a patient, and does something meanwhile.
  private func associate(
    _ alias: String, slot: Int? = nil, of device: RoomDevice? = nil, in gateway: HubGateway,
    meanwhile: @escaping @Sendable (RoomDevice) async throws -> Void
  ) async throws -> HubAnswer {
    let device = device ?? self.device
    return try await room.whilePassing(gateway) {
      let others = Task { try? await meanwhile(device) }
      defer { others.cancel() }
      return await gateway.ask(
        .enroll(
          .init(
            patient: .code(Self.codes[alias] ?? ""), device: device.identifier, slot: slot,
            acceptsAll: true)))
    }
  }

  private func decisions(of alias: String, in gateway: HubGateway) async -> [HubStatus.Decision] {
    await gateway.update()
    return await gateway.status().patients.first { $0.alias == alias }?.decisions ?? []
  }

  @Test func `is confirmed by no reading from before`() async throws {
    let gateway = try await gateway()
    try await room.enroll(device, for: "bed-1", in: gateway)
    room.skip(3600)
    let (room, began) = (room, room.now())
    let answer = try await associate("bed-2", in: gateway) { device in
      try await room.air.clock.sleep(for: .seconds(5))
      device.device.measure(pressure(112), at: began - 120)
      try await room.pass(40)
      device.device.measure(pressure(131))
    }
    guard case .enrolled(let enrolled) = answer else { throw Unexpected(answer) }
    #expect(enrolled.reading?.values.first == "systolic blood pressure 131 mmHg")
    let earlier = try #require(
      await decisions(of: "bed-2", in: gateway).first { $0.values.first?.contains("112") == true })
    #expect(earlier.candidates == ["bed-1", "bed-2"])
    // Nor is it by a release of that reading.
    _ = await gateway.ask(.release(.records([earlier.record], patient: "bed-1")))
    _ = await gateway.ask(.release(.records([earlier.record], patient: "bed-2")))
    let kept = gateway.memory.current[device.identifier]?.owners.owner(ofSlot: nil)
    #expect(kept?.since?.waitsForConfirmation == true)
    #expect(
      try await room.advance(gateway) { try await room.readings(of: "bed-1").systolic == [112] })
    #expect(try await room.count(of: "bed-2") == 0)
    await room.stop(gateway)
  }

  @Test func `is found by its model while it is another patient's`() async throws {
    let gateway = try await gateway()
    try await room.enroll(device, for: "bed-1", in: gateway)
    room.skip(3600)
    let (room, device) = (room, device)
    let answer = try await room.whilePassing(gateway) {
      let others = Task {
        try await room.air.clock.sleep(for: .seconds(1))
        device.device.enterPairingMode()
        try await room.pass(30)
        device.device.measure(pressure(131))
      }
      defer { others.cancel() }
      return await gateway.ask(
        .enroll(.init(patient: .code("4712"), model: singleCuff, acceptsAll: true)))
    }
    guard case .enrolled(let enrolled) = answer else { throw Unexpected(answer) }
    #expect(enrolled.identifier == device.identifier && enrolled.waitsForConfirmation)
    #expect(await gateway.status().patients.map(\.devices.count) == [0, 1])
    #expect(enrolled.reading?.candidates == ["bed-1", "bed-2"])
    await room.stop(gateway)
  }

  @Test func `is not offered to a nurse who waits for it at another bed`() async throws {
    let gateway = try await gateway()
    try await room.enroll(device, for: "bed-1", in: gateway)
    room.skip(3600)
    let room = room
    let answer = try await associate("bed-2", in: gateway) { device in
      try await room.air.clock.sleep(for: .seconds(5))
      _ = await gateway.ask(
        .enroll(
          .init(
            patient: .code(Self.codes["bed-1"] ?? ""), device: device.identifier, acceptsAll: true,
            seconds: 1)))
      device.device.measure(pressure(133))
    }
    guard case .failed(let fault) = answer else { throw Unexpected(answer) }
    #expect(fault.message.hasPrefix("the device is not bed-2's any more, but bed-1's"))
    await room.stop(gateway)
  }

  @Test func `gives the former patient's readings to nobody when a patient gets it twice`()
    async throws
  {
    let gateway = try await gateway()
    try await room.enroll(device, for: "bed-1", in: gateway)
    _ = try await associate("bed-2", in: gateway) { _ in }
    _ = await gateway.ask(.forget(device.identifier, patient: nil))
    device.device.measure(pressure(112), at: room.now() - 20)
    try await room.enroll(device, for: "bed-2", in: gateway)
    #expect(
      try await room.advance(gateway) { await decisions(of: "bed-2", in: gateway).count == 1 })
    let decision = try #require(await decisions(of: "bed-2", in: gateway).first)
    #expect(decision.candidates == ["bed-1", "bed-2"])
    // Not by a release of all, and not without the patient's name.
    #expect(await gateway.ask(.release(.patient("bed-2"))) == .released(0, left: 1))
    guard
      case .failed(let fault) = await gateway.ask(
        .release(.records([decision.record], patient: nil)))
    else { throw Unexpected(.stopping) }
    #expect(fault.message.contains("may be bed-1's; say whose it is with --patient"))
    #expect(
      await gateway.ask(.release(.records([decision.record], patient: "bed-1"))) == .released(1))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    #expect(try await room.count(of: "bed-2") == 0)
    await room.stop(gateway)
  }

  @Test func `gives nothing of another patient to one who had it before, while reading is paused`()
    async throws
  {
    let gateway = try await gateway()
    try await room.enroll(device, for: "bed-1", in: gateway)
    #expect(await gateway.ask(.pause(seconds: nil)) == .paused(until: nil))
    _ = await gateway.ask(.forget(device.identifier, patient: nil))
    try await room.enroll(device, for: "bed-2", in: gateway)
    device.device.measure(pressure(128))
    _ = await gateway.ask(.forget(device.identifier, patient: nil))
    try await room.enroll(device, for: "bed-1", in: gateway)
    let code = HubRequest.Enrolment(patient: .code("4711"), device: device.identifier)
    #expect(await room.fault(of: code, in: gateway)?.message.contains("reading is paused") == true)
    #expect(await gateway.ask(.resume) == .resumed)
    #expect(
      try await room.advance(gateway) { await decisions(of: "bed-1", in: gateway).count == 1 })
    #expect(await decisions(of: "bed-1", in: gateway).first?.candidates == ["bed-1", "bed-2"])
    #expect(try await room.count(of: "bed-1") == 0)
    await room.stop(gateway)
  }

  @Test func `releases all readings since the enrolment when one is confirmed`() async throws {
    let gateway = try await gateway()
    let room = room
    let answer = try await associate("bed-1", in: gateway) { device in
      try await room.air.clock.sleep(for: .seconds(1))
      device.device.enterPairingMode()
      try await room.pass(30)
      device.device.measure(pressure(131))
    }
    guard case .enrolled(let enrolled) = answer else { throw Unexpected(answer) }
    room.skip(120)
    device.device.measure(pressure(132))
    #expect(
      try await room.advance(gateway) { await decisions(of: "bed-1", in: gateway).count == 2 })
    let reading = try #require(enrolled.reading)
    #expect(
      await gateway.ask(.release(.records([reading.record], patient: "bed-1"))) == .released(1))
    #expect(
      try await room.advance(gateway) {
        try await room.readings(of: "bed-1").systolic == [131, 132]
      })
    #expect(await decisions(of: "bed-1", in: gateway).isEmpty)
    await room.stop(gateway)
  }

  @Test func `is not enrolled for a patient whom the file does not name`() async throws {
    let cuff = room.device(.bm54(memory: []))
    let gateway = try room.gateway(
      room.text([("bed-1", cuff.entry(sharedCuff, slot: 1)), ("bed-2", "")], codes: Self.codes))
    await gateway.start()
    for patient in [HubRequest.Patient.alias("bed-2"), .code("4712")] {
      let enrolment = HubRequest.Enrolment(patient: patient, device: cuff.identifier, slot: 2)
      #expect(
        await room.fault(of: enrolment, in: gateway)?.message
          == "the file says that the device is bed-1's; change it there, then reload")
    }
    await room.stop(gateway)
  }

  @Test func `asks about the slot of a shared monitor, and about no other one`() async throws {
    let cuff = room.device(.bm54(memory: []))
    let gateway = try await gateway()
    try await room.enroll(cuff, for: "bed-1", slot: 1, in: gateway)
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    let room = room
    let answer = try await associate("bed-2", slot: 2, of: cuff, in: gateway) { device in
      try await room.pass(30)
      device.device.measure(pressure(128, user: slots[1]))
      device.device.measure(pressure(129, user: slots[0]))
    }
    guard case .enrolled(let enrolled) = answer else { throw Unexpected(answer) }
    #expect(enrolled.reading?.slot == 2)
    #expect(enrolled.reading?.values.first == "systolic blood pressure 128 mmHg")
    await room.stop(gateway)
  }

  @Test func `hands nothing out where another one has its serial number`() async throws {
    let (first, second) = (room.device(.bm54(memory: [])), room.device(.bm54(memory: [])))
    let gateway = try await gateway()
    try await room.enroll(first, for: "bed-1", slot: 1, in: gateway)
    try await room.enroll(first, for: "bed-2", slot: 2, in: gateway)
    try await room.enroll(second, for: "bed-2", slot: 1, in: gateway)
    try await room.enroll(second, for: "bed-1", slot: 2, in: gateway)
    // Both are read once, and known by their serial number.
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    for device in [first, second] {
      device.device.measure(pressure(120, user: slots[0]))
      await room.advance(gateway, by: 60)
    }
    let before = try await room.readings(of: "bed-1").count + room.readings(of: "bed-2").count
    room.skip(4000)
    first.device.measure(pressure(111, user: slots[0]))
    second.device.measure(pressure(133, user: slots[0]))
    let shared = HubStatus.Patient.shared
    #expect(
      try await room.advance(gateway) {
        let reasons = await decisions(of: shared, in: gateway).filter {
          $0.values.first?.contains("111") == true || $0.values.first?.contains("133") == true
        }
        return reasons.map(\.reason) == [.severalDevices, .severalDevices]
      })
    #expect(
      try await room.readings(of: "bed-1").count + room.readings(of: "bed-2").count == before)
    await room.stop(gateway)
  }

  @Test func `keeps the doubtful readings of a bed for the other patient when the bed changes`()
    async throws
  {
    let gateway = try await gateway()
    try await room.enroll(device, for: "bed-1", in: gateway)
    room.skip(3600)
    let room = room
    _ = try await associate("bed-2", in: gateway) { device in
      try await room.pass(30)
      device.device.measure(pressure(139))
    }
    #expect(await decisions(of: "bed-2", in: gateway).count == 1)
    try room.write(room.text(people: ["bed-2": "bed-3"], codes: Self.codes))
    _ = try await room.whilePassing(gateway) { await gateway.reload() }
    let decision = try #require(await decisions(of: "bed-1", in: gateway).first)
    #expect(decision.candidates == ["bed-1", "a former patient"])
    #expect(
      await gateway.ask(.release(.records([decision.record], patient: "bed-1"))) == .released(1))
    #expect(
      try await room.advance(gateway) { try await room.readings(of: "bed-1").systolic == [139] })
    await room.stop(gateway)
  }

  private struct Unexpected: Error {
    let answer: HubAnswer
    init(_ answer: HubAnswer) { self.answer = answer }
  }
}
