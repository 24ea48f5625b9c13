// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import Hub

private func glucose(_ value: Int) -> VirtualMeasurement {
  VirtualMeasurement(.glucose(milligramsPerDeciliter: value))
}

@Suite(.timeLimit(.minutes(15))) struct `A device that leaves a patient` {
  /// A meter that was bed-1's, with a measurement from some seconds ago that was not read.
  private func forgottenMeter(
    in room: HubRoom, measured secondsAgo: Double
  ) async throws -> (RoomDevice, HubGateway) {
    let device = room.device(.accuChekGuide)
    device.device.eraseMeasurements()
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    _ = await gateway.ask(.forget(device.identifier, patient: nil))
    device.device.measure(glucose(101), at: room.now() - secondsAgo)
    return (device, gateway)
  }

  @Test func `reads a device no more that was forgotten, and offers it`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    #expect(
      await gateway.ask(.forget(device.identifier, patient: nil))
        == .forgotten(patients: ["bed-1"]))
    #expect(await gateway.status().patients.allSatisfy(\.devices.isEmpty))
    device.device.measure(pressure(121))
    #expect(
      try await room.advance(gateway) {
        await gateway.status().unknown.contains { $0.identifier == device.identifier }
      })
    #expect(try await room.count(of: "bed-1") == 0)
    await room.stop(gateway)
    let next = try room.gateway()
    await next.start()
    #expect(await next.status().patients.allSatisfy(\.devices.isEmpty))
    await room.stop(next)
  }

  // Of the first nobody knows which patient has measured it; the other is older than any clock is wrong.
  @Test(arguments: [(300.0, 1, 0), (3600, 0, 1)])
  func `does not give what a forgotten device has in its memory to the next patient`(
    secondsAgo: Double, held: Int, older: Int
  ) async throws {
    let room = try HubRoom()
    let (device, gateway) = try await forgottenMeter(in: room, measured: secondsAgo)
    try await room.enroll(device, for: "bed-2", in: gateway)
    // By its clock, which may be ahead, it is certain only then.
    room.skip(4300)
    device.device.measure(glucose(140))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-2") == 1 })
    #expect(
      try await room.readings(of: "bed-2").compactMap { $0.value(.bloodGlucose) } == [140])
    let bed = try #require(await gateway.status().patients.last)
    #expect(bed.held == held && bed.older == older)
    await room.stop(gateway)
  }

  @Test func `forgets a shared device for one of its patients only`() async throws {
    let room = try HubRoom()
    let device = room.device(.bm54(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", slot: 1, in: gateway)
    try await room.enroll(device, for: "bed-2", slot: 2, in: gateway)
    #expect(
      await gateway.ask(.forget(device.identifier, patient: "bed-2"))
        == .forgotten(patients: ["bed-2"]))
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    device.device.measure(pressure(121, user: slots[0]))
    device.device.measure(pressure(142, user: slots[1]))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    await room.advance(gateway, by: 20)
    #expect(try await room.readings(of: "bed-1").systolic == [121])
    #expect(try await room.count(of: "bed-2") == 0)
    await room.stop(gateway)
  }

  @Test func `forgets no device that the file names, nor one that is nobody's`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway(room.text([("bed-1", device.entry(singleCuff)), ("bed-2", "")]))
    await gateway.start()
    func message(_ device: UUID, _ patient: String?) async -> String? {
      guard case .failed(let fault) = await gateway.ask(.forget(device, patient: patient)) else {
        return nil
      }
      return fault.message
    }
    #expect(await message(device.identifier, nil)?.contains("the file says") == true)
    #expect(await message(device.identifier, "bed-2")?.contains("but bed-1's") == true)
    #expect(await message(UUID(), nil)?.contains("nobody's") == true)
    #expect(await gateway.status().patients.first?.devices.count == 1)
    await room.stop(gateway)
  }

  // Many a device sends what it has while it is paired.
  @Test(arguments: [VirtualDeviceModel.ua651BLE(memory: []), .bm54(memory: [])])
  func `sends nothing of the former patient to the next one while it is paired`(
    model: VirtualDeviceModel
  ) async throws {
    let room = try HubRoom()
    let device = room.device(model)
    let slot = model.peripheralID == sharedCuff ? 1 : nil
    let user = slot.flatMap { _ in DeviceModel(id: sharedCuff)?.slots[0] }
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", slot: slot, in: gateway)
    _ = await gateway.ask(.forget(device.identifier, patient: nil))
    device.device.measure(pressure(101, user: user), at: room.now() - 300)
    try await room.enroll(device, for: "bed-2", slot: slot, in: gateway)
    // By its clock, which may be ahead, it is certain only then.
    room.skip(4300)
    device.device.measure(pressure(142, user: user))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-2") > 0 })
    #expect(try await room.readings(of: "bed-2").systolic == [142])
    #expect(await gateway.status().patients.last?.held == 1)
    await room.stop(gateway)
  }

  @Test func `has no reading that is decided for two patients`() async throws {
    let room = try HubRoom()
    let (device, gateway) = try await forgottenMeter(in: room, measured: 60)
    for alias in ["bed-2", "bed-1"] {
      try await room.enroll(device, for: alias, in: gateway)
      // It is connected when it has something new.
      if alias == "bed-1" { device.device.measure(glucose(140)) }
      #expect(
        try await room.advance(gateway) {
          await gateway.status().patients.first { $0.alias == alias }?.held ?? 0 > 0
        })
      if alias == "bed-2" { _ = await gateway.ask(.forget(device.identifier, patient: nil)) }
    }
    let decision = try #require(await gateway.status().patients.last?.decisions.first)
    #expect(decision.candidates == ["bed-1", "bed-2"] && decision.reason == .aroundChange)
    #expect(decision.values == ["blood glucose 101 mg/dL"])
    let name = decision.record

    guard case .failed(let fault) = await gateway.ask(.release(.records([name], patient: nil)))
    else {
      Issue.record("released for both")
      return
    }
    #expect(fault.message.contains("bed-1 and bed-2"))

    #expect(await gateway.ask(.release(.records([name], patient: "bed-1"))) == .released(1))
    func released() async throws -> HealthRecord? {
      try await room.readings(of: "bed-1").first { $0.value(.bloodGlucose) == 101 }
    }
    #expect(try await room.advance(gateway) { try await released() != nil })
    #expect(try await released()?.userDecision?.decider == "nurse")
    #expect(try await room.count(of: "bed-2") == 0)
    #expect(await gateway.status().patients.last?.held == 0)
    await room.stop(gateway)
  }

  @Test func `is not released to a patient where it was taken for another one`() async throws {
    let room = try HubRoom()
    let (device, gateway) = try await forgottenMeter(in: room, measured: 60)
    try await room.enroll(device, for: "bed-2", takingMemory: true, in: gateway)
    #expect(
      try await room.advance(gateway) { await gateway.status().patients.last?.held == 1 })
    let record = try #require(
      try await gateway.sessions["bed-2"]?.session?.undecidedRecords().first)
    let first = try #require(await gateway.sessions["bed-1"]?.session)
    try await first.hold([record], inSession: nil)
    #expect(
      await gateway.ask(.release(.records([record.logID], patient: "bed-2"))) == .released(1))
    try await first.hold([record], inSession: nil)
    try await first.releaseDecided([record], by: "nobody")
    try await first.hold([record], inSession: nil)
    guard
      case .failed(let fault) = await gateway.ask(
        .release(.records([record.logID], patient: "bed-1")))
    else {
      Issue.record("released for both")
      return
    }
    #expect(fault.message.contains("taken for bed-2") || fault.message.contains("is held"))
    await room.stop(gateway)
  }

  @Test func `gives its memory to a patient for whom it is asked for`() async throws {
    let room = try HubRoom()
    let device = room.device(.accuChekGuide)
    device.device.eraseMeasurements()
    device.device.measure(glucose(101), at: room.now() - 86_400)
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    #expect(
      try await room.advance(gateway) { await gateway.status().patients.first?.older == 1 })
    #expect(await gateway.status().text.contains("--with-memory"))
    #expect(try await room.count(of: "bed-1") == 0)

    try await room.enroll(device, for: "bed-1", takingMemory: true, in: gateway)
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    #expect(await gateway.status().patients.first?.older == 0)
    await room.stop(gateway)
  }

  @Test func `is not read to the end for that patient`() async throws {
    let room = try HubRoom()
    let device = room.device(.polarH10)
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    func state() async -> HubStatus.DeviceState? {
      await gateway.status().patients.first?.devices.first?.state
    }
    device.device.switchOn()
    #expect(try await room.advance(gateway) { await state() == .reading })
    let before = try await room.count(of: "bed-1")
    _ = await gateway.ask(.forget(device.identifier, patient: nil))
    device.device.measure(VirtualMeasurement(.heartRate(71)))
    await room.advance(gateway, by: 90)
    #expect(try await room.count(of: "bed-1") == before)
    await room.stop(gateway)
  }

  @Test func `is nobody's when the file names it no more, also where it was enrolled`() async throws
  {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    for devices in [device.entry(singleCuff), ""] {
      try room.write(room.text([("bed-1", ""), ("bed-2", devices)]))
      #expect(try await room.whilePassing(gateway) { await gateway.reload() }.isInUse)
    }
    #expect(await gateway.status().patients.allSatisfy(\.devices.isEmpty))
    await room.stop(gateway)
  }

  @Test func `stays with the next one when the former gets the bed back`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    func reload(_ people: [String: String]) async throws {
      try room.write(room.text(people: people))
      _ = try await room.whilePassing(gateway) { await gateway.reload() }
    }
    try await room.enroll(device, for: "bed-1", in: gateway)
    try await reload(["bed-1": "bed-3"])
    #expect(await gateway.status().patients.allSatisfy(\.devices.isEmpty))
    try await room.enroll(device, for: "bed-2", in: gateway)
    try await reload([:])
    #expect(await gateway.status().patients.map(\.devices.count) == [0, 1])
    await room.stop(gateway)
  }

  @Test func `is not enrolled for who came into the bed while it was looked for`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    device.device.measure(pressure(101), at: Date(timeIntervalSinceNow: -3600))
    let gateway = try room.gateway()
    await gateway.start()
    let answer = Locked<HubAnswer?>(nil)
    let enrolment = Task {
      let given = await gateway.ask(
        .enroll(.init(patient: .alias("bed-1"), device: device.identifier, acceptsAll: true)))
      answer.withLock { $0 = given }
    }
    #expect(try await room.advance(gateway) { await gateway.isEnrolling })
    try room.write(room.text(people: ["bed-1": "bed-3"]))
    _ = try await room.whilePassing(gateway) { await gateway.reload() }
    device.device.enterPairingMode()
    #expect(try await room.advance(gateway) { answer.withLock { $0 != nil } })
    await enrolment.value
    guard case .failed? = answer.withLock({ $0 }) else {
      Issue.record("enrolled for another patient")
      return
    }
    #expect(await gateway.status().patients.allSatisfy(\.devices.isEmpty))
    #expect(try await room.count(of: "bed-3") == 0)
    await room.stop(gateway)
  }
}
