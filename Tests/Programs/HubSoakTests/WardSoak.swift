// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hub
import TestSupport
import Testing
import VirtualDevices

/// The duration of a ward of processes, and its beds and devices.
struct WardSize: Sendable {
  var beds: Int
  var devices: Int
  /// Devices that two beds share.
  var shared: Int
  var seconds: Double

  static let short = WardSize(beds: 4, devices: 6, shared: 1, seconds: 30)
  static let long = WardSize(beds: 30, devices: 40, shared: 7, seconds: 600)
}

/// Some minutes of a ward whose hub is killed, reloaded and paused, whose devices change hands, and
/// whose line to the server breaks, drawn at random.
///
/// Times are real: a seed fixes what is drawn, not the order of the processes' steps.
struct WardSoak {
  private let size: WardSize
  let processes: WardProcesses
  private(set) var ledger = WardLedger()
  /// The person in each bed.
  private var beds: [String]
  private var devices: [WardDevice] = []
  private var random: SeededGenerator
  private var counts: [SoakKind: Int] = [:]
  private var persons = 0
  private var lineHealsAt = Date.distantPast
  private(set) var happenings: [String: Int] = [:]
  private let tell: @Sendable (String) -> Void

  init(
    seed: UInt64, _ size: WardSize, tell: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    (self.size, self.tell) = (size, tell)
    random = SeededGenerator(seed: seed)
    processes = try WardProcesses(seed: seed)
    beds = []
    for _ in 0..<size.beds { beds.append(try addPerson()) }
    for number in 0..<size.devices {
      let kind =
        number < size.shared
        ? .sharedMonitor : WardDevice.kinds[number % (WardDevice.kinds.count - 1) + 1]
      devices.append(WardDevice(number: number, kind: kind, owners: []))
    }
  }

  private mutating func addPerson() throws -> String {
    persons += 1
    let name = "person-\(persons)"
    try processes.addPerson(name)
    return name
  }

  private mutating func chance(_ percent: Double) -> Bool {
    Double.random(in: 0..<100, using: &random) < percent
  }

  private mutating func note(_ happening: String) { happenings[happening, default: 0] += 1 }

  // MARK: - The run

  mutating func run() async throws {
    try processes.configure(beds)
    await processes.start()
    try processes.startHub()
    for number in devices.indices {
      let device = devices[number]
      await processes.tell("add \(number) \(device.model.id) \(device.serial)")
      await enroll(number, for: drawBeds(device))
      // The hub takes the first device of a model that it hears.
      await putToSleep(number)
    }
    tell("\(devices.count { !$0.owners.isEmpty }) of \(devices.count) devices are enrolled")
    let end = Date().addingTimeInterval(size.seconds)
    var told = Date()
    while Date() < end {
      try await step()
      guard Date().timeIntervalSince(told) > 30 else { continue }
      told = Date()
      tell("\(Int(end.timeIntervalSince(told))) s left: \(ledger.made.count) measurements")
    }
    try await finish()
  }

  private mutating func step() async throws {
    await sleepAndLook()
    if chance(60) { await use(Int.random(in: devices.indices, using: &random)) }
    if chance(3) { await killHub() }
    if chance(3) { await move(Int.random(in: devices.indices, using: &random)) }
    if chance(1) { try await changePerson(Int.random(in: beds.indices, using: &random)) }
    if chance(1) {
      note("reloaded")
      _ = await processes.ask(.reload)
    }
    if chance(0.7) {
      note("paused")
      _ = await processes.ask(.pause(seconds: Int.random(in: 2...6, using: &random)))
    }
    drawLine()
    await processes.pass(.milliseconds(200))
  }

  /// Devices fall asleep some seconds after they were used; what they have sent is noted.
  private mutating func sleepAndLook() async {
    let now = Date()
    for number in processes.takeSent() { devices[number].lastSent = now }
    for number in devices.indices where devices[number].isAwake && devices[number].sleepsAt < now {
      await putToSleep(number)
    }
  }

  private mutating func drawLine() {
    let now = Date()
    if lineHealsAt < now { processes.setLine(.good) }
    guard lineHealsAt < now, chance(2) else { return }
    let isFaulty = chance(50)
    note(isFaulty ? "line faulty" : "server answers 503")
    processes.setLine(isFaulty ? .faulty : .refusing)
    lineHealsAt = now.addingTimeInterval(Double.random(in: 2...15, using: &random))
  }

  // MARK: - A device

  private mutating func use(_ number: Int) async {
    if chance(3) {
      note("battery changed")
      await processes.tell("clock \(number) \(-86_400 * 365 * 10)")
    } else if chance(5) {
      note("clock set wrong")
      await processes.tell("clock \(number) \(Int.random(in: -500...500, using: &random))")
    }
    await measure(number)
    await wake(number, seconds: Double.random(in: 1...12, using: &random))
    if chance(8) {
      note("link broken")
      await processes.pass(.milliseconds(Int.random(in: 50...900, using: &random)))
      await processes.tell("drop \(number)")
    }
  }

