// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioCore
import TestSupport
import Testing
import VirtualDevices

@testable import Hub

extension HubGateway {
  fileprivate func noteChange(of alias: String) { changed.insert(alias) }

  /// Reloads two files that are written one after the other, the second while the first is applied.
  fileprivate func reload(_ texts: [String], in room: HubRoom) async throws {
    var reloads: [Task<HubAnswer.Reload, Never>] = []
    for text in texts {
      try room.write(text)
      // It runs up to where it has to wait for something.
      reloads.append(Task.immediate { await self.reload() })
    }
    for reload in reloads { #expect(await reload.value.isInUse) }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `A gateway for several patients` {
  // MARK: - Whose readings are whose

  @Test func `reads each patient's device for that patient`() async throws {
    let room = try HubRoom()
    let (first, second) = (
      room.device(.ua651BLE(memory: [])), room.device(.ua651BLE(memory: []))
    )
    let gateway = try room.gateway(
      room.text([("bed-1", first.entry(singleCuff)), ("bed-2", second.entry(singleCuff))]))
    await gateway.start()
    for (alias, device) in [("bed-1", first), ("bed-2", second)] {
      try await room.enroll(device, for: alias, in: gateway)
    }
    first.device.measure(pressure(121))
    second.device.measure(pressure(142))
    #expect(
      try await room.advance(gateway) {
        let (one, other) = (try await room.count(of: "bed-1"), try await room.count(of: "bed-2"))
        return one + other == 2
      })
    #expect(try await room.readings(of: "bed-1").systolic == [121])
    #expect(try await room.readings(of: "bed-2").systolic == [142])
    await room.stop(gateway)
  }

  @Test func `hands each reading of a shared device to the patient of its slot`() async throws {
    let room = try HubRoom()
    let (device, gateway) = try await room.sharedCuff()
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    device.device.measure(pressure(121, user: slots[0]))
    device.device.measure(pressure(142, user: slots[1]))
    device.device.measure(pressure(163, user: 9))
    #expect(
      try await room.advance(gateway) {
        guard case .status(let status) = await gateway.ask(.status) else { return false }
        return status.patients.last?.held == 1 && status.patients.allSatisfy { $0.queued == 0 }
      })
    #expect(try await room.readings(of: "bed-1").systolic == [121])
    #expect(try await room.readings(of: "bed-2").systolic == [142])

    // What is nobody's is shown, and decided by a person.
    let decision = try #require(await gateway.status().patients.last?.decisions.first)
    #expect(decision.slot == DeviceModel(id: sharedCuff)?.label(ofSlot: 9))
    guard
      case .failed(let fault) = await gateway.ask(
        .release(.records([decision.record], patient: nil)))
    else { return #expect(Bool(false), "it was released for nobody") }
    #expect(fault.message.contains("--patient"))
    #expect(
      await gateway.ask(.release(.records([decision.record], patient: "bed-2"))) == .released(1))
    #expect(
      try await room.advance(gateway) { try await room.count(of: "bed-2") == 2 })
    #expect(try await room.readings(of: "bed-2").systolic == [142, 163])
    #expect(await gateway.status().patients.last?.held == 0)

