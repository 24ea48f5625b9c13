// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthGATT

/// Drives a scale with the services of the Bluetooth SIG: weight, body composition, and users.
///
/// A scale with users sends nothing before a user's consent; a user without a slot is registered,
/// and the user's data are written to the scale once. With several users the driver asks for the
/// records of each in turn, and expects a new weighing of the last.
package struct ScaleDriver: DeviceDriver {
  /// How a scale differs from the specification.
  package struct Quirks: Sendable {
    /// The step of its weights, as a multiple of the specification's.
    package var massFactor = 1.0
    /// Requests that must come before all others.
    package var opening: [DriverSteps.Step] = []
    /// The user that it always has.
    package var user: UserConsent.User?
    /// Whether measurements may be asked for only after the consent.
    package var subscribesLast = false
    /// Whether its body compositions are as the specification has them.
    package var hasComposition = true

    package init() {}
  }

  private enum State: Sendable {
    /// Facts, and what must come before the consent. Next: consenting, settingUp.
    case preparing(DriverSteps)
    /// A user's consent is asked for. Next: checking, settingUp, over.
    case consenting(UserConsent)
    /// The scale is asked whether it knows more of the user than the slot. Next: settingUp.
    case checking(isNew: Bool)
    /// The user's data, the clock, what must come after the consent. Next: receiving.
    case settingUp(DriverSteps)
    /// Measurements come. Next: consenting (the next user), over.
    case receiving
    /// Finished or failed.
    case over
  }

  private let context: DriverContext
  private let quirks: Quirks
  private let measurements: [GATTAttribute]
  private var state: State
  private var users: [UserConsent.User]
  private var join: BodyCompositionJoin
  private var quietUntil: Duration?
  private var isAnnounced = false
  private var refusal: DriverFailure?

  package init(_ context: DriverContext, quirks: Quirks = Quirks()) {
    self.context = context
    self.quirks = quirks
    users = quirks.user.map { [$0] } ?? UserConsent.User.kept(context.secrets[.consent])
    let wanted: [GATTAttribute] =
      quirks.hasComposition
      ? [.weightMeasurement, .bodyCompositionMeasurement] : [.weightMeasurement]
    measurements = wanted.filter(context.has)
    join = BodyCompositionJoin(
      expectsWeight: measurements.contains(.weightMeasurement),
      expectsComposition: measurements.contains(.bodyCompositionMeasurement))
    state = .preparing(
      DriverSteps(
        Self.preparation(context, quirks, subscriptions: measurements.map { .subscribe($0) }),
        having: context))
  }

  /// A&D's scales need the clock within seconds; a scale with users takes it only after the
  /// consent.
  private static func preparation(
    _ context: DriverContext, _ quirks: Quirks, subscriptions: [DriverSteps.Step]
  ) -> [DriverSteps.Step] {
    let early = context.has(.userControlPoint) ? [] : clocks
    return early + .facts + quirks.opening + [.subscribe(.userControlPoint)]
      + (quirks.subscribesLast ? [] : subscriptions)
  }

  private static let clocks: [DriverSteps.Step] = [
    .setClock(.weightScaleDateTime, tolerance: 0), .setClock(.currentTime, tolerance: 1),
  ]

  package var deadline: Duration? {
    switch state {
    case .preparing(let steps), .settingUp(let steps): steps.deadline
    case .consenting(let consent): consent.deadline
    case .receiving: [quietUntil, join.deadline].compactMap { $0 }.min()
    case .checking, .over: nil
    }
  }

  package var isComplete: Bool { users.isEmpty }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    if case .value(let attribute, let bytes) = event, measurements.contains(attribute) {
      return received(attribute, bytes, at: time.elapsed)
    }
    if event == .ended { return deliverHeld() }
    switch state {
    case .preparing(var steps):
      let actions = event == .begun ? steps.begin(at: time) : steps.handle(event, at: time)
      state = .preparing(steps)
      return prepared(actions, steps, at: time)
    case .consenting(var consent):
      let action = consent.take(event, at: time.elapsed)
      state = .consenting(consent)
      return perform(action, at: time)
    case .checking(let isNew): return checked(event, isNew: isNew, at: time)
    case .settingUp(var steps):
      let actions = steps.handle(event, at: time)
      state = .settingUp(steps)
      return setUp(actions, steps, at: time)
    case .receiving:
      return event == .timeReached ? timeReached(at: time) : []
    case .over: return []
    }
  }

  // MARK: - Before the measurements

  private mutating func prepared(
    _ actions: [DriverAction], _ steps: DriverSteps, at time: DriverTime
  ) -> [DriverAction] {
    if case .fail? = actions.last { return end(actions) }
    guard steps.isDone else { return actions }
    guard context.has(.userControlPoint) else { return actions + beginSetUp([], at: time) }
    return actions + beginConsent(at: time)
  }

  private mutating func beginConsent(at time: DriverTime) -> [DriverAction] {
    var consent = UserConsent(users.first, newCode: ConsentCode(at: time))
    let action = consent.begin(at: time.elapsed)
    state = .consenting(consent)
    return perform(action, at: time)
  }

  private mutating func perform(
    _ action: UserConsent.Action, at time: DriverTime
  ) -> [DriverAction] {
    switch action {
    case .none: return []
    case .write(let bytes): return [.write(.userControlPoint, bytes)]
    case .fail(let failure): return refused(failure, at: time)
    case .keep(let user, let bytes):
      return [.keep(.consent, user.bytes), .write(.userControlPoint, bytes)]
    case .granted(let user, let isNew):
      users.removeAll { $0 == user }
      guard context.user != nil, context.has(.databaseChangeIncrement) else {
        return beginSetUp(profile(counting: nil) + Self.clocks, at: time)
      }
      state = .checking(isNew: isNew)
      return [.read(.databaseChangeIncrement)]
    }
  }

  /// A counter of 0 says that no data of the user were ever written.
  private mutating func checked(
    _ event: DriverEvent, isNew: Bool, at time: DriverTime
  ) -> [DriverAction] {
    let isTold = isNew || quirks.user != nil
    switch event {
    case .value(.databaseChangeIncrement, let bytes):
      let counter = try? DatabaseChangeIncrement(payload: bytes)
      let steps = isTold || counter?.count == 0 ? profile(counting: counter) : []
      return beginSetUp(steps + Self.clocks, at: time)
    case .readFailed(.databaseChangeIncrement, _):
      return beginSetUp((isTold ? profile(counting: nil) : []) + Self.clocks, at: time)
    default: return []
    }
  }

  /// The other users are read all the same.
  ///
  /// A receiver that is being paired becomes a new user instead.
  private mutating func refused(
    _ failure: DriverFailure, at time: DriverTime
  ) -> [DriverAction] {
    guard failure.kind == .notAuthorized, !users.isEmpty, quirks.user == nil else {
      return end([.fail(failure)])
    }
    users.removeFirst()
    let isReplaced = context.purpose == .pair && users.isEmpty && !isAnnounced
    if !isReplaced { refusal = failure }
    guard isReplaced || !users.isEmpty else { return endReceiving([]) }
    return beginConsent(at: time)
  }

  private mutating func beginSetUp(
    _ early: [DriverSteps.Step], at time: DriverTime
  ) -> [DriverAction] {
    let late = quirks.subscribesLast && !isAnnounced ? measurements : []
    var steps = DriverSteps(early + late.map { .subscribe($0) }, having: context)
    let actions = steps.begin(at: time)
    state = .settingUp(steps)
    return setUp(actions, steps, at: time)
  }

  private mutating func setUp(
    _ actions: [DriverAction], _ steps: DriverSteps, at time: DriverTime
  ) -> [DriverAction] {
    if case .fail? = actions.last { return end(actions) }
    guard steps.isDone else { return actions }
    state = .receiving
    if !users.isEmpty || context.purpose == .pair {
      quietUntil = time.elapsed + PushDriver.quietTime
    }
    guard !isAnnounced else { return actions }
    isAnnounced = true
    return actions + [context.purpose == .pair ? .paired : .ready]
  }

  /// Writes the data of a user that the scale does not know yet; the last write is the counter of
  /// changes.
  ///
  /// It stays as it is when a part was refused, so that the next connection tries again.
  private func profile(counting counter: DatabaseChangeIncrement?) -> [DriverSteps.Step] {
    guard let user = context.user else { return [] }
    var steps: [DriverSteps.Step] = []
    if let birth = user.dateOfBirth,
      let date = try? DateOfBirth(year: birth.year, month: birth.month, day: birth.day)
    {
      steps.append(.attempt(.dateOfBirth, date.payload))
    }
    steps.append(.attempt(.gender, [user.sex.rawValue]))
    if let height = user.heightCentimeters.flatMap({ UInt16(exactly: $0) }) {
      steps.append(.attempt(.height, UserHeight(centimeters: height).payload))
    }
    let next = counter?.next ?? DatabaseChangeIncrement(1)
    return steps + [.attemptLast(.databaseChangeIncrement, next.payload)]
  }

  // MARK: - Measurements

  private mutating func received(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at now: Duration
  ) -> [DriverAction] {
    quietUntil = now + PushDriver.quietTime
    do throws(PayloadError) {
      let joined =
        attribute == .weightMeasurement
        ? join.add(try WeightMeasurement(payload: bytes), at: now)
        : join.add(try BodyCompositionMeasurement(payload: bytes), at: now)
      return joined.map { .deliver(reading($0)) }
    } catch {
      return [.deliver(DeviceReading(error, payload: bytes))]
    }
  }

  /// A weight that waits for its composition is a reading when that cannot come any more.
  private mutating func deliverHeld() -> [DriverAction] {
    join.takeHeld().map { [.deliver(reading($0))] } ?? []
  }

  private func reading(_ joined: BodyCompositionJoin.Joined) -> DeviceReading {
    var reading = DeviceReading(joined, massFactor: quirks.massFactor)
    // A user that all people share does not say who was weighed.
    if quirks.user != nil { reading.note(nil) }
    return reading
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    let delivered: [DriverAction] = join.timeReached(time.elapsed).map { .deliver(reading($0)) }
    guard let quietUntil, time.elapsed >= quietUntil else { return delivered }
    self.quietUntil = nil
    guard users.isEmpty else { return delivered + beginConsent(at: time) }
    return endReceiving(delivered)
  }

  private mutating func endReceiving(_ actions: [DriverAction]) -> [DriverAction] {
    end(actions + [refusal.map { .fail($0) } ?? .finish])
  }

  /// Ends with the last of some actions; what is held back goes before it.
  private mutating func end(_ actions: [DriverAction]) -> [DriverAction] {
    state = .over
    return Array(actions.dropLast()) + deliverHeld() + actions.suffix(1)
  }
}

extension UserConsent {
  /// Takes an event of the connection.
  fileprivate mutating func take(_ event: DriverEvent, at now: Duration) -> Action {
    switch event {
    case .value(.userControlPoint, let bytes): answered(bytes, at: now)
    case .writeFailed(.userControlPoint, let failure): writeFailed(failure)
    case .timeReached: timeReached(now)
    default: .none
    }
  }
}
