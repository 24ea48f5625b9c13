// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import VirtualDevices

/// Lets a driver and a virtual device talk to each other without a radio, on a clock of its own.
struct DriverBench {
  /// What came of it.
  struct Result {
    var readings: [DeviceReading] = []
    var facts: [DeviceInformation] = []
    var checkpoints: [SyncCheckpoint] = []
    var secrets: [DeviceSecret: [UInt8]] = [:]
    var writes: [(attribute: GATTAttribute, bytes: [UInt8])] = []
    var events: [VirtualDeviceEvent] = []
    /// How often all readings had to be stored before something went on.
    var confirmations = 0
    var isReady = false
    var isPaired = false
    /// nil when neither the driver nor the device had anything left to do.
    var end: DriverAction?
    var elapsed = Duration.zero
    /// What the driver was given and what it did, line by line.
    var transcript = Transcript()
    /// What the driver was given and what it did from the fault on; nil when nothing went wrong.
    var linesSinceFault: [String]? { faultLine.map { Array(transcript.lines[$0...]) } }
    private var faultLine: Int?
    fileprivate mutating func noteFault() { faultLine = faultLine ?? transcript.lines.count }
    /// What the driver wants after its end, other than to deliver what comes late and to note
    /// facts; there must be nothing.
    var actionsAfterEnd: [DriverAction] = []

    var accepted: [DeviceReading] { readings.filter { $0.rejection == nil } }
  }

  /// 2026-03-29 12:00:00 UTC, two hours ahead of it.
  static let noon = DriverTime(
    elapsed: .zero, secondsSince1970: 1_774_785_600, utcOffsetSeconds: 7200)

  private var device: any VirtualDeviceLogic
  private let model: DriverModel
  var purpose: DriverContext.Purpose
  private var checkpoints: [SyncCheckpoint]
  private var secrets: [DeviceSecret: [UInt8]]
  private var user: DeviceUser?
  private var name: String?
  /// Whether readings can be put on disk.
  var canStore = true
  /// What goes wrong in each connection.
  enum Fault {
    /// The link is cut after this many values from the device.
    case cut(afterValues: Int)
    /// The device sends nothing after this many values, and the link stays.
    case silence(afterValues: Int)
    /// The device refuses the request of this number; the first one is 0.
    case refusal(ofRequest: Int)
    /// Each value from the device takes so long.
    case slowness(Duration)
  }
  /// nil when all goes well.
  var fault: Fault?

  /// A device, which is the same in each run, and the driver that reads it.
  init(
    _ model: DriverModel, _ device: any VirtualDeviceLogic, purpose: DriverContext.Purpose = .read,
    checkpoints: [SyncCheckpoint] = [], secrets: [DeviceSecret: [UInt8]] = [:],
    user: DeviceUser? = nil,
    name: String? = nil
  ) {
    self.model = model
    self.device = device
    self.purpose = purpose
    self.checkpoints = checkpoints
    self.secrets = secrets
    self.user = user
    self.name = name
  }

  init(
    _ model: DriverModel, _ virtual: VirtualDeviceModel, clock: VirtualClock = VirtualClock(),
    purpose: DriverContext.Purpose = .read
  ) {
    self.init(model, virtual.make(clock), purpose: purpose, name: virtual.advertisedName)
  }

  /// The device as the last connection left it.
  var deviceNow: any VirtualDeviceLogic { device }

  /// Does something to the device while nobody is connected.
  mutating func press(_ input: VirtualDeviceInput) {
    _ = device.handle(input, at: Self.noon)
  }

  /// Connects, lets the driver run to its end, and disconnects; checkpoints and secrets are kept.
  mutating func run(limit: Duration = .seconds(300)) -> Result {
    var run = Run(self)
    run.go(limit: limit)
    device = run.device
    checkpoints =
      checkpoints.filter { old in !run.result.checkpoints.contains { $0.memory == old.memory } }
      + run.result.checkpoints
    secrets.merge(run.result.secrets) { _, new in new }
    return run.result
  }

