// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// Trisa, Welch Allyn RPM-Scale100 and other scales by Transtek that give out a password once.
  package static let transtekScale = DriverModel(
    id: "transtek-7802", name: "Transtek scale (7802)",
    required: TranstekScaleDriver.Model.trisa.required, confidence: .agreed,
    sources: ["openScale, TrisaBodyAnalyzeHandler", "casebeer/welch-allyn-bp100-python"],
    userNumbering: .notPublic
  ) { TranstekScaleDriver($0, .trisa) }

  /// ADE scales by Transtek: their password is zero.
  package static let adeScale = DriverModel(
    id: "transtek-ade", name: "Transtek scale (ADE)",
    required: TranstekScaleDriver.Model.ade.required, confidence: .captured,
    sources: ["KristianP26/ble-scale-sync, trisa"], userNumbering: .notPublic
  ) { TranstekScaleDriver($0, .ade) }

  /// Medisana BS430, BS440 and BS444: nothing secret, weight and body composition apart.
  package static let medisanaScale = DriverModel(
    id: "medisana-bs4xx", name: "Medisana BS4xx",
    required: TranstekScaleDriver.Model.medisana.required,
    optional: [TranstekScaleDriver.Model.medisana.composition], confidence: .captured,
    sources: ["openScale wiki, Medisana-BS444", "openScale, MedisanaBs44xHandler"],
    userNumbering: .from(
      1, sources: ["openScale wiki, Medisana-BS444 (byte 13: the users from 1 to 8)"])
  ) { TranstekScaleDriver($0, .medisana) }
}

