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
    var writes: [(attribute: Attribute, bytes: [UInt8])] = []
    var events: [VirtualDeviceEvent] = []
    /// How often all readings had to be stored before something went on.
    var confirmations = 0
    var isReady = false
    var isPaired = false
    /// nil when neither the driver nor the device had anything left to do.
    var end: DriverAction?
    var elapsed = Duration.zero

    var accepted: [DeviceReading] { readings.filter { $0.rejection == nil } }
  }

  /// 2026-03-29 12:00:00 UTC, two hours ahead of it.
  static let noon = DriverTime(
    elapsed: .zero, secondsSince1970: 1_774_785_600, utcOffsetSeconds: 7200)

  private var device: any VirtualDeviceLogic
  private let model: DriverModel
  private var purpose: DriverContext.Purpose
  private var checkpoints: [SyncCheckpoint]
  private var secrets: [DeviceSecret: [UInt8]]
  private var user: DeviceUser?
  private var name: String?
  /// Whether readings can be put on disk.
  var canStore = true
  /// The link is cut after this many values from the device; nil for never.
  var cutAfterValues: Int?

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
    private var subscriptions: Set<Attribute> = []
    private var characteristics: [Attribute: VirtualCharacteristic] = [:]
    /// The device's own addresses of what the driver knows by a pattern.
    private var resolved: [Attribute: Attribute] = [:]
    private var pendingCheckpoints: [SyncCheckpoint] = []
    private let canStore: Bool
    private var valuesLeft: Int

    init(_ bench: DriverBench) {
      device = bench.device
      for service in device.services {
        for characteristic in service.characteristics {
          characteristics[Attribute(service.uuid, characteristic.uuid)] = characteristic
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
      valuesLeft = bench.cutAfterValues ?? .max
    }

    mutating func go(limit: Duration) {
      while result.end == nil, valuesLeft > 0 {
        if !events.isEmpty {
          perform(driver.handle(events.removeFirst(), at: time))
        } else {
          guard let next = [driver.deadline, device.deadline].compactMap({ $0 }).min(),
            next <= limit
          else { break }
          advance(to: next)
        }
      }
      if result.end == nil { perform(driver.handle(.ended, at: time)) }
      result.elapsed = time.elapsed
      if canStore { result.checkpoints += pendingCheckpoints }
      if !subscriptions.isEmpty { tell(.left(allArrived: valuesLeft > 0)) }
    }

    private mutating func advance(to instant: Duration) {
      let step = max(instant - time.elapsed, .zero)
      time.elapsed += step
      time.secondsSince1970 += step / .seconds(1)
      if let deadline = device.deadline, deadline <= time.elapsed { tell(.timeReached) }
      if let deadline = driver.deadline, deadline <= time.elapsed { events.append(.timeReached) }
    }

    private mutating func perform(_ actions: [DriverAction]) {
      for action in actions where result.end == nil { perform(action) }
    }

    private mutating func perform(_ action: DriverAction) {
      switch action {
      case .read(let attribute): read(attribute)
      case .write(let attribute, let bytes), .writeWithoutResponse(let attribute, let bytes):
        write(attribute, bytes)
      case .subscribe(let attribute): subscribe(attribute)
      case .unsubscribe(let attribute):
        subscriptions.remove(attribute)
        tell(.unsubscribed(attribute))
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

    private mutating func read(_ attribute: Attribute) {
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

    private mutating func write(_ attribute: Attribute, _ bytes: [UInt8]) {
      result.writes.append((attribute, bytes))
      let place = events.count
      switch respond(to: .written(attribute, bytes)) {
      case .refuse(let code)?:
        events.insert(.writeFailed(attribute, RequestFailure(code: code)), at: place)
      default: events.insert(.written(attribute), at: place)
      }
    }

    private mutating func subscribe(_ attribute: Attribute) {
      guard let characteristic = characteristics[attribute],
        !characteristic.properties.isDisjoint(with: [.notify, .indicate])
      else { return events.append(.subscriptionFailed(attribute, RequestFailure(code: nil))) }
      subscriptions.insert(attribute)
      events.append(.subscribed(attribute))
      tell(.subscribed(attribute))
    }

    private mutating func tell(_ input: VirtualDeviceInput) { _ = respond(to: input) }

    /// Hands an input to the device, receives what it sends, and returns its answer.
    private mutating func respond(to input: VirtualDeviceInput) -> VirtualDeviceOutput? {
      var answer: VirtualDeviceOutput?
      for output in device.handle(input.addressed(resolved), at: time) {
        switch output {
        case .answer, .accept, .refuse: answer = output
        case .send(let own, let bytes):
          let attribute = resolved.first { $0.value == own }?.key ?? own
          guard subscriptions.contains(attribute), valuesLeft > 0 else { break }
          valuesLeft -= 1
          events.append(.value(attribute, bytes))
        case .tell(let event): result.events.append(event)
        }
      }
      return answer
    }
  }
}

extension VirtualDeviceInput {
  /// The same with a device's own addresses in place of patterns.
  fileprivate func addressed(_ resolved: [Attribute: Attribute]) -> Self {
    switch self {
    case .subscribed(let attribute): .subscribed(resolved[attribute] ?? attribute)
    case .unsubscribed(let attribute): .unsubscribed(resolved[attribute] ?? attribute)
    case .read(let attribute): .read(resolved[attribute] ?? attribute)
    case .written(let attribute, let bytes):
      .written(resolved[attribute] ?? attribute, bytes)
    case .measure, .remember, .pairingMode, .left, .timeReached: self
    }
  }
}