  @discardableResult
  private mutating func measure(_ number: Int) async -> VirtualMeasurement.Values {
    let device = devices[number]
    let owner = device.owners.randomElement(using: &random)
    let values = device.kind.values(counts[device.kind, default: 0])
    counts[device.kind, default: 0] += 1
    let user = owner.map { $0.user ?? device.kind.user } ?? device.kind.user
    await processes.tell("measure \(number) \(user.map(String.init) ?? "-") \(values.words)")
    ledger.add(
      WardReading(
        device: number, model: device.model.peripheralID, values: values.text, time: Date(),
        person: owner.map { beds[$0.bed] }))
    return values
  }

  private mutating func wake(_ number: Int, seconds: Double) async {
    devices[number].sleepsAt = Date().addingTimeInterval(seconds)
    guard !devices[number].isAwake else { return }
    devices[number].isAwake = true
    await processes.tell("awake \(number)")
  }

  private mutating func putToSleep(_ number: Int) async {
    guard devices[number].isAwake else { return }
    devices[number].isAwake = false
    await processes.tell("asleep \(number)")
  }

  // MARK: - Owners

  /// One bed, or two different ones with the slots of a shared device.
  private mutating func drawBeds(_ device: WardDevice) -> [(bed: Int, user: UInt8?)] {
    let some = beds.indices.shuffled(using: &random)
    return device.isShared ? [(some[0], UInt8(0)), (some[1], UInt8(1))] : [(some[0], nil)]
  }

  /// A device goes to another bed, often just after somebody has measured.
  private mutating func move(_ number: Int) async {
    if devices[number].measuresPressure, devices[number].owners.count == 1, chance(50) {
      return await associate(number)
    }
    note("device moved")
    if chance(60) { await measure(number) }
    await processes.pass(.milliseconds(Int.random(in: 0...1500, using: &random)))
    await forget(number)
    if chance(30) { await measure(number) }
    await enroll(number, for: drawBeds(devices[number]))
  }

  /// A nurse gives a monitor to a bed by the code of the wristband, measures, and confirms the reading if it
  /// is the one that the monitor has shown.
  private mutating func associate(_ number: Int) async {
    guard let identifier = devices[number].identifier else { return }
    note("device moved by code")
    let bed = drawBeds(devices[number])[0].bed
    if chance(60) { await measure(number) }
    ledger.change(number, at: Date())
    let processes = processes
    let answer = Task {
      await processes.ask(
        .enroll(.init(patient: .code("\(bed)"), device: identifier, acceptsAll: true, seconds: 20)))
    }
    await processes.pass(.milliseconds(1500))
    var shown: VirtualMeasurement.Values?
    if await isAssigned(identifier, to: bed) {
      devices[number].owners = [(bed, nil)]
      ledger.change(number, at: Date())
      shown = await measure(number)
      await wake(number, seconds: 20)
    }
    await confirm(number, in: bed, await answer.value, shown)
    ledger.change(number, at: Date())
  }

  private func isAssigned(_ device: UUID, to bed: Int) async -> Bool {
    guard case .status(let status)? = await processes.ask(.status) else { return false }
    let patient = status.patients.first { $0.alias == "bed-\(bed)" }
    return patient?.devices.contains { $0.identifier == device } ?? false
  }

  private mutating func confirm(
    _ number: Int, in bed: Int, _ answer: HubAnswer?, _ shown: VirtualMeasurement.Values?
  ) async {
    if answer == nil { await restartHub() }
    if case .enrolled? = answer { devices[number].owners = [(bed, nil)] }
    guard case .enrolled(let enrolled)? = answer, let reading = enrolled.reading,
      case .bloodPressure(let systolic, let diastolic, _)? = shown
    else { return }
    let (first, second) = (" \(systolic) mmHg", " \(diastolic) mmHg")
    guard reading.values.contains(where: { $0.hasSuffix(first) }),
      reading.values.contains(where: { $0.hasSuffix(second) })
    else {
      note("another reading shown")
      return await forget(number)
    }
    note("reading confirmed")
    if await processes.ask(.release(.records([reading.record], patient: "bed-\(bed)"))) == nil {
      await restartHub()
    }
  }

  private mutating func forget(_ number: Int) async {
    guard let identifier = devices[number].identifier else { return }
    ledger.change(number, at: Date())
    while true {
      let answer = await processes.ask(.forget(identifier, patient: nil))
      if case .forgotten? = answer { break }
      // The hub was killed: it has forgotten the device, or not.
      if case .failed? = answer { break }
      await restartHub()
    }
    devices[number].owners = []
    ledger.change(number, at: Date())
  }