  /// One connection.
  private struct Run {
    var device: any VirtualDeviceLogic
    var result = Result()
    private var driver: any DeviceDriver
    private var time = DriverBench.noon
    private var events: [DriverEvent] = [.begun]
    private var subscriptions: Set<GATTAttribute> = []
    private var characteristics: [GATTAttribute: VirtualCharacteristic] = [:]
    /// The device's own addresses of what the driver knows by a pattern.
    private var resolved: [GATTAttribute: GATTAttribute] = [:]
    private var pendingCheckpoints: [SyncCheckpoint] = []
    private let canStore: Bool
    private let fault: Fault?
    private var valueCount = 0
    private var requestCount = 0
    private var handled: [DriverEvent] = []
    /// When a slow value arrives.
    private var arrival: Duration?

    init(_ bench: DriverBench) {
      device = bench.device
      for service in device.services {
        for characteristic in service.characteristics {
          characteristics[GATTAttribute(service.uuid, characteristic.uuid)] = characteristic
        }
      }
      let wanted = Set(bench.model.required + bench.model.optional)
      for pattern in wanted where pattern.isPattern {
        let own = characteristics.keys.first {
          pattern.matches(service: $0.service, characteristic: $0.characteristic)
        }
        guard let own else { continue }
        resolved[pattern] = own
        characteristics[pattern] = characteristics[own]
      }
      driver = bench.model.make(
        DriverContext(
          purpose: bench.purpose, attributes: wanted.intersection(characteristics.keys),
          name: bench.name, checkpoints: bench.checkpoints, secrets: bench.secrets, user: bench.user
        ))
      canStore = bench.canStore
      fault = bench.fault
    }

    private var isCut: Bool {
      if case .cut(let count)? = fault { valueCount >= count } else { false }
    }

    mutating func go(limit: Duration) {
      while result.end == nil, !isCut {
        if waitsForSlowValue() { continue }
        if !events.isEmpty {
          let event = events.removeFirst()
          result.transcript.note(event, at: time.elapsed)
          handled.append(event)
          perform(driver.handle(event, at: time))
        } else {
          guard let next = [driver.deadline, device.deadline].compactMap({ $0 }).min(),
            next <= limit
          else { break }
          advance(to: next)
        }
      }
      if isCut { result.noteFault() }
      if result.end == nil {
        perform(driver.handle(.ended, at: time))
      } else {
        for event in handled where event != .begun {
          result.actionsAfterEnd += driver.handle(event, at: time).filter {
            switch $0 {
            case .deliver, .fact: false
            default: true
            }
          }
        }
      }
      result.elapsed = time.elapsed
      if canStore { result.checkpoints += pendingCheckpoints }
      if !subscriptions.isEmpty { report(.disconnected(allArrived: !isCut)) }
    }

    /// Lets the time pass that the next value takes, or until the driver's deadline.
    private mutating func waitsForSlowValue() -> Bool {
      guard case .slowness(let delay)? = fault, case .value? = events.first else { return false }
      let arrival = self.arrival ?? time.elapsed + delay
      guard time.elapsed < arrival else {
        self.arrival = nil
        return false
      }
      self.arrival = arrival
      let deadline = driver.deadline ?? arrival
      pass(until: min(arrival, deadline))
      if deadline <= time.elapsed {
        result.transcript.note(.timeReached, at: time.elapsed)
        perform(driver.handle(.timeReached, at: time))
      }
      return true
    }

    private mutating func pass(until instant: Duration) {
      let step = max(instant - time.elapsed, .zero)
      time.elapsed += step
      time.secondsSince1970 += step / .seconds(1)
    }

    private mutating func advance(to instant: Duration) {
      pass(until: instant)
      if let deadline = device.deadline, deadline <= time.elapsed { report(.timeReached) }
      if let deadline = driver.deadline, deadline <= time.elapsed { events.append(.timeReached) }
    }

    private mutating func perform(_ actions: [DriverAction]) {
      for action in actions {
        if result.end == nil { perform(action) } else { result.actionsAfterEnd.append(action) }
      }
    }