/// Drives the scales by Transtek.
///
/// A scale that is paired sends a password (A0) and receives a number for this client (21).
/// Later it sends a challenge (A1), and the answer (20) is the challenge XOR the password. Then it
/// takes the time (02) and sends what it keeps; it forgets that when the receiver releases it
/// (22), so that all is put on disk before. It is not released when it sent what could not be read.
package struct TranstekScaleDriver: DeviceDriver {
  /// What distinguishes one family from another.
  package struct Model: Sendable {
    /// How a scale makes sure of its receiver.
    package enum Proof: Sendable {
      case password, none
      /// A password of zeros, which is not given out.
      case zeroPassword
    }

    let service: String
    let weight: String
    let proof: Proof

    package static let trisa = Model(service: "7802", weight: "8A21", proof: .password)
    package static let ade = Model(service: "7802", weight: "8A24", proof: .zeroPassword)
    package static let medisana = Model(service: "78B2", weight: "8A21", proof: .none)

    var measurement: GATTAttribute { GATTAttribute(service, weight) }
    package var composition: GATTAttribute { GATTAttribute(service, "8A22") }
    var question: GATTAttribute { GATTAttribute(service, "8A82") }
    var command: GATTAttribute { GATTAttribute(service, "8A81") }
    package var required: [GATTAttribute] {
      proof == .none ? [measurement, command] : [measurement, command, question]
    }
  }

  /// Where a connection stands.
  private enum State: Sendable {
    /// The first requests are under way: → asked, open, over.
    case preparing
    /// The scale is to prove its receiver: → introduced, open, over.
    case asked
    /// A password has been kept and the answer is under way: → over.
    case introduced
    /// Measurements come: → storing, over.
    case open
    /// All is being put on disk: → leaving, over.
    case storing
    /// The scale is released: → over.
    case leaving
    case over
  }

  /// How long a scale may take to ask.
  package static let timeout = Duration.seconds(20)
  /// The body composition follows its weight at once.
  static let pairing = Duration.seconds(2)
  /// Seconds from 1970 to 2010.
  static let epoch = 1_262_304_000.0
  /// The number that a scale knows this receiver by; any will do.
  static let receiver: [UInt8] = [0x53, 0x41, 0x4E, 0x54]

  private let context: DriverContext
  private let model: Model
  private var state = State.preparing
  private var steps: DriverSteps
  private var until: Duration?
  /// A weight whose body composition may follow.
  private var held: (weight: TranstekWeight, until: Duration)?
  private var hasReading = false
  /// A weight could not be read, so that the scale must keep it.
  private var hasUnreadable = false
  private var isPaired = false
  /// A weight came after it was asked whether all are on disk.
  private var hasUnstored = false

  /// Prepares a driver.
  package init(_ context: DriverContext, _ model: Model) {
    self.context = context
    self.model = model
    steps = DriverSteps(
      .facts + [
        .subscribe(model.composition), .subscribe(model.measurement), .subscribe(model.question),
      ], having: context)
  }

  package var deadline: Duration? {
    guard state != .over else { return nil }
    guard state != .preparing else { return steps.deadline }
    return [until, held?.until].compactMap { $0 }.min()
  }

  package var isComplete: Bool { state != .preparing && state != .asked }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.over, _): return []
    case (_, .value(model.measurement, let bytes)): return weight(bytes, at: time)
    case (_, .value(model.composition, let bytes)): return composition(bytes, at: time)
    case (.preparing, .value(model.question, let bytes)),
      (.asked, .value(model.question, let bytes)):
      return questioned(bytes, at: time)
    case (.preparing, .begun): return proceed(steps.begin(at: time), at: time)
    case (.preparing, _): return proceed(steps.handle(event, at: time), at: time)
    case (.introduced, .written(model.command)): return [.paired] + end(.finish)
    case (.open, .written(model.command)) where context.purpose == .pair && !isPaired:
      isPaired = true
      return [.paired]
    case (.introduced, .writeFailed(model.command, _)), (.open, .writeFailed(model.command, _)),
      (.asked, .writeFailed(model.command, _)):
      return end(
        .fail(DriverFailure(.notPaired, "The scale refuses this receiver. Pair it again.")))
    case (.storing, .stored): return stored()
    case (.leaving, .written(model.command)), (.leaving, .writeFailed(model.command, _)):
      return end(.finish)
    case (_, .timeReached): return timeReached(at: time)
    case (_, .ended): return released()
    default: return []
    }
  }

  // MARK: - Who is there

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    guard steps.isDone, state == .preparing else { return actions }
    guard model.proof == .none else {
      state = .asked
      until = time.elapsed + Self.timeout
      return actions
    }
    return actions + open(at: time)
  }

  private mutating func questioned(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard bytes.count >= 5 else { return [] }
    switch bytes[0] {
    case 0xA0 where model.proof == .password:
      state = .introduced
      until = time.elapsed + Self.timeout
      return [
        .keep(.password, Array(bytes[1..<5])), .write(model.command, [0x21] + Self.receiver),
      ]
    case 0xA1: return challenged(Array(bytes[1..<5]), at: time)
    default: return []
    }
  }

  private mutating func challenged(_ challenge: [UInt8], at time: DriverTime) -> [DriverAction] {
    let known = context.secrets[.password].flatMap { $0.count == 4 ? $0 : nil }
    guard let password = model.proof == .password ? known : [0, 0, 0, 0] else {
      let message = "The scale has not given out its password. Pair it first."
      return end(.fail(DriverFailure(.notPaired, message)))
    }
    let proof = zip(challenge, password).map { $0 ^ $1 }
    return [.write(model.command, [0x20] + proof)] + open(at: time)
  }

  private mutating func open(at time: DriverTime) -> [DriverAction] {
    state = .open
    // A BS430, which is called 0203B…, counts from 1970.
    let epoch = context.name?.uppercased().hasPrefix("0203B") == true ? 0 : Self.epoch
    let seconds = UInt32(clamping: Int((time.localSecondsSince1970 - epoch).rounded(.down)))
    let clock = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: seconds >> $0) }
    until = context.purpose == .pair ? time.elapsed + PushDriver.quietTime : nil
    return [.write(model.command, [0x02] + clock)]
      + (context.purpose == .read ? [.ready] : [])
  }

  // MARK: - Measurements

  private mutating func weight(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    var actions = released()
    if state == .storing { hasUnstored = true }
    until = time.elapsed + PushDriver.quietTime
    do throws(PayloadError) {
      let weight = try TranstekWeight(payload: bytes)
      held = (weight, time.elapsed + Self.pairing)
      if !context.has(model.composition) { actions += released() }
    } catch {
      actions += delivered(DeviceReading(error, payload: bytes))
    }
    return actions
  }

  private mutating func composition(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let composition = try? MedisanaComposition(payload: bytes),
      let held, held.weight.seconds == composition.seconds
    else { return [] }
    return released(with: composition.values)
  }

  private mutating func released(with values: [Metric] = []) -> [DriverAction] {
    guard let weight = held?.weight else { return [] }
    held = nil
    var reading = weight.reading
    if reading.rejection == nil { reading.values += values }
    return delivered(reading)
  }

  private mutating func delivered(_ reading: DeviceReading) -> [DriverAction] {
    hasReading = true
    if reading.rejection?.reason == .malformed { hasUnreadable = true }
    return [.deliver(reading)]
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    var actions: [DriverAction] = []
    if let held, time.elapsed >= held.until { actions = released() }
    guard let until, time.elapsed >= until else { return actions }
    self.until = nil
    switch state {
    case .asked:
      return end(.fail(DriverFailure(.timeout, "The scale did not ask who is there. Try again.")))
    case .introduced:
      return end(
        .fail(DriverFailure(.timeout, "The scale did not accept this receiver. Try again.")))
    case .open:
      actions += released()
      guard hasReading, !hasUnreadable, model.proof != .none else {
        return actions + end(.finish)
      }
      state = .storing
      return actions + [.confirmStorage]
    default: return actions
    }
  }

  /// Ends the session; the scale then deletes what it has sent.
  ///
  /// What came since the question must be on disk, too.
  private mutating func stored() -> [DriverAction] {
    let late = released()
    guard !hasUnreadable else { return late + end(.finish) }
    guard !hasUnstored else {
      hasUnstored = false
      return late + [.confirmStorage]
    }
    state = .leaving
    return [.write(model.command, [0x22])]
  }

  private mutating func end(_ action: DriverAction) -> [DriverAction] {
    state = .over
    return [action]
  }
}

