// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import Testing

@testable import SantorioBluetooth

private let cuff = UUID()
private let meter = UUID()
private let scale = UUID()

/// Passive reading, told what happens second by second.
private struct Decisions {
  var reading = PassiveReading()
  var now = Duration.zero
  /// The readings that were begun and are not over, by what they look for.
  private(set) var begun: [PassiveReading.Search: PassiveReading.RunID] = [:]
  private(set) var cancelled: Set<PassiveReading.RunID> = []
  private(set) var listened: [[String]?] = []
  private(set) var isListening = false

  init(_ wanted: PassiveReading.Wanted? = nil) {
    tell(.radioChanged(.on))
    if let wanted { tell(.wanted(wanted)) }
  }

  mutating func tell(_ event: PassiveReading.Event) {
    for action in reading.handle(event, at: now) {
      switch action {
      case .begin(let run, let search): begun[search] = run
      case .cancel(let run):
        cancelled.insert(run)
        begun = begun.filter { $0.value != run }
      case .listen(let services): (isListening, listened) = (true, listened + [services])
      case .stopListening: isListening = false
      }
    }
  }

  /// Lets time pass, with the wake-ups that are asked for.
  mutating func wait(_ seconds: Double) {
    let end = now + .seconds(seconds)
    while let deadline = reading.deadline, deadline <= end {
      now = max(now, deadline)
      tell(.timeReached)
    }
    now = end
  }

  /// A device answers a reading.
  mutating func find(_ device: UUID, _ model: DeviceModel, in search: PassiveReading.Search) {
    guard let run = begun[search] else { return }
    begun[search] = nil
    tell(.found(run, model, device))
    running[device] = run
  }
  private var running: [UUID: PassiveReading.RunID] = [:]

  mutating func end(
    _ device: UUID, records: [HealthRecord] = [.timed], hasNews: Bool = true,
    failure: BluetoothError? = nil
  ) {
    guard let run = running.removeValue(forKey: device) else { return }
    tell(
      .ended(
        run, .init(records: records, hasNews: hasNews, failure: failure, isCancelled: false)))
  }

  /// Reads a device that is waited for.
  mutating func read(
    _ device: UUID, _ model: DeviceModel, records: [HealthRecord] = [.timed], hasNews: Bool = true,
    failure: BluetoothError? = nil
  ) {
    find(device, model, in: .device(device, model))
    end(device, records: records, hasNews: hasNews, failure: failure)
  }

  /// After how many seconds a device is waited for again; nil when it is not within an hour.
  mutating func secondsUntilWaiting(_ search: PassiveReading.Search) -> Double? {
    let began = now
    while begun[search] == nil {
      guard let deadline = reading.deadline, deadline < began + .seconds(3600) else { return nil }
      now = max(now, deadline)
      tell(.timeReached)
    }
    return (now - began) / .seconds(1)
  }
}

extension HealthRecord {
  fileprivate static let timed = make(.device)
  fileprivate static let untimed = make(.received)

  private static func make(_ origin: RecordTime.Origin) -> HealthRecord {
    HealthRecord(
      logID: "\(origin)", time: RecordTime(start: Room.now, origin: origin, received: Room.now),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.systolic, 120)])
  }
}

extension PassiveReading.Wanted {
  /// A cuff that was paired, a kind that was never used, and another one that needs pairing.
  fileprivate static func ward(
    cuffBond: BondState = .verified, takesUnknown: Bool = true, resting: Set<UUID> = []
  ) -> Self {
    .init(
      models: [.aAndDUA651BLE, .nonin3230, .accuChekGuide],
      known: [.init(id: cuff, model: .aAndDUA651BLE, bond: cuffBond)], takesUnknown: takesUnknown,
      resting: resting)
  }
}

private let waitingForCuff = PassiveReading.Search.device(cuff, .aAndDUA651BLE)
private let scanForOximeter = PassiveReading.Search.scan(
  [.nonin3230], only: nil, except: [cuff])

@Suite struct `Passive reading` {
  @Test func `waits for what is known and scans for what is not`() {
    let decisions = Decisions(.ward())
    // The glucose meter needs pairing, and none was paired.
    #expect(Set(decisions.begun.keys) == [waitingForCuff, scanForOximeter])
    #expect(!decisions.isListening)
  }

