// SPDX-License-Identifier: Apache-2.0

/// The steps before a sensor's stream, which its drivers share: they end with ``DriverAction/ready``
/// or, after a quiet time, with the end of a pairing.
struct StreamSetup: Sendable {
  private let purpose: DriverContext.Purpose
  private var steps: DriverSteps
  private var quietUntil: Duration?

  init(_ steps: [DriverSteps.Step], _ context: DriverContext) {
    purpose = context.purpose
    self.steps = DriverSteps(steps, having: context)
  }

  var isDone: Bool { steps.isDone }

  var deadline: Duration? { steps.isDone ? quietUntil : steps.deadline }

  /// Takes an event that is no measurement; nothing happens once the steps are done.
  mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch event {
    case .begun: return proceed(steps.begin(at: time), at: time)
    default: return steps.isDone ? [] : proceed(steps.handle(event, at: time), at: time)
    }
  }

  /// A measurement came that others may follow: the quiet time begins again.
  mutating func beginQuietTime(at now: Duration) { quietUntil = now + PushDriver.quietTime }

  /// Whether the quiet time has passed; true once.
  mutating func endQuietTime(at now: Duration) -> Bool {
    guard let quietUntil, now >= quietUntil else { return false }
    self.quietUntil = nil
    return true
  }

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    guard steps.isDone else { return actions }
    switch purpose {
    case .read: return actions + [.ready]
    case .pair:
      quietUntil = quietUntil ?? time.elapsed + PushDriver.quietTime
      return actions + [.paired]
    }
  }
}
