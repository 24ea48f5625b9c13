// SPDX-License-Identifier: Apache-2.0

package import CivilCalendar
package import HealthGATT

/// Requests that are made one after the other, each when the one before has been answered.
///
/// What a device does not have is left out. The driver hands on every event until ``isDone``.
public struct DriverSteps: Sendable {
  /// One of the requests.
  public enum Step: Hashable, Sendable {
    /// Read a fact; a refusal does no harm. One of who the device is, is asked for up to three
    /// times.
    case read(GATTAttribute)
    /// Read the clock, report its drift, and set it; a refusal does no harm.
    ///
    /// The attribute is Date Time (2A08) or Current Time (2A2B). It is left alone when it is off by
    /// no more than the tolerance, in seconds.
    case setClock(GATTAttribute, tolerance: Double)
    /// Ask for values; without them it cannot go on.
    case subscribe(GATTAttribute)
    /// Write; a refusal is the end.
    case write(GATTAttribute, [UInt8])
    /// Write; a refusal does no harm.
    case attempt(GATTAttribute, [UInt8])
    /// Write, unless an attempt before was refused; a refusal does no harm.
    case attemptLast(GATTAttribute, [UInt8])
    /// Wait.
    case pause(Duration)
  }

  /// When ``DriverEvent/timeReached`` is due.
  public private(set) var deadline: Duration?
  private var steps: [Step]
  /// How often the read under way has failed.
  private var failures = 0
  private var hasFailed = false
  /// Whether an attempt was refused.
  private var hasRefusal = false

  /// How often a fact of who the device is, is asked for.
  public static let tries = 3

  /// Prepares the steps; those for attributes that the device does not have are left out.
  public init(_ steps: [Step], having context: DriverContext) {
    self.steps = steps.filter { step in step.attribute.map(context.has) ?? true }
  }

  /// Whether nothing is left; never true after a failure, which leaves nothing to do.
  public var isDone: Bool { steps.isEmpty && !hasFailed }

  /// Begins the first step.
  public mutating func begin(at time: DriverTime) -> [DriverAction] { beginStep(at: time) }

  /// Takes an event, and returns what to do; nothing when it does not concern the step under way.
  public mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    guard let step = steps.first, event.attribute == step.attribute else { return [] }
    switch (step, event) {
    case (.read, .value(let attribute, let bytes)):
      let fact = DeviceInformation(attribute, bytes).map { [DriverAction.fact($0)] }
      return (fact ?? []) + next(at: time)
    case (.setClock(_, let tolerance), .value(let attribute, let bytes)):
      return clockRead(attribute, bytes, tolerance, at: time)
    case (.setClock, .readFailed(let attribute, _)): return writeClock(attribute, at: time)
    case (.read, .readFailed(let attribute, let failure)):
      return readFailed(attribute, failure, at: time)
    case (.attempt, .writeFailed):
      hasRefusal = true
      return next(at: time)
    case (.setClock, .written): return [.fact(.clockSet)] + next(at: time)
    case (.subscribe, .subscribed), (.setClock, .writeFailed), (.write, .written),
      (.attempt, .written), (.attemptLast, .written),
      (.attemptLast, .writeFailed):
      return next(at: time)
    case (.subscribe, .subscriptionFailed(let attribute, let failure)):
      return fail("The device does not send its measurements", attribute, failure)
    case (.write, .writeFailed(let attribute, let failure)):
      return fail("The device refuses a request", attribute, failure)
    case (.pause, .timeReached):
      guard let deadline, time.elapsed >= deadline else { return [] }
      return next(at: time)
    default: return []
    }
  }

  private mutating func readFailed(
    _ attribute: GATTAttribute, _ failure: RequestFailure, at time: DriverTime
  ) -> [DriverAction] {
    guard DeviceInformation.identifying.contains(attribute), !failure.meansAbsence else {
      return next(at: time)
    }
    failures += 1
    guard failures >= Self.tries else { return [.read(attribute)] }
    return [.unread(attribute)] + next(at: time)
  }

  private mutating func next(at time: DriverTime) -> [DriverAction] {
    deadline = nil
    failures = 0
    steps.removeFirst()
    return beginStep(at: time)
  }

  private mutating func beginStep(at time: DriverTime) -> [DriverAction] {
    switch steps.first {
    case nil: return []
    case .read(let attribute), .setClock(let attribute, _): return [.read(attribute)]
    case .subscribe(let attribute): return [.subscribe(attribute)]
    case .attemptLast where hasRefusal: return next(at: time)
    case .write(let attribute, let bytes), .attempt(let attribute, let bytes),
      .attemptLast(let attribute, let bytes):
      return [.write(attribute, bytes)]
    case .pause(let duration):
      deadline = time.elapsed + duration
      return []
    }
  }

  private mutating func clockRead(
    _ attribute: GATTAttribute, _ bytes: [UInt8], _ tolerance: Double, at time: DriverTime
  ) -> [DriverAction] {
    guard let shown = DeviceClock.shown(attribute, bytes) else {
      return writeClock(attribute, at: time)
    }
    guard let seconds = shown.secondsSince1970 else {
      return [.fact(.clockNotSet)] + writeClock(attribute, at: time)
    }
    let drift = (Double(seconds) - time.localSecondsSince1970).rounded()
    let isRight = abs(drift) <= tolerance
    return [.fact(.clockDrift(seconds: drift))]
      + (isRight ? next(at: time) : writeClock(attribute, at: time))
  }

  private mutating func writeClock(_ attribute: GATTAttribute, at time: DriverTime)
    -> [DriverAction]
  {
    guard let bytes = DeviceClock.bytes(for: attribute, at: time) else { return next(at: time) }
    return [.write(attribute, bytes)]
  }

  private mutating func fail(
    _ what: String, _ attribute: GATTAttribute, _ failure: RequestFailure
  ) -> [DriverAction] {
    steps = []
    hasFailed = true
    let code = failure.code.map { " (ATT error 0x\(String($0, radix: 16, uppercase: true)))" } ?? ""
    let said = failure.message.isEmpty ? "" : " \(failure.message)"
    return [
      .fail(
        DriverFailure(.communication, "\(what): \(attribute.characteristic)\(code).\(said)"))
    ]
  }
}

