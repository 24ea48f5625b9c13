// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
package import HealthGATT

/// A scale with users: it sends a user's weighings only after that user's consent.
///
/// A new user gets the weighings of unknown users. As with real scales the consent ends with the
/// connection.
package struct VirtualUserScale: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Sendable {
    package var information: [VirtualService]
    /// The users that it has, by index, with their consent codes.
    package var codes: [UInt8: UInt16]
    /// How many users it can have.
    package var slots: UInt8
    /// The weighings by user; those of unknown users are under 255.
    package var memory: [UInt8: [Weighing]]
    /// The writes to FFE2 that it requires before a consent.
    package var opening: [[UInt8]] = []
    /// Whether it ignores subscriptions to measurements that were made before the consent.
    package var forgetsEarlySubscriptions = false
    /// A weighing of this moment by a user.
    package var weigh: @Sendable (_ number: Int, _ user: UInt8, _ time: LocalDateTime) -> Weighing
    /// A weighing of given values by a user; nil where it does not measure such values.
    package var encode:
      @Sendable (VirtualMeasurement, _ user: UInt8, _ time: LocalDateTime) -> Weighing? = {
        _, _, _ in nil
      }
  }

  /// The packets of one weighing.
  package struct Weighing: Hashable, Sendable {
    /// Weight Measurement (2A9D).
    package var weight: [UInt8]
    /// Body Composition Measurement (2A9C), in one or two packets.
    package var composition: [[UInt8]] = []
  }

  private static let measurements: Set<GATTAttribute> = [
    .weightMeasurement, .bodyCompositionMeasurement,
  ]

  private let model: Model
  private var clock: VirtualClock
  private var codes: [UInt8: UInt16]
  private var memory: [UInt8: [Weighing]]
  private var written: [GATTAttribute: [UInt8]] = [:]
  private var openingLeft: [[UInt8]]
  private var subscriptions: Set<GATTAttribute> = []
  private var consented: UInt8?
  /// How many weighings of each user were sent over this connection.
  private var sent: [UInt8: Int] = [:]
  private var hasUnsentMeasurements = true

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    self.clock = clock
    codes = model.codes
    memory = model.memory
    openingLeft = model.opening
  }

  package var isAdvertising: Bool { hasUnsentMeasurements }

  package var services: [VirtualService] {
    let opening = VirtualService("FFE0", [VirtualCharacteristic("FFE2", .write)])
    return [
      VirtualService("181D", [VirtualCharacteristic("2A9D", .indicate, isProtected: true)]),
      VirtualService("181B", [VirtualCharacteristic("2A9C", .indicate, isProtected: true)]),
      VirtualService(
        "181C",
        [
          VirtualCharacteristic("2A9F", [.write, .indicate], isProtected: true),
          VirtualCharacteristic("2A99", [.read, .write], isProtected: true),
          VirtualCharacteristic("2A85", [.read, .write], isProtected: true),
          VirtualCharacteristic("2A8C", [.read, .write], isProtected: true),
          VirtualCharacteristic("2A8E", [.read, .write], isProtected: true),
        ]),
      VirtualService("1805", [VirtualCharacteristic("2A2B", [.read, .write])]),
    ] + (model.opening.isEmpty ? [] : [opening]) + model.information
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number): return measure(number, at: time)
    case .remember(let payloads):
      memory[0xFF, default: []] += payloads.map { Weighing(weight: $0) }
      hasUnsentMeasurements = true
      return []
    case .pairingMode:
      hasUnsentMeasurements = true
      return []
    case .subscribed(let attribute):
      subscriptions.insert(attribute)
      guard Self.measurements.contains(attribute), consented != nil else { return [] }
      return isSubscribed ? [.report(.subscribed)] + transfer() : []
    case .unsubscribed(let attribute):
      subscriptions.remove(attribute)
      return []
    case .read(.currentTime):
      return [.answer(clock.currentTime(at: time))]
    case .read(let attribute): return read(attribute)
    case .written(let attribute, let bytes): return write(attribute, bytes, at: time)
    case .disconnected(let allArrived): return disconnected(allArrived)
    case .timeReached: return []
    }
  }

  private mutating func disconnected(_ allArrived: Bool) -> [VirtualDeviceOutput] {
    defer { sent = [:] }
    subscriptions = []
    consented = nil
    openingLeft = model.opening
    guard allArrived else { return [] }
    for user in sent.keys { memory[user] = nil }
    hasUnsentMeasurements = false
    return [.report(.transferred(measurements: sent.values.reduce(0, +)))]
  }

  // MARK: - Measurements

  private var isSubscribed: Bool { subscriptions.contains(.weightMeasurement) }

  /// Sends the user's weighings; they are erased when all have arrived.
  private mutating func transfer() -> [VirtualDeviceOutput] {
    guard let consented, sent[consented] == nil else { return [] }
    let weighings = memory[consented] ?? []
    sent[consented] = weighings.count
    return weighings.flatMap(send)
  }

  private func send(_ weighing: Weighing) -> [VirtualDeviceOutput] {
    [.send(.weightMeasurement, weighing.weight)]
      + weighing.composition.map { .send(.bodyCompositionMeasurement, $0) }
  }

  private mutating func measure(_ number: Int, at time: DriverTime) -> [VirtualDeviceOutput] {
    let user = consented ?? codes.keys.min() ?? 0xFF
    return take(model.weigh(number, user, clock.time(at: time)), of: user)
  }

  /// The weighing of a user that the scale does not have yet is kept for a new user.
  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    let user = measurement.user ?? consented ?? codes.keys.min() ?? 0xFF
    guard let weighing = model.encode(measurement, user, clock.time(at: time)) else { return nil }
    return take(weighing, of: codes[user] == nil ? 0xFF : user)
  }

  package mutating func eraseMeasurements() {
    memory = [:]
    sent = [:]
    hasUnsentMeasurements = false
  }

  private mutating func take(_ weighing: Weighing, of user: UInt8) -> [VirtualDeviceOutput] {
    hasUnsentMeasurements = true
    guard consented == user, isSubscribed else {
      memory[user, default: []].append(weighing)
      return []
    }
    sent[user, default: 0] += 1
    return send(weighing)
  }

  // MARK: - Users

  private func read(_ attribute: GATTAttribute) -> [VirtualDeviceOutput] {
    guard consented != nil else { return [.refuse(0x80)] }
    return [.answer(written[attribute] ?? [0, 0, 0, 0])]
  }

  private mutating func write(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch attribute {
    case .currentTime: return [clock.write(bytes, at: time)]
    case .renphoRequest:
      if openingLeft.first == bytes { openingLeft.removeFirst() }
      return [.accept]
    case .userControlPoint:
      // "Client Characteristic Configuration Descriptor Improperly Configured".
      guard subscriptions.contains(.userControlPoint) else { return [.refuse(0xFD)] }
      return [.accept] + requested(bytes)
    default:
      // "User Data Access Not Permitted".
      guard consented != nil else { return [.refuse(0x80)] }
      written[attribute] = bytes
      return [.accept]
    }
  }

  private mutating func requested(_ bytes: [UInt8]) -> [VirtualDeviceOutput] {
    guard openingLeft.isEmpty, let request = try? UserControlPoint(payload: bytes) else {
      return []
    }
    switch request.procedure {
    case .registerNewUser(let code): return register(code.rawValue)
    case .consent(let user, let code):
      guard codes[user.rawValue] == code.rawValue else {
        return [answer(.consent, .userNotAuthorized)]
      }
      consented = user.rawValue
      if model.forgetsEarlySubscriptions { subscriptions.subtract(Self.measurements) }
      return [answer(.consent, .success)] + (isSubscribed ? transfer() : [])
    default: return [answer(request.opCode, .opCodeNotSupported)]
    }
  }

  private mutating func register(_ code: UInt16) -> [VirtualDeviceOutput] {
    guard let index = (1...max(model.slots, 1)).first(where: { codes[$0] == nil }) else {
      return [answer(.registerNewUser, .operationFailed)]
    }
    codes[index] = code
    memory[index] = memory.removeValue(forKey: 0xFF)
    return [answer(.registerNewUser, .success, [index])]
  }

  private func answer(
    _ request: UserControlPoint.OpCode, _ value: UserControlPoint.Response.Value,
    _ parameter: [UInt8] = []
  ) -> VirtualDeviceOutput {
    let response = UserControlPoint.Response(to: request, value, parameter: parameter)
    return .send(.userControlPoint, UserControlPoint(.response(response)).payload)
  }
}

extension VirtualUserScale: DatedMemory {
  var measurementTimes: [Int] {
    memory.values.joined().compactMap { weighing in
      weighing.weight.hasTimestamp ? weighing.weight.seconds(at: Weighing.weightTime) : nil
    }
  }

  mutating func moveMeasurements(bySeconds seconds: Int) {
    memory = memory.mapValues { weighings in weighings.map { $0.moved(bySeconds: seconds) } }
  }
}

extension VirtualUserScale.Weighing {
  /// The offsets of the times in Weight Measurement and in Body Composition Measurement.
  fileprivate static let (weightTime, compositionTime) = (3, 4)

  fileprivate func moved(bySeconds seconds: Int) -> Self {
    var moved = self
    if weight.hasTimestamp { moved.weight.moveTime(at: Self.weightTime, bySeconds: seconds) }
    for index in composition.indices where composition[index].hasTimestamp {
      moved.composition[index].moveTime(at: Self.compositionTime, bySeconds: seconds)
    }
    return moved
  }
}