  /// Somebody who holds the device enrols it for beds.
  private mutating func enroll(
    _ number: Int, for owners: [(bed: Int, user: UInt8?)]
  ) async {
    for owner in owners {
      await putToSleep(number)
      var answer: HubAnswer?
      for _ in 0..<3 {
        answer = await tryToEnroll(number, owner)
        if case .enrolled? = answer { break }
        if answer == nil { await restartHub() }
        await putToSleep(number)
      }
      ledger.change(number, at: Date())
      if case .enrolled(let device)? = answer {
        devices[number].identifier = device.identifier
        devices[number].owners.append(owner)
      } else {
        note("not enrolled")
        tell("device \(number), \(devices[number].kind): \(String(describing: answer))")
      }
    }
  }

  private mutating func tryToEnroll(
    _ number: Int, _ owner: (bed: Int, user: UInt8?)
  ) async -> HubAnswer? {
    note("enrolled")
    let device = devices[number]
    let request = HubRequest.enroll(
      .init(
        patient: .alias("bed-\(owner.bed)"),
        model: device.identifier == nil ? device.model.peripheralID : nil,
        device: device.identifier, slot: WardDevice.label(owner.user), acceptsAll: true,
        seconds: 30))
    let processes = processes
    let answer = Task { await processes.ask(request) }
    await processes.pass(.milliseconds(300))
    await wake(number, seconds: 60)
    await processes.tell("pairing \(number)")
    defer { devices[number].sleepsAt = Date().addingTimeInterval(2) }
    return await answer.value
  }

  /// A bed gets another person.
  private mutating func changePerson(_ bed: Int) async throws {
    note("bed given to another person")
    let affected = devices.indices.filter { devices[$0].owners.contains { $0.bed == bed } }
    for number in affected where chance(50) { await measure(number) }
    let new = try addPerson()
    for number in affected { ledger.change(number, at: Date()) }
    beds[bed] = new
    try processes.configure(beds)
    if await processes.ask(.reload) == nil { await restartHub() }
    for number in affected {
      ledger.change(number, at: Date())
      let owner = devices[number].owners.first { $0.bed == bed }
      devices[number].owners.removeAll { $0.bed == bed }
      if let owner { await enroll(number, for: [owner]) }
    }
  }

  // MARK: - The hub

  private mutating func killHub() async {
    note("hub killed")
    await endHub()
    await processes.pass(.milliseconds(Int.random(in: 0...2500, using: &random)))
    startHub()
  }

  /// Devices have erased what the radio had confirmed to the killed hub.
  private mutating func endHub() async {
    processes.killHub()
    await processes.pass(.milliseconds(100))
    for number in processes.takeSent() {
      if devices[number].kind.erasesSentMeasurements {
        ledger.confirmedToKilled(number, since: devices[number].lastSent)
      }
      devices[number].lastSent = Date()
    }
  }

  /// Kills and starts a hub that gives no answer.
  private mutating func restartHub() async {
    await endHub()
    startHub()
  }

  private func startHub() {
    do { try processes.startHub() } catch { Issue.record(error) }
  }

  // MARK: - The end

  /// All is well again; each device measures once more and is read until nothing more arrives.
  private mutating func finish() async throws {
    processes.setLine(.good)
    _ = await processes.ask(.resume)
    for number in devices.indices { await measure(number) }
    for round in 1...4 {
      for number in devices.indices { await wake(number, seconds: 600) }
      try await waitUntilQuiet(for: round * Self.quietSteps)
      for number in devices.indices { await putToSleep(number) }
      await processes.pass(.seconds(1))
      await processes.stopHub()
      guard try await fates().contains(where: { $0.fate == .missing }) else { return }
      // A new one does not go on leaving alone what it could not read.
      startHub()
    }
    await processes.stopHub()
  }

  /// A device that has sent all is read again after fifteen seconds.
  private static let quietSteps = 40

  private mutating func waitUntilQuiet(for steps: Int) async throws {
    var (arrived, quiet) = (0, 0)
    while quiet < steps, try unaccounted() > 0 {
      await processes.pass(.milliseconds(500))
      for number in processes.takeSent() { devices[number].lastSent = Date() }
      let now = try processes.stored().count
      quiet = now == arrived ? quiet + 1 : 0
      arrived = now
    }
  }

  private func unaccounted() throws -> Int {
    try ledger.settle(processes.stored()).count { $0.fate == .missing }
  }

  /// What became of each measurement.
  func fates() async throws -> [(fate: WardFate, line: String)] {
    ledger.settle(try await processes.found())
  }
}
