// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import SantorioConcurrency
import TestSupport
import Testing
import VirtualDevices

@testable import Hub

/// How long a soak is, and how many take part.
struct SoakSize: Sendable {
  var patients: Int
  var devices: Int
  var shared: Int
  var days: Int
  /// How often a day somebody measures.
  var turns: Int
  /// How many of a hundred devices are used each time.
  var use: Double
  /// How much more often things go wrong than in the long form.
  var trouble: Double

  static let short = SoakSize(
    patients: 4, devices: 12, shared: 1, days: 3, turns: 3, use: 50, trouble: 2)
  static let long = SoakSize(
    patients: 50, devices: 200, shared: 10, days: 30, turns: 2, use: 15, trouble: 1)
}

/// Some days of a ward in which much goes wrong, drawn at random.
struct Soak {
  let seed: UInt64
  let size: SoakSize
  let ledger = SoakLedger()
  private let world: SoakWorld
  private var random: SeededGenerator
  private var outageUntil = Date.distantPast
  /// How often each thing has happened.
  private(set) var happenings: [String: Int] = [:]
  private let tell: @Sendable (String) -> Void

  init(
    seed: UInt64, _ size: SoakSize, tell: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    (self.seed, self.size, self.tell) = (seed, size, tell)
    random = SeededGenerator(seed: seed)
    world = try SoakWorld(patients: (1...size.patients).map { "bed-\($0)" }, seed: seed)
    placeDevices()
  }

  private mutating func placeDevices() {
    for index in 0..<size.shared {
      let (one, other) = (2 * index % size.patients, (2 * index + 1) % size.patients)
      place(.sharedMonitor, of: [(world.patients[one], 0), (world.patients[other], 1)])
    }
    var kinds = world.patients.map { _ in SoakKind.ofOnePatient.shuffled(using: &random) }
    for index in 0..<(size.devices - size.shared) {
      let patient = index % size.patients
      guard let kind = kinds[patient].popLast() else { continue }
      place(kind, of: [(world.patients[patient], nil)])
    }
  }

  private mutating func place(_ kind: SoakKind, of owners: [(patient: String, user: UInt8?)]) {
    let drift = chance(30) ? Double.random(in: -40...40, using: &random) : 0
    world.add(
      SoakDevice(
        world.devices.count, kind, of: owners, drift: drift, battery: chance(10) ? 9 : 80,
        in: world.air, ledger, now: world.now))
  }

  private mutating func chance(_ percent: Double) -> Bool {
    Double.random(in: 0..<100, using: &random) < percent
  }

  private mutating func note(_ happening: String) { happenings[happening, default: 0] += 1 }

  // MARK: - The days

  mutating func run() async throws {
    try await world.startGateway()
    for device in world.devices { try await enroll(device) }
    await world.noteSessions()
    tell("\(world.devices.count) devices are enrolled")
    for day in 0..<size.days {
      for turn in 0..<size.turns {
        let hours = Double(24 * day) + 16 * Double(turn + 1) / Double(size.turns)
        world.skip(to: SoakWorld.begin.addingTimeInterval(3600 * hours))
        try await measure()
        tell("day \(day + 1), turn \(turn + 1): \(ledger.made.count) measurements")
      }
      try await lookAfter()
      tell("day \(day + 1) of \(size.days): \(ledger.made.count) measurements")
    }
    try await finish()
  }

  /// Pairs a device, as somebody does who holds it.
  private mutating func enroll(_ device: SoakDevice) async throws {
    guard let gateway = world.gateway else { return }
    device.isInRange = true
    world.host.forgetBond(with: device.host)
    let identifier = world.host.identifier(of: device.host)
    let (answer, isSearching) = (Locked<HubAnswer?>(nil), Locked(false))
    let owner = device.owners[0]
    Task {
      let given = await gateway.ask(
        .enroll(
          .init(
            patient: .alias(owner.patient), device: identifier,
            slot: owner.user.map { Int($0) + 1 },
            acceptsAll: true, takesMemory: true))
      ) { isSearching.withLock { $0 = true } }
      answer.withLock { $0 = given }
    }
    // It would be read instead by what waits for it, if it were switched on before.
    while !isSearching.withLock({ $0 }), answer.withLock({ $0 == nil }) { await Task.yield() }
    await world.pass(.seconds(1))
    device.switchOn()
    device.device.enterPairingMode()
    for _ in 0..<600 where answer.withLock({ $0 == nil }) {
      await world.pass(.milliseconds(500))
      // What was decided is carried out in real time.
      await gateway.changes.add {}.value
    }
    // The search is over by then, and what it has found is being written.
    while answer.withLock({ $0 == nil }) { await Task.yield() }
    if case .enrolled? = answer.withLock({ $0 }) {
      note("enrolled")
    } else {
      note("not enrolled")
      tell("device \(device.number), \(device.kind): \(String(describing: answer.withLock { $0 }))")
    }
    device.switchOff()
    await world.pass(.seconds(2))
  }

  /// Some measure, at about the same time.
  private mutating func measure() async throws {
    try drawServer()
    var used: [SoakDevice] = []
    for device in world.devices where chance(size.use) {
      if try await use(device) { used.append(device) }
    }
    var kill = chance(20) ? Int.random(in: 2...60, using: &random) : nil
    let killsReading = chance(50)
    let leaving = used.filter { _ in chance(4) }
    let leaveAt = Int.random(in: 2...20, using: &random)
    var quiet = 0
    for step in 0..<180 where quiet < 16 {
      if step == leaveAt {
        for device in leaving {
          note("out of range while it sends")
          device.isInRange = false
        }
      }
      let isReading = !world.host.connectedPeers.isEmpty
      if let due = kill, step >= due || killsReading && isReading {
        kill = nil
        try await killGateway(used)
      } else {
        await world.pass(.milliseconds(500))
        for device in used where device.takeTransferred() { device.lastSent = world.now() }
      }
      quiet = world.host.connectedPeers.isEmpty && kill == nil ? quiet + 1 : 0
    }
    for device in used { device.switchOff() }
    // Until they are not heard any more, which ends the pause after a reading.
    await world.pass(.seconds(20))
  }