  @Test func `scans for nothing when only paired devices are read`() {
    let decisions = Decisions(.ward(takesUnknown: false))
    #expect(Set(decisions.begun.keys) == [waitingForCuff])
  }

  @Test func `scans for a device that only broadcasts, by its identifier`() {
    let decisions = Decisions(
      .init(
        models: [.xiaomiMiScale], known: [.init(id: scale, model: .xiaomiMiScale, bond: .none)],
        takesUnknown: false))
    #expect(
      Set(decisions.begun.keys) == [.scan([.xiaomiMiScale], only: [scale], except: [])])
  }

  @Test func `does not wait for a device that has lost its bond until it is paired again`() {
    var decisions = Decisions(.ward(cuffBond: .lost))
    #expect(decisions.begun[waitingForCuff] == nil)
    decisions.tell(.wanted(.ward(cuffBond: .provisional)))
    #expect(decisions.begun[waitingForCuff] != nil)
  }

  @Test func `reads nothing before the radio is on, and goes on after it was off`() {
    var decisions = Decisions()
    decisions.tell(.radioChanged(.unavailable(.poweredOff)))
    decisions.tell(.wanted(.ward()))
    #expect(decisions.begun.isEmpty)
    #expect(decisions.reading.obstacle == .bluetooth(.poweredOff))
    decisions.tell(.radioChanged(.on))
    #expect(Set(decisions.begun.keys) == [waitingForCuff, scanForOximeter])
    decisions.tell(.radioChanged(.unavailable(.poweredOff)))
    #expect(decisions.begun.isEmpty)
  }

  // MARK: - After a reading

  @Test func `leaves a device alone until it has not been heard for 15 seconds`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE)
    #expect(decisions.begun[waitingForCuff] == nil)
    #expect(decisions.isListening && decisions.listened == [["1810"]])
    decisions.wait(10)
    decisions.tell(.heard(cuff))
    decisions.wait(14)
    #expect(decisions.begun[waitingForCuff] == nil)
    #expect(decisions.secondsUntilWaiting(waitingForCuff) == 1)
    #expect(!decisions.isListening)
  }

  @Test func `begins the scan anew while it listens, since the system tells of a device once`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE)
    decisions.wait(14)
    #expect(decisions.listened.count == 3)
  }

  @Test func `reads a device that stays on again, less often each time that it has nothing new`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE)
    var pauses: [Double] = []
    for _ in 0..<8 {
      let began = decisions.now
      while decisions.begun[waitingForCuff] == nil, decisions.now < began + .seconds(3600) {
        decisions.wait(1)
        decisions.tell(.heard(cuff))
      }
      pauses.append((decisions.now - began) / .seconds(1))
      decisions.read(cuff, .aAndDUA651BLE, hasNews: false)
    }
    #expect(pauses.first.map { (30...36).contains($0) } == true)
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 }, "\(pauses)")
    #expect(pauses.last.map { (900...990).contains($0) } == true, "\(pauses)")
  }

  @Test func `never reads a device that stays on again when its measurements bear no time`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE, records: [.untimed])
    for _ in 0..<3600 {
      decisions.wait(1)
      decisions.tell(.heard(cuff))
    }
    #expect(decisions.begun[waitingForCuff] == nil)
    #expect(decisions.secondsUntilWaiting(waitingForCuff) == 15)
  }

  @Test func `leaves a device alone that was just used by hand`() {
    var decisions = Decisions(.ward())
    decisions.tell(.interactive([.any]))
    decisions.tell(.used(cuff, .aAndDUA651BLE, taken: .unknown))
    decisions.tell(.interactive([]))
    #expect(decisions.begun[waitingForCuff] == nil)
    #expect(decisions.secondsUntilWaiting(waitingForCuff) == 15)
  }

  @Test(
    arguments: [(.withTime, 30), (.unknown, 900), (.withoutTime, nil)]
      as [(PassiveReading.Sending, Double?)])
  func `reads a device again that was used by hand and stays on, where that is recognised`(
    _ taken: PassiveReading.Sending, _ pause: Double?
  ) {
    var decisions = Decisions(.ward())
    decisions.tell(.used(cuff, .aAndDUA651BLE, taken: taken))
    var seconds = 0.0
    while decisions.begun[waitingForCuff] == nil, seconds < 3600 {
      decisions.wait(1)
      decisions.tell(.heard(cuff))
      seconds += 1
    }
    #expect(pause.map { ($0...($0 + 15)).contains(seconds) } ?? (seconds == 3600), "\(seconds)")
  }

  @Test func `waits at once for a device that was paired and has sent nothing`() {
    var decisions = Decisions(.ward())
    decisions.tell(.interactive([.any]))
    decisions.tell(.used(cuff, .aAndDUA651BLE, taken: nil))
    #expect(decisions.begun[waitingForCuff] == nil)
    decisions.tell(.interactive([]))
    #expect(decisions.begun[waitingForCuff] != nil)
  }

  @Test func `goes on waiting for a device that was paired meanwhile`() {
    var decisions = Decisions(.ward())
    let run = decisions.begun[waitingForCuff]
    decisions.tell(.used(cuff, .aAndDUA651BLE, taken: nil))
    #expect(decisions.cancelled.isEmpty)
    #expect(decisions.begun[waitingForCuff] == run)
  }

  @Test func `leaves it alone, too, if it was not known before`() {
    var decisions = Decisions(.ward())
    decisions.tell(.interactive([.any]))
    decisions.tell(.used(meter, .nonin3230, taken: .unknown))
    decisions.tell(.interactive([]))
    #expect(decisions.begun[scanForOximeter] == nil)
    #expect(decisions.secondsUntilWaiting(scanForOximeter) == 15)
  }

  @Test func `gives up waiting for a device that somebody else has just used`() throws {
    var decisions = Decisions(.ward())
    let run = try #require(decisions.begun[waitingForCuff])
    decisions.tell(.used(cuff, .aAndDUA651BLE, taken: .unknown))
    #expect(decisions.cancelled == [run])
    #expect(decisions.secondsUntilWaiting(waitingForCuff) == 15)
  }

  @Test func `leaves a device alone that has failed after a measurement without a time`() {
    var decisions = Decisions(.ward())
    decisions.read(
      cuff, .aAndDUA651BLE, records: [.untimed], failure: .init(.communicationFailure))
    #expect(decisions.secondsUntilWaiting(waitingForCuff) == 15)
    #expect(decisions.reading.devices[cuff]?.failures == 1)
  }

  @Test func `looks for another device of a kind of which one is known`() {
    let decisions = Decisions(
      .init(
        models: [.nonin3230], known: [.init(id: meter, model: .nonin3230, bond: .none)],
        takesUnknown: true))
    #expect(
      Set(decisions.begun.keys) == [
        .device(meter, .nonin3230), .scan([.nonin3230], only: nil, except: [meter]),
      ])
  }

  @Test func `does not scan for a device that has lost its bond`() {
    let lost = PassiveReading.Target(id: meter, model: .nonin3230, bond: .lost)
    var decisions = Decisions(.init(models: [.nonin3230], known: [lost], takesUnknown: false))
    #expect(decisions.begun.isEmpty)
    decisions.tell(.wanted(.init(models: [.nonin3230], known: [lost], takesUnknown: true)))
    #expect(
      Set(decisions.begun.keys) == [.scan([.nonin3230], only: nil, except: [meter])])
  }

  @Test func `keeps to one reading of a device when an earlier one was cancelled too late`() throws
  {
    var decisions = Decisions(.ward())
    let early = try #require(decisions.begun[waitingForCuff])
    decisions.tell(.interactive([.any]))
    decisions.tell(.interactive([]))
    let later = try #require(decisions.begun[waitingForCuff])
    decisions.tell(.found(early, .aAndDUA651BLE, cuff))
    #expect(decisions.cancelled.contains(later))
    #expect(decisions.reading.devices[cuff]?.phase == .reading(early))
  }

  @Test func `keeps nothing of devices that are not known any more`() {
    var decisions = Decisions(.ward())
    for _ in 0..<50 {
      let stranger = UUID()
      decisions.tell(.used(stranger, .nonin3230, taken: .unknown))
    }
    decisions.wait(60)
    decisions.tell(.wanted(.ward()))
    #expect(decisions.reading.devices.count == 1)
  }

  // MARK: - Failures

  @Test func `tries a device that fails again, later each time, and goes on with the others`() {
    var decisions = Decisions(.ward())
    var pauses: [Double?] = []
    for _ in 0..<10 {
      decisions.read(cuff, .aAndDUA651BLE, records: [], failure: .init(.communicationFailure))
      #expect(decisions.begun.keys.contains { if case .scan = $0 { true } else { false } })
      pauses.append(decisions.secondsUntilWaiting(waitingForCuff))
    }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
    decisions.read(cuff, .aAndDUA651BLE)
    _ = decisions.secondsUntilWaiting(waitingForCuff)
    decisions.read(cuff, .aAndDUA651BLE, records: [], failure: .init(.communicationFailure))
    #expect(decisions.secondsUntilWaiting(waitingForCuff) == 5)
  }

  @Test func `waits longest for what only a person can mend, and not once that has been done`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE, records: [], failure: .init(.pairingFailure))
    #expect(decisions.reading.devices[cuff]?.phase == .backingOff(until: .seconds(900)))
    decisions.tell(.wanted(.ward(cuffBond: .provisional)))
    #expect(decisions.begun[waitingForCuff] != nil)
  }

  @Test func `begins a scan that has failed anew, later each time`() {
    var decisions = Decisions(.ward())
    var pauses: [Double?] = []
    for _ in 0..<3 {
      guard let run = decisions.begun[scanForOximeter] else { break }
      decisions.forget(scanForOximeter)
      let error = BluetoothError(.communicationFailure)
      decisions.tell(
        .ended(run, .init(records: [], hasNews: false, failure: error, isCancelled: false)))
      pauses.append(decisions.secondsUntilWaiting(scanForOximeter))
    }
    #expect(pauses == [5, 10, 20])
  }

  @Test func `goes on at once with a device whose radio was switched off`() {
    var decisions = Decisions(.ward())
    decisions.read(
      cuff, .aAndDUA651BLE, records: [], failure: BluetoothError(unavailable: .poweredOff))
    #expect(decisions.begun[waitingForCuff] != nil)
    #expect(decisions.reading.devices[cuff]?.failures == 0)
  }

  // MARK: - Who goes first

  @Test func `stands still while somebody pairs or reads, but for what is being read`() throws {
    var decisions = Decisions(.ward())
    let scan = try #require(decisions.begun[scanForOximeter])
    decisions.find(cuff, .aAndDUA651BLE, in: waitingForCuff)
    decisions.tell(.interactive([.any]))
    // Who carries it out ends no reading that has its device.
    #expect(decisions.cancelled.contains(scan))
    #expect(decisions.reading.obstacle == .interactiveOperation)
    decisions.tell(.interactive([.any, .any]))
    decisions.tell(.interactive([.any]))
    #expect(decisions.begun.isEmpty)
    decisions.tell(.interactive([]))
    #expect(Set(decisions.begun.keys) == [scanForOximeter])
    decisions.end(cuff)
    #expect(decisions.reading.devices[cuff]?.lastRead == .zero)
  }

  @Test func `goes on waiting for a device that a pairing leaves alone`() throws {
    var decisions = Decisions(.ward())
    let scan = try #require(decisions.begun[scanForOximeter])
    decisions.tell(.interactive([.except([cuff])]))
    #expect(decisions.cancelled == [scan])
    #expect(Set(decisions.begun.keys) == [waitingForCuff])
    decisions.tell(.interactive([.except([cuff]), .only([meter])]))
    #expect(Set(decisions.begun.keys) == [waitingForCuff])
    decisions.read(cuff, .aAndDUA651BLE)
    #expect(decisions.reading.devices[cuff]?.lastRead == .zero)
    decisions.tell(.interactive([]))
    #expect(Set(decisions.begun.keys) == [scanForOximeter])
  }

  @Test func `leaves a device to the pairing that may be its own`() {
    for selection in [DeviceSelection.any, .only([cuff]), .except([meter])] {
      var decisions = Decisions(.ward())
      decisions.tell(.interactive([.only([meter]), selection]))
      #expect(decisions.begun.isEmpty)
    }
  }

  @Test func `waits no more for a device that is not to be read, also while another one is paired`()
  {
    var decisions = Decisions(.ward())
    decisions.tell(.interactive([.except([cuff])]))
    decisions.tell(.wanted(.init(models: [.aAndDUA651BLE], known: [], takesUnknown: false)))
    #expect(decisions.begun.isEmpty)
  }

  @Test func `forgets what waits when it is switched off, but not what is being read`() {
    var decisions = Decisions(.ward())
    decisions.find(cuff, .aAndDUA651BLE, in: waitingForCuff)
    decisions.tell(.wanted(nil))
    decisions.end(cuff)
    #expect(decisions.begun.isEmpty)
    #expect(decisions.reading.obstacle == .notSet)
  }

  @Test func `does not read a device that has filled its share of the queue`() {
    var decisions = Decisions(.ward(resting: [cuff]))
    #expect(Set(decisions.begun.keys) == [scanForOximeter])
    decisions.tell(.wanted(.ward()))
    #expect(decisions.begun[waitingForCuff] != nil)
  }

  @Test func `takes up another device that a scan has found, and scans on without it`() {
    var decisions = Decisions(.ward())
    decisions.find(meter, .nonin3230, in: scanForOximeter)
    let next = PassiveReading.Search.scan([.nonin3230], only: nil, except: [cuff, meter])
    #expect(Set(decisions.begun.keys) == [waitingForCuff, next])
    decisions.end(meter)
    #expect(decisions.reading.devices[meter]?.lastRead == .zero)
    #expect(decisions.begun[next] != nil)
    #expect(decisions.secondsUntilWaiting(scanForOximeter) == 15)
  }

  // MARK: - Before the process is suspended

  @Test func `waits for a connection before the process is suspended, when no time would pass`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE, records: [], failure: .init(.communicationFailure))
    #expect(decisions.reading.awaitsTime)
    decisions.tell(.suspensionNears)
    #expect(decisions.begun[waitingForCuff] != nil)
    #expect(!decisions.reading.awaitsTime)
    // Once: it would be tried without an end.
    decisions.read(
      cuff, .aAndDUA651BLE, records: [], hasNews: false, failure: .init(.communicationFailure))
    decisions.tell(.suspensionNears)
    #expect(decisions.begun[waitingForCuff] == nil)
  }

  @Test func `does not try before that what only a person can mend`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE, records: [], failure: .init(.pairingFailure))
    decisions.tell(.suspensionNears)
    #expect(decisions.begun[waitingForCuff] == nil)
  }

  @Test func `only listens for a device before that whose measurements bear no time`() {
    var decisions = Decisions(.ward())
    decisions.read(cuff, .aAndDUA651BLE, records: [.untimed])
    decisions.tell(.suspensionNears)
    #expect(decisions.begun[waitingForCuff] == nil && decisions.isListening)
    // Suspended for a minute; it is woken by the device, which was off meanwhile.
    decisions.now += .seconds(60)
    decisions.tell(.heard(cuff))
    #expect(decisions.begun[waitingForCuff] != nil)
  }
}

