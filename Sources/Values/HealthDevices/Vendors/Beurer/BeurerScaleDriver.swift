// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// Beurer BF700, BF710, BF800, Sanitas SBF70, SBF75 and their kin.
  package static let beurerScale = DriverModel(
    id: "beurer-bf700", name: "Beurer BF700 family", required: [.beurerScale],
    confidence: .captured,
    sources: ["openScale, BeurerSanitasHandler", "KristianP26/ble-scale-sync, beurer-sanitas"],
    // The place in the scale's list of users.
    userNumbering: .notPublic
  ) { BeurerScaleDriver($0) }
}

extension GATTAttribute {
  package static let beurerScale = GATTAttribute("FFE0", "FFE1")
}

/// Drives a Beurer BF700 or one of its kin.
///
/// After a greeting, time and status the users are listed, and for each user the stored
/// measurements are asked for. They are not deleted: the scale keeps its own. Then the driver
/// waits for a new weighing. A user whom the scale does not know gets a weight alone.
package struct BeurerScaleDriver: DeviceDriver {
  /// Where a connection stands.
  private enum State: Sendable {
    /// The first requests are under way: → greeting.
    case preparing
    /// The scale is to answer the greeting: → checking.
    case greeting
    /// The scale is to send its status: → listing.
    case checking
    /// The scale lists its users: → recalling, weighing.
    case listing
    /// The scale sends what it keeps of a user: → recalling, weighing.
    case recalling
    /// The user may step on the scale: → over.
    case weighing
    case over
  }

  /// How long the scale may take to answer.
  package static let timeout = Duration.seconds(10)

  private let purpose: DriverContext.Purpose
  private let family: UInt8
  private var state = State.preparing
  private var steps: DriverSteps
  private var until: Duration?
  private var users: [[UInt8]] = []
  private var slot: Int?
  private var assembly = BeurerResultAssembly()
  private var weighing = Weighing(timeout: .seconds(12))

  /// Prepares a driver.
  package init(_ context: DriverContext) {
    purpose = context.purpose
    family = Self.family(of: context.name)
    steps = DriverSteps(.facts + [.subscribe(.beurerScale)], having: context)
  }

  /// BF700 and BF800 by the names of the first generation speak F, the others E.
  private static func family(of name: String?) -> UInt8 {
    let name = name?.lowercased() ?? ""
    let first = ["bf-700", "beurer bf700", "bf-800", "beurer bf800", "rt-libra", "libra-"]
    return first.contains(where: name.contains) ? 0xF : 0xE
  }

  package var deadline: Duration? {
    guard state != .over else { return nil }
    guard steps.isDone else { return steps.deadline }
    return [until, weighing.deadline].compactMap { $0 }.min()
  }

  package var isComplete: Bool { state == .weighing || state == .over }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.over, _): return []
    case (_, .value(.beurerScale, let bytes)):
      guard let frame = try? BeurerScaleFrame(payload: bytes), frame.family == family else {
        return []
      }
      return received(frame, bytes, at: time)
    case (.preparing, .begun): return proceed(steps.begin(at: time), at: time)
    case (.preparing, _): return proceed(steps.handle(event, at: time), at: time)
    case (_, .writeFailed(.beurerScale, _)):
      return end(.fail(DriverFailure(.communication, "The scale refuses a request. Try again.")))
    case (_, .timeReached): return timeReached(at: time)
    case (_, .ended): return weighing.ended(at: time).map { .deliver($0) }
    default: return []
    }
  }

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    guard steps.isDone, state == .preparing else { return actions }
    return actions
      + ask(.greeting, BeurerScaleFrame(family: family, kind: .hello, content: [0x01]), at: time)
  }

  // MARK: - Frames

  private mutating func received(
    _ frame: BeurerScaleFrame, _ bytes: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    if state == .greeting, frame.kind == .hello { return greeted(at: time) }
    switch frame.command {
    case .scaleAcknowledgement?: return acknowledged(frame, at: time)
    case .userInformation?: return acknowledge(frame) + user(frame, at: time)
    case .storedPart?: return acknowledge(frame) + stored(frame, bytes, at: time)
    case .liveWeight?: return acknowledge(frame) + live(bytes, at: time)
    case .resultPart?: return acknowledge(frame) + result(frame, bytes, at: time)
    default: return []
    }
  }

  private mutating func greeted(at time: DriverTime) -> [DriverAction] {
    let seconds = UInt32(clamping: Int(time.secondsSince1970.rounded(.down)))
    let clock = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: seconds >> $0) }
    let setClock = BeurerScaleFrame(family: family, kind: .time, content: clock)
    let paired: [DriverAction] = purpose == .pair ? [.paired] : []
    return paired + [.write(.beurerScale, setClock.payload)]
      + ask(.checking, command(.status, Array(repeating: 0, count: 8)), at: time)
  }

  private mutating func acknowledged(
    _ frame: BeurerScaleFrame, at time: DriverTime
  ) -> [DriverAction] {
    guard frame.content.count >= 3 else { return [] }
    let command = BeurerScaleFrame.Command(rawValue: frame.content[1])
    switch (state, command) {
    case (.checking, .status):
      let battery = frame.content.count > 3 ? Int(frame.content[3]) : 101
      let fact: [DriverAction] = battery <= 100 ? [.fact(.batteryPercent(battery))] : []
      return fact + ask(.listing, self.command(.userList), at: time)
    case (.listing, .userList):
      let count = frame.content.count > 3 ? frame.content[3] : 0
      return count == 0 ? recall(at: time) : []
    case (.recalling, .storedMeasurements): return frame.content[2] == 0 ? recall(at: time) : []
    default: return []
    }
  }

  private mutating func user(_ frame: BeurerScaleFrame, at time: DriverTime) -> [DriverAction] {
    guard state == .listing, frame.content.count >= 11 else { return [] }
    users.append(Array(frame.content[3..<11]))
    until = time.elapsed + Self.timeout
    return frame.content[1] == frame.content[2] ? recall(at: time) : []
  }

  /// Asks for what is kept of the next user.
  private mutating func recall(at time: DriverTime) -> [DriverAction] {
    let next = slot.map { $0 + 1 } ?? 0
    guard next < users.count else { return weigh(at: time) }
    slot = next
    return ask(.recalling, command(.storedMeasurements, users[next]), at: time)
  }

  private mutating func stored(
    _ frame: BeurerScaleFrame, _ bytes: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    guard state == .recalling else { return [] }
    until = time.elapsed + Self.timeout
    var actions: [DriverAction] = []
    do throws(PayloadError) {
      if let result = try assembly.received(frame) {
        actions.append(.deliver(result.reading(slot: slot.map { $0 + 1 })))
      }
    } catch {
      actions.append(.deliver(DeviceReading(error, payload: bytes)))
    }
    let isLast = frame.content.count >= 3 && frame.content[1] == frame.content[2]
    return actions + (isLast ? recall(at: time) : [])
  }

  private mutating func weigh(at time: DriverTime) -> [DriverAction] {
    state = .weighing
    until = purpose == .pair ? time.elapsed + PushDriver.quietTime : nil
    return [.ready]
  }

  private mutating func live(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard state == .weighing, let weight = try? BeurerLiveWeight(payload: bytes),
      let reading = DeviceReading(kilograms: weight.kilograms, payload: bytes)
    else { return [] }
    return deliver(
      weighing.received(
        WeightSample(reading, isSettled: weight.isSettled, isComplete: false), at: time), at: time)
  }

  private mutating func result(
    _ frame: BeurerScaleFrame, _ bytes: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    guard state == .weighing, let result = (try? assembly.received(frame)) ?? nil else {
      return []
    }
    let slot = assembly.user.flatMap { users.firstIndex(of: $0) }.map { $0 + 1 }
    let reading = result.reading(slot: slot)
    guard reading.rejection == nil else { return [.deliver(reading)] }
    return deliver(weighing.received(WeightSample(reading, isSettled: true), at: time), at: time)
  }

  // MARK: - Requests and time

  private func command(
    _ command: BeurerScaleFrame.Command, _ parameters: [UInt8] = []
  ) -> BeurerScaleFrame {
    BeurerScaleFrame(family: family, command, parameters)
  }

  private func acknowledge(_ frame: BeurerScaleFrame) -> [DriverAction] {
    frame.acknowledgement.map { [.write(.beurerScale, $0.payload)] } ?? []
  }

  private mutating func ask(
    _ next: State, _ frame: BeurerScaleFrame, at time: DriverTime
  ) -> [DriverAction] {
    state = next
    until = time.elapsed + Self.timeout
    return [.write(.beurerScale, frame.payload)]
  }

  private mutating func deliver(_ readings: [DeviceReading], at time: DriverTime) -> [DriverAction]
  {
    guard !readings.isEmpty else { return [] }
    until = time.elapsed + PushDriver.quietTime
    return readings.map { .deliver($0) }
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    let actions = deliver(weighing.timeReached(at: time), at: time)
    guard actions.isEmpty, let until, time.elapsed >= until else { return actions }
    guard state == .weighing else {
      return end(
        .fail(DriverFailure(.timeout, "The scale did not answer. Step on it and try again.")))
    }
    return deliver(weighing.ended(at: time), at: time) + end(.finish)
  }

  private mutating func end(_ action: DriverAction) -> [DriverAction] {
    state = .over
    return [action]
  }
}

extension BeurerScaleResult {
  fileprivate func reading(slot: Int?) -> DeviceReading {
    let others: [(MetricType, Double?)] = [
      (.bodyImpedance, ohms.map(Double.init)), (.bodyFat, bodyFatPercentage),
      (.bodyWater, bodyWaterPercentage), (.bodyMuscle, musclePercentage),
      (.basalMetabolicRate, basalMetabolicRate == 0 ? nil : Double(basalMetabolicRate)),
      (.bmi, bodyMassIndex == 0 ? nil : Double(bodyMassIndex) / 10),
    ]
    var reading =
      DeviceReading(kilograms: kilograms, others, payload: payload)
      ?? DeviceReading(
        rejected: .failedMeasurement, "The scale sent no weight. Step on it again.",
        payload: payload)
    reading.clock = seconds == 0 ? nil : .universal(Double(seconds))
    reading.userSlot = slot
    return reading
  }
}