  /// Kills the gateway in the middle of what it does.
  private mutating func killGateway(_ used: [SoakDevice]) async throws {
    note("gateway killed")
    await world.air.advance(by: .milliseconds(500))
    let sent = used.filter { $0.kind.erasesSentMeasurements && $0.takeTransferred() }
    let numbers = sent.map { String($0.number) }.joined(separator: ", ")
    tell("gateway killed; devices that it has just heard and that erase that: [\(numbers)]")
    try await world.killGateway()
    for device in sent {
      ledger.confirmedToKilled(device.number, since: device.lastSent)
      device.lastSent = world.now()
    }
  }

  /// One takes a device and measures; false for one that has no battery.
  private mutating func use(_ device: SoakDevice) async throws -> Bool {
    let now = world.now()
    guard device.deadUntil < now else { return false }
    drawTrouble(of: device, now)
    device.isInRange = device.awayUntil < now
    // Away from the ward one measures more often than somebody there notes.
    let times = device.isInRange ? (chance(15) ? 2 : 1) : Int.random(in: 1...4, using: &random)
    for _ in 0..<times {
      if device.kind == .sharedMonitor, chance(8) {
        note("measured by a stranger")
        device.measure(nil)
      } else if chance(5), device.failToMeasure() {
        note("measurement failed")
      } else {
        device.measure(Int.random(in: device.owners.indices, using: &random))
      }
    }
    await device.device.waitUntilIdle()
    device.switchOn()
    if device.deadUntil > now {
      // Its battery ends with this measurement, which it keeps.
      device.switchOff()
      return false
    }
    return true
  }

  private mutating func drawTrouble(of device: SoakDevice, _ now: Date) {
    func chance(_ percent: Double) -> Bool { self.chance(percent * size.trouble) }
    if chance(3) {
      note("taken out of range")
      device.awayUntil = now.addingTimeInterval(3600 * Double.random(in: 3...50, using: &random))
    }
    if chance(0.6) {
      note("bond lost")
      device.host.forgetBonds()
    }
    if chance(1) {
      note("battery empty")
      device.deadUntil = now.addingTimeInterval(3600 * Double.random(in: 3...30, using: &random))
      if chance(50) { device.jump(by: -86_400 * Double.random(in: 1...60, using: &random)) }
    }
    if chance(1) {
      note("clock set wrong")
      device.jump(by: 3600 * Double.random(in: -30...5, using: &random))
    }
    if chance(6) {
      note("link lost while it sends")
      device.host.dropLink(afterPackets: Int.random(in: 1...40, using: &random))
    }
    if chance(2) {
      note("request not answered")
      device.host.ignoreRequests(1)
    }
  }

  private mutating func drawServer() throws {
    let now = world.now()
    if !world.isServerUp {
      if outageUntil < now { try world.startServer() }
      return
    }
    if chance(8) {
      note("server stopped")
      outageUntil = now.addingTimeInterval(3600 * Double.random(in: 1...30, using: &random))
      return world.stopServer()
    }
    if chance(10) {
      note("server answers 503")
      return world.setLine(.refusing)
    }
    if chance(20) {
      note("line faulty")
      return world.setLine(.faulty)
    }
    world.setLine(.good)
  }

  /// Somebody looks at the status in the evening, and pairs what must be paired again.
  private mutating func lookAfter() async throws {
    guard let gateway = world.gateway else { return }
    let status = await gateway.status()
    let unpaired = Set(
      status.patients.flatMap(\.devices).filter { $0.state == .unpaired }.map(\.identifier))
    for device in world.devices
    where unpaired.contains(world.host.identifier(of: device.host)) {
      note("paired again")
      try await enroll(device)
    }
  }

  // MARK: - The end

  /// All is well again; each device is used once more and read.
  private mutating func finish() async throws {
    try world.startServer()
    world.setLine(.good)
    for round in 0..<4 {
      for device in world.devices {
        (device.awayUntil, device.deadUntil) = (.distantPast, .distantPast)
        device.isInRange = true
        device.host.dropLink(afterPackets: .max)
        if round == 0 { device.measure(0) }
        device.switchOn()
      }
      for step in 1...(round == 0 ? 240 : 1800) {
        await world.pass(.milliseconds(500))
        if step % 20 == 0, try await isComplete() { break }
      }
      for device in world.devices { device.switchOff() }
      await world.pass(.seconds(20))
      try await lookAfter()
      let faults = try await fates().count { $0.0.isFault }
      tell("the end, round \(round + 1): \(faults) measurements are not accounted for")
      if faults == 0 { break }
    }
  }

  private func isComplete() async throws -> Bool {
    try await !ledger.settle(world.found()).contains { $0.0.isFault }
  }

  /// What became of each measurement.
  func fates() async throws -> [(SoakFate, String)] { ledger.settle(try await world.found()) }

  /// Does what must never happen to a measurement that the server has, for a test of the ledger.
  func spoil(_ change: String) throws { try world.spoil(change) }

  func end() async { await world.stop() }
}

extension HubGateway {
  /// The answer to a request.
  fileprivate func ask(
    _ request: HubRequest, progress: @escaping @Sendable () -> Void
  ) async -> HubAnswer {
    do throws(HubFault) {
      return try await carryOut(request, by: "nurse") { _ in progress() }
    } catch {
      return .failed(error)
    }
  }
}