extension TranstekWeight {
  /// The seconds of a clock that counts from 2010, or by some models from 1970.
  fileprivate var clock: DeviceReading.Clock? {
    guard let seconds else { return nil }
    let isFrom1970 = Double(seconds) > TranstekScaleDriver.epoch
    let since1970 = Double(seconds) + (isFrom1970 ? 0 : TranstekScaleDriver.epoch)
    return .local(LocalDateTime(secondsSince1970: Int(since1970)))
  }

  fileprivate var reading: DeviceReading {
    let refused =
      isInKilograms
      ? DeviceReading(
        rejected: .failedMeasurement, "The scale sent no weight. Step on it again.",
        payload: payload)
      : DeviceReading(
        rejected: .malformed, "The scale is not set to kilograms. Set its unit to kg.",
        payload: payload)
    var reading =
      DeviceReading(kilograms: kilograms, [(.bodyImpedance, ohms)], payload: payload) ?? refused
    reading.clock = clock
    reading.userSlot = userID.map { Int($0.rawValue) }
    return reading
  }
}

extension MedisanaComposition {
  fileprivate var values: [Metric] {
    let values: [(MetricType, Double?)] = [
      (.bodyFat, bodyFatPercentage), (.bodyWater, bodyWaterPercentage),
      (.bodyMuscle, musclePercentage), (.bodyBoneMass, boneKilograms),
    ]
    return values.compactMap { type, value in value.map { Metric(type, $0) } }
  }
}