    // The monitor sends its whole memory each time: what was decided does not come back.
    device.device.measure(pressure(124, user: slots[0]))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 2 })
    await room.advance(gateway, by: 20)
    #expect(await gateway.status().patients.last?.held == 0)
    #expect(try await room.count(of: "bed-2") == 2)
    await room.stop(gateway)
  }

  @Test func `gives the former patient's readings to nobody when a slot gets another`() async throws
  {
    let room = try HubRoom()
    let (device, gateway) = try await room.sharedCuff()
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    device.device.measure(pressure(142, user: slots[1]))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-2") == 1 })
    try room.write(
      room.text([
        ("bed-1", device.entry(sharedCuff, slot: 1)), ("bed-3", device.entry(sharedCuff, slot: 2)),
      ]))
    let reload = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(reload.isInUse, "\(reload.findings)")
    // It sends the former patient's reading once more, of another day. Its clock cannot be read.
    device.device.measure(pressure(151, user: slots[1]), at: room.now() - 86_400)
    room.skip(4300)
    device.device.measure(pressure(163, user: slots[1]))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-3") == 1 })
    await room.advance(gateway, by: 20)
    #expect(try await room.readings(of: "bed-3").systolic == [163])
    #expect(await gateway.status().patients.last?.decisions.count == 1)
    await room.stop(gateway)
  }

  @Test(arguments: [true, false])
  func `gives a patient nothing of what a device has sent for the one before`(
    isNoted: Bool
  ) async throws {
    let room = try HubRoom()
    let device = room.device(.accuChekGuide)
    device.device.eraseMeasurements()
    let meter = DeviceModel.accuChekGuide.id
    let glucose = { (value: Int) in VirtualMeasurement(.glucose(milligramsPerDeciliter: value)) }
    let gateway = try room.gateway(room.text([("bed-1", device.entry(meter)), ("bed-2", "")]))
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    device.device.measure(glucose(101))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    if !isNoted {
      try room.setFileFails(true)
    }
    try room.write(room.text([("bed-1", ""), ("bed-2", device.entry(meter))]))
    let reload = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(reload.changes.contains { $0.contains("bed-2's now") })
    // By its clock, which may be ahead, it is certain only then.
    room.skip(4300)
    device.device.measure(glucose(140))
    let isRead = try await room.advance(gateway) { try await room.count(of: "bed-2") == 1 }
    let status = await gateway.status().text
    #expect(isRead, "\(status)")
    await room.advance(gateway, by: 20)
    #expect(try await room.readings(of: "bed-2").compactMap { $0.value(.bloodGlucose) } == [140])
    let bed = try #require(await gateway.status().patients.first { $0.alias == "bed-2" })
    // It is bed-1's, and nobody is asked.
    #expect(bed.decisions.isEmpty && bed.older == 0)
    await room.stop(gateway)
  }

  @Test func `hands a shared reading over once, though it is killed in between`() async throws {
    let room = try HubRoom()
    let device = room.device(.bm54(memory: []))
    let text = room.text([
      ("bed-1", device.entry(sharedCuff, slot: 1)), ("bed-2", device.entry(sharedCuff, slot: 2)),
    ])
    let gateway = try room.gateway(text)
    await gateway.start()
    try await room.enroll(device, for: "bed-1", slot: 1, in: gateway)
    device.device.measure(pressure(121, user: try #require(DeviceModel(id: sharedCuff)).slots[0]))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    let record = try #require(try await room.readings(of: "bed-1").first)
    // As after a kill between the two queues: it is in both.
    let shared = try #require(await gateway.sessions[HubStatus.Patient.shared]?.session)
    var again = record
    again.serverID = nil
    try await shared.discardHeld([again])
    try await shared.hold([again])
    await gateway.update()
    #expect(try await room.advance(gateway) { try await shared.undecidedRecords().isEmpty })
    await room.advance(gateway, by: 30)
    #expect(try await room.count(of: "bed-1") == 1)
    await room.stop(gateway)
  }

  @Test func `offers a device that is nobody's, and does not read it`() async throws {
    let room = try HubRoom()
    let stranger = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    stranger.device.enterPairingMode()
    #expect(
      try await room.advance(gateway) {
        await gateway.status().unknown.map(\.identifier) == [stranger.identifier]
      })
    stranger.device.measure(pressure(121))
    await room.advance(gateway, by: 120)
    #expect(await gateway.status().patients.allSatisfy { $0.queued == 0 && $0.held == 0 })
    #expect(try await room.count(of: "bed-1") == 0)
    await room.stop(gateway)
  }

  // MARK: - Enrolment

  @Test func `reads what was enrolled, also after a restart`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let first = try room.gateway()
    await first.start()
    try await room.enroll(device, for: "bed-2", in: first)
    await room.stop(first)
    let second = try room.gateway()
    await second.start()
    device.device.measure(pressure(133))
    #expect(try await room.advance(second) { try await room.count(of: "bed-2") == 1 })
    await room.stop(second)
  }

  @Test func `reads the devices of other patients while one is looked for`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-2", in: gateway)
    let enrolment = Task {
      await gateway.ask(
        .enroll(.init(patient: .alias("bed-1"), model: singleCuff, acceptsAll: true)))
    }
    #expect(try await room.advance(gateway) { await gateway.isEnrolling })
    device.device.measure(pressure(133))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-2") == 1 })
    #expect(await gateway.isEnrolling)
    enrolment.cancel()
    _ = await enrolment.value
    await room.stop(gateway)
  }

  // Other patients' devices connect meanwhile.
  @Test func `answers the questions of the device that is enrolled only`() {
    let (own, other, new) = (UUID(), UUID(), UUID())
    func pairing(_ device: UUID?) -> HubPairing {
      HubPairing(passkey: nil, acceptsAll: true, device: device, others: [other]) { _ in }
    }
    #expect(pairing(own).concerns(own))
    #expect(![other, new].contains(where: pairing(own).concerns))
    #expect(pairing(nil).concerns(new) && !pairing(nil).concerns(other))
    // A device that is shared is enrolled for the next one, too.
    #expect(pairing(other).concerns(other))
  }

  @Test func `enrols a shared device only with both slots`() async throws {
    let room = try HubRoom()
    let device = room.device(.bm54(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    for slot in [nil, 2] {
      let answer = await gateway.ask(
        .enroll(.init(patient: .alias("bed-2"), device: device.identifier, slot: slot)))
      guard case .failed(let fault) = answer else {
        return #expect(Bool(false), "it was enrolled with slot \(slot ?? -1)")
      }
      #expect(fault.code == .refused)
      #expect(fault.message.contains("--slot"))
    }
    try await room.enroll(device, for: "bed-1", slot: 1, in: gateway)
    try await room.enroll(device, for: "bed-2", slot: 2, in: gateway)
    // Its clock, which cannot be read, may be ahead.
    room.skip(4300)
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    device.device.measure(pressure(121, user: slots[0]))
    device.device.measure(pressure(142, user: slots[1]))
    #expect(
      try await room.advance(gateway) {
        let (one, other) = (try await room.count(of: "bed-1"), try await room.count(of: "bed-2"))
        return one + other == 2
      })
    #expect(try await room.readings(of: "bed-1").systolic == [121])
    await room.stop(gateway)
  }

  @Test func `enrols nothing where the file forbids it, for nobody, and no device at random`()
    async throws
  {
    let room = try HubRoom()
    let gateway = try room.gateway(room.text(more: ", \"allow\": {\"enrolment\": false}"))
    await gateway.start()
    #expect(
      await room.fault(of: .init(patient: .alias("bed-1"), model: singleCuff), in: gateway)?.code
        == .refused)
    await room.stop(gateway)
    let open = try room.gateway()
    await open.start()
    for enrolment: HubRequest.Enrolment in [
      .init(patient: .alias("bed-9"), model: singleCuff), .init(patient: .alias("bed-1")),
      .init(patient: .alias("bed-1"), model: 7777),
      .init(patient: .alias("bed-1"), model: sharedCuff, slot: 0),
    ] {
      #expect(await room.fault(of: enrolment, in: open)?.code == .refused)
    }
    await room.stop(open)
  }

  // MARK: - Life

  @Test func `keeps readings while it is without a server`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway(room.text([("bed-1", "")], sends: false))
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    device.device.measure(pressure(121))
    #expect(
      try await room.advance(gateway) {
        await gateway.refresh()
        return await gateway.status().patients.first?.queued == 1
      })
    await room.stop(gateway)
  }

  @Test func `sends what it has kept when it gets a server`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway(room.text([("bed-1", device.entry(singleCuff))], sends: false))
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    device.device.measure(pressure(121))
    #expect(
      try await room.advance(gateway) { await gateway.status().patients.first?.queued == 1 })
    try room.write(room.text([("bed-1", device.entry(singleCuff))]))
    _ = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    await room.stop(gateway)
  }

  @Test func `shows a patient whose session is not open yet as such`() async throws {
    let room = try HubRoom()
    let gateway = try room.gateway()
    let before = await gateway.status().patients
    #expect(before.map(\.alias) == HubRoom.patients)
    #expect(before.allSatisfy { !$0.upload.works })
    await gateway.start()
    #expect(await gateway.status().patients.allSatisfy(\.upload.works))
    await room.stop(gateway)
  }

  @Test func `gives all who ask at once the same counts`() async throws {
    let room = try HubRoom()
    let gateway = try room.gateway(room.text(sends: false))
    await gateway.start()
    let session = try await gateway.session(of: "bed-1")
    try await session.submit([HealthRecord(of: [Metric(.systolic, 121)])])
    await gateway.noteChange(of: "bed-1")
    let counts = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<16 { group.addTask { await gateway.status().patients.first?.queued } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1, count: 16))
    await room.stop(gateway)
  }

  @Test func `goes on reading when the server refuses the token, and sends with a new one`()
    async throws
  {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let text = room.text([("bed-1", device.entry(singleCuff))])
    let gateway = try room.gateway(text)
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    let token = try String(contentsOfFile: room.folder.path("bed-1.token"), encoding: .utf8)
    try HubRoom.write("no-token", to: room.folder.path("bed-1.token"))
    _ = try await room.whilePassing(gateway) { await gateway.reload() }
    device.device.measure(pressure(121))
    #expect(
      try await room.advance(gateway) {
        let bed = await gateway.status().patients.first
        return bed?.queued == 1 && bed?.upload.works == false
      })
    try HubRoom.write(token, to: room.folder.path("bed-1.token"))
    _ = try await room.whilePassing(gateway) { await gateway.reload() }
    device.device.measure(pressure(122))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 2 })
    await room.stop(gateway)
  }

  @Test func `tells of a low battery once, whatever happens to the hub`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []), battery: 9)
    let text = room.text([("bed-1", device.entry(singleCuff))])
    for round in 0..<2 {
      let gateway = try room.gateway(text)
      await gateway.start()
      if round == 0 { try await room.enroll(device, for: "bed-1", in: gateway) }
      device.device.measure(pressure(121 + round))
      #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == round + 1 })
      await room.advance(gateway, by: 60)
      await room.stop(gateway)
    }
    let told = try await room.stored(of: "bed-1").filter { $0.kind == .deviceStatus }
    #expect(told.map(\.deviceStatus) == [.lowBattery])
    #expect(told.first?.source.device?.batteryPercent == 9)
  }

  @Test func `works by a changed file, and not by one with errors`() async throws {
    let room = try HubRoom()
    let gateway = try room.gateway()
    await gateway.start()
    try room.write("{\"name\": 7}")
    let refused = await gateway.reload()
    #expect(!refused.isInUse)
    #expect(!refused.findings.isEmpty)
    #expect(await gateway.status().patients.map(\.alias) == ["bed-1", "bed-2"])
    try room.write(room.text([("bed-1", ""), ("bed-3", "")]))
    let reload = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(reload.changes.contains("bed-3: is read for from now on"))
    #expect(reload.changes.contains("bed-2: is not read for any more"))
    let patients = await gateway.status().patients
    #expect(patients.map(\.alias) == ["bed-1", "bed-3"])
    #expect(patients.map(\.upload.works) == [true, true])
    await room.stop(gateway)
  }

  @Test func `works by the newest file when two reloads are asked for at once`() async throws {
    let room = try HubRoom()
    let gateway = try room.gateway()
    await gateway.start()
    // The older one has to count what a patient leaves behind before it is applied.
    let (older, newer) = (
      room.text([("bed-1", "")]), room.text([("bed-1", ""), ("bed-2", ""), ("bed-3", "")])
    )
    try await room.whilePassing(gateway) {
      await #expect(throws: Never.self) { try await gateway.reload([older, newer], in: room) }
    }
    #expect(await gateway.status().patients.map(\.alias) == ["bed-1", "bed-2", "bed-3"])
    await room.stop(gateway)
  }

  @Test func `is the only one of its folder`() async throws {
    let room = try HubRoom()
    let gateway = try room.gateway()
    let error = #expect(throws: SessionError.self) { try room.gateway() }
    #expect(error?.code == .folderInUse)
    #expect(error?.description.contains("another hub") == true)
    await gateway.stop()
  }

  @Test func `reads nothing while it is paused`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    #expect(await gateway.ask(.pause(seconds: nil)) == .paused(until: nil))
    device.device.measure(pressure(121))
    await room.advance(gateway, by: 60)
    #expect(try await room.count(of: "bed-1") == 0)
    #expect(await gateway.status().reading == .paused(until: nil))
    #expect(await gateway.ask(.resume) == .resumed)
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    await room.stop(gateway)
  }

  @Test func `goes on pausing after a restart, for as long as it was asked to`() async throws {
    let room = try HubRoom()
    let device = room.device(.ua651BLE(memory: []))
    let gateway = try room.gateway()
    await gateway.start()
    try await room.enroll(device, for: "bed-1", in: gateway)
    _ = await gateway.ask(.pause(seconds: nil))
    await room.stop(gateway)
    let next = try room.gateway()
    await next.start()
    device.device.measure(pressure(121))
    await room.advance(next, by: 30)
    #expect(await next.status().reading == .paused(until: nil))
    #expect(try await room.count(of: "bed-1") == 0)
    #expect(await next.ask(.resume) == .resumed)
    await room.stop(next)
    let last = try room.gateway()
    #expect(await last.status().reading == .on)
    await last.start()
    #expect(try await room.advance(last) { try await room.count(of: "bed-1") == 1 })
    await room.stop(last)
  }

  @Test func `says when a pause cannot be kept, or its end, and keeps it later`() async throws {
    let room = try HubRoom()
    let gateway = try room.gateway()
    await gateway.start()
    func isRefused(_ request: HubRequest, _ word: String) async -> Bool {
      guard case .failed(let fault) = await gateway.ask(request) else { return false }
      return fault.message.contains(word)
    }
    try room.setFileFails(true)
    #expect(await isRefused(.pause(seconds: nil), "restarted reads"))
    #expect(await gateway.status().reading == .paused(until: nil))
    try room.setFileFails(false)
    await gateway.update()
    #expect(gateway.memory.current.pause == HubPause(until: nil))

    try room.setFileFails(true)
    #expect(await isRefused(.resume, "restarted pauses"))
    #expect(await gateway.status().reading == .on)
    #expect(await isRefused(.resume, "restarted pauses"))
    try room.setFileFails(false)
    #expect(await gateway.ask(.resume) == .resumed)
    await room.stop(gateway)
    #expect(try await room.gateway().status().reading == .on)
  }

  @Test func `leaves no pause behind when it has sent all and ends`() async throws {
    let room = try HubRoom()
    let gateway = try room.gateway()
    await gateway.start()
    await gateway.drain()
    await gateway.update()
    #expect(gateway.memory.current.pause == nil)
    await room.stop(gateway)
    #expect(try await room.gateway().status().reading == .on)
  }

  @Test func `pauses no longer than the longest time, whatever the clock was`() {
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    func end(_ seconds: Double?) -> Date? {
      HubPause(until: seconds.map { now + $0 }).limited(at: now).until
    }
    #expect(end(60) == now + 60)
    #expect(end(1e9) == now + 7 * 86_400)
    #expect(end(nil) == nil)
  }

  @Test func `reads for the others while one patient's token is missing`() async throws {
    let room = try HubRoom()
    let (first, second) = (
      room.device(.ua651BLE(memory: [])), room.device(.ua651BLE(memory: []))
    )
    let token = room.folder.path("bed-2.token")
    let text = try String(contentsOfFile: token, encoding: .utf8)
    try FileManager.default.removeItem(atPath: token)
    let gateway = try room.gateway(
      room.text([("bed-1", first.entry(singleCuff)), ("bed-2", second.entry(singleCuff))]))
    await gateway.start()
    for (alias, device) in [("bed-1", first), ("bed-2", second)] {
      try await room.enroll(device, for: alias, in: gateway)
    }
    let broken = try #require(await gateway.status().patients.last)
    #expect(!broken.upload.works)
    #expect(broken.upload.text.contains("bed-2.token"))
    first.device.measure(pressure(121))
    second.device.measure(pressure(142))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    // What is read meanwhile waits for the token.
    #expect(
      try await room.advance(gateway) { await gateway.status().patients.last?.queued == 1 })
    try HubRoom.write(text, to: token)
    _ = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-2") == 1 })
    #expect(await gateway.status().patients.last?.upload.works == true)
    await room.stop(gateway)
  }

  @Test func `leaves its folders to the next one`() async throws {
    let room = try HubRoom()
    for _ in 0..<3 {
      let gateway = try room.gateway()
      await gateway.start()
      #expect(await gateway.status().patients.allSatisfy(\.upload.works))
      await room.stop(gateway)
    }
  }
}