extension DriverEvent {
  /// The attribute that it is about.
  public var attribute: GATTAttribute? {
    switch self {
    case .value(let attribute, _), .readFailed(let attribute, _), .written(let attribute),
      .writeFailed(let attribute, _), .subscribed(let attribute),
      .subscriptionFailed(let attribute, _):
      attribute
    case .begun, .stored, .timeReached, .ended: nil
    }
  }
}

extension DriverSteps.Step {
  fileprivate var attribute: GATTAttribute? {
    switch self {
    case .read(let attribute), .setClock(let attribute, _), .subscribe(let attribute),
      .write(let attribute, _), .attempt(let attribute, _), .attemptLast(let attribute, _):
      attribute
    case .pause: nil
    }
  }
}

extension [DriverSteps.Step] {
  /// The steps that read what a device reports about itself.
  public static var facts: Self { DeviceInformation.attributes.map { .read($0) } }
}

/// The two forms in which a clock is a characteristic.
package enum DeviceClock {
  /// What a clock shows.
  package enum Shown: Hashable, Sendable {
    case time(LocalDateTime)
    /// A part of the date is unknown: the clock was never set.
    case unset

    /// Takes what a device sent; nil when that is no time.
    package init?(_ dateTime: DateTime?) {
      guard let dateTime else { return nil }
      self = dateTime.localDateTime.map { .time($0) } ?? .unset
    }

    /// Seconds of local time since the beginning of 1970; nil for a clock that was never set.
    package var secondsSince1970: Int? {
      guard case .time(let time) = self else { return nil }
      return time.secondsSince1970
    }
  }

  /// What the clock shows; nil for bytes that are no time.
  package static func shown(_ attribute: GATTAttribute, _ bytes: [UInt8]) -> Shown? {
    switch attribute.characteristic {
    case "2A2B": Shown((try? CurrentTime(payload: bytes))?.dateTime)
    default: Shown(try? DateTime(payload: bytes))
    }
  }

  /// The bytes that set the clock to a time.
  package static func bytes(for attribute: GATTAttribute, at time: DriverTime) -> [UInt8]? {
    guard let local = time.local, let dateTime = try? DateTime(local) else { return nil }
    guard attribute.characteristic == "2A2B" else { return dateTime.payload }
    let days = Int((time.localSecondsSince1970 / 86_400).rounded(.down))
    // 1 January 1970 was a Thursday.
    let dayOfWeek = UInt8(((days + 3) % 7 + 7) % 7 + 1)
    let fraction = time.localSecondsSince1970 - time.localSecondsSince1970.rounded(.down)
    return CurrentTime(
      dateTime: dateTime, dayOfWeek: DayOfWeek(rawValue: dayOfWeek),
      fractions256: UInt8(min(fraction * 256, 255)), adjustReason: .manualTimeUpdate
    ).payload
  }
}