    private mutating func perform(_ action: DriverAction) {
      result.transcript.note(action, at: time.elapsed)
      switch action {
      case .read(let attribute): read(attribute)
      case .write(let attribute, let bytes), .writeWithoutResponse(let attribute, let bytes):
        write(attribute, bytes)
      case .subscribe(let attribute): subscribe(attribute)
      case .unsubscribe(let attribute):
        subscriptions.remove(attribute)
        report(.unsubscribed(attribute))
      case .fact(let fact): result.facts.append(fact)
      case .unread: break
      case .ready: result.isReady = true
      case .paired: result.isPaired = true
      case .deliver(let reading): result.readings.append(reading)
      case .confirmStorage:
        result.confirmations += 1
        if canStore { events.append(.stored) }
      case .advance(let checkpoint):
        pendingCheckpoints.removeAll { $0.memory == checkpoint.memory }
        pendingCheckpoints.append(checkpoint)
      case .keep(let secret, let bytes): result.secrets[secret] = bytes
      case .finish, .fail: result.end = action
      }
    }

    /// Whether the device refuses the next request.
    private mutating func refusesRequest() -> Bool {
      defer { requestCount += 1 }
      guard case .refusal(requestCount)? = fault else { return false }
      result.noteFault()
      return true
    }

    private static let refusal = RequestFailure(code: 0x80, message: "Refused.")

    private mutating func read(_ attribute: GATTAttribute) {
      guard !refusesRequest() else {
        return events.append(.readFailed(attribute, Self.refusal))
      }
      guard let characteristic = characteristics[attribute] else {
        return events.append(.readFailed(attribute, RequestFailure(code: nil)))
      }
      if let value = characteristic.value { return events.append(.value(attribute, value)) }
      let answers = respond(to: .read(attribute))
      switch answers {
      case .answer(let bytes)?: events.append(.value(attribute, bytes))
      case .refuse(let code)?: events.append(.readFailed(attribute, RequestFailure(code: code)))
      default: events.append(.readFailed(attribute, RequestFailure(code: 0x0E)))
      }
    }

    private mutating func write(_ attribute: GATTAttribute, _ bytes: [UInt8]) {
      result.writes.append((attribute, bytes))
      guard !refusesRequest() else {
        return events.append(.writeFailed(attribute, Self.refusal))
      }
      let place = events.count
      switch respond(to: .written(attribute, bytes)) {
      case .refuse(let code)?:
        events.insert(.writeFailed(attribute, RequestFailure(code: code)), at: place)
      default: events.insert(.written(attribute), at: place)
      }
    }

    private mutating func subscribe(_ attribute: GATTAttribute) {
      guard !refusesRequest() else {
        return events.append(.subscriptionFailed(attribute, Self.refusal))
      }
      guard let characteristic = characteristics[attribute],
        !characteristic.properties.isDisjoint(with: [.notify, .indicate])
      else { return events.append(.subscriptionFailed(attribute, RequestFailure(code: nil))) }
      subscriptions.insert(attribute)
      events.append(.subscribed(attribute))
      report(.subscribed(attribute))
    }

    /// Whether the next value from the device arrives.
    private mutating func arrives() -> Bool {
      switch fault {
      case .cut(let count)? where valueCount >= count: return false
      case .silence(let count)? where valueCount >= count:
        result.noteFault()
        return false
      default:
        valueCount += 1
        return true
      }
    }

    private mutating func report(_ input: VirtualDeviceInput) { _ = respond(to: input) }

    /// Hands an input to the device, receives what it sends, and returns its answer.
    private mutating func respond(to input: VirtualDeviceInput) -> VirtualDeviceOutput? {
      var answer: VirtualDeviceOutput?
      for output in device.handle(input.addressed(resolved), at: time) {
        switch output {
        case .answer, .accept, .refuse: answer = output
        case .send(let own, let bytes):
          let attribute = resolved.first { $0.value == own }?.key ?? own
          guard subscriptions.contains(attribute), arrives() else { break }
          events.append(.value(attribute, bytes))
        case .report(let event): result.events.append(event)
        }
      }
      return answer
    }
  }
}

extension VirtualDeviceInput {
  /// The same with a device's own addresses in place of patterns.
  fileprivate func addressed(_ resolved: [GATTAttribute: GATTAttribute]) -> Self {
    switch self {
    case .subscribed(let attribute): .subscribed(resolved[attribute] ?? attribute)
    case .unsubscribed(let attribute): .unsubscribed(resolved[attribute] ?? attribute)
    case .read(let attribute): .read(resolved[attribute] ?? attribute)
    case .written(let attribute, let bytes):
      .written(resolved[attribute] ?? attribute, bytes)
    case .measure, .remember, .pairingMode, .disconnected, .timeReached: self
    }
  }
}