extension Decisions {
  /// A reading is over.
  fileprivate mutating func forget(_ search: PassiveReading.Search) { begun[search] = nil }
}

@Suite struct `A passive operation` {
  @Test func `looks for its device without an end, but does not wait for one that is gone`() {
    var operation = PeripheralOperation(.read, .nonin3230, isPassive: true, at: .zero)
    #expect(operation.deadline == nil)
    _ = operation.handle(.radioChanged(.on), at: .after(0))
    _ = operation.handle(.retrievedConnected([]), at: .after(0))
    #expect(operation.deadline == nil)
    let service = DeviceModel.nonin3230.advertisementFilter.services[0]
    let heard = operation.handle(
      .discovered(.init(meter, Advertisement(name: "Nonin3230_1", services: [service]))),
      at: .after(3600))
    #expect(heard.contains(.connect(meter)))
    #expect(operation.deadline == .seconds(3660))
    let given = operation.handle(.timeReached, at: .after(3660))
    #expect(given.contains(.disconnect(meter)))
    let ended = operation.handle(.disconnected(meter, nil), at: .after(3661))
    guard case .report(.ended(.failed(let error)))? = ended.last else {
      Issue.record("It goes on.")
      return
    }
    #expect(error.code == .connectionTimeout)
  }

  @Test func `tells its user of nothing before a device is there`() {
    var operation = PeripheralOperation(.read, .aAndDUA651BLE, isPassive: true, at: .zero)
    let actions = operation.handle(.radioChanged(.on), at: .after(0))
    #expect(!actions.contains(.report(.readyToRead)))
  }
}
