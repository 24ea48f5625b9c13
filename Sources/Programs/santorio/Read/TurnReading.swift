// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore

/// Reads devices in turn for as long as it runs, several at once.
///
/// One operation looks for the next device while those that found theirs read it.
struct TurnReading: Sendable {
  /// How long to wait after an error, and while nothing can be read.
  static let pause = Duration.seconds(2)
  /// How often to check whether a device has been enrolled.
  static let enrolmentPause = Duration.seconds(30)
  /// How long to look for others at most while devices are read, which may have their next turn
  /// soon.
  static let searchTime = Duration.seconds(10)

  let runner: DeviceRunner
  let monotonicClock: MonotonicClock
  /// The user whose readings they are; reading ends with that user's session.
  let owner: SessionOwner?
  /// What to look for now; nil while no device is enrolled.
  let targets: @Sendable () async -> DeviceTargets?
  /// Whether there is something else to do while no device is enrolled: to send queued readings.
  let waitsForEnrolment: Bool
  private let state: Locked<State>

  private struct State {
    var turns = DeviceTurns()
    var shares: QueueShares
    var errors = ReportedErrors()
    /// The devices that are being read, by the number of their operation.
    var reading: [Int: UUID] = [:]
  }

  init(
    runner: DeviceRunner, monotonicClock: MonotonicClock, owner: SessionOwner?,
    targets: @escaping @Sendable () async -> DeviceTargets?, waitsForEnrolment: Bool
  ) {
    self.runner = runner
    self.monotonicClock = monotonicClock
    self.owner = owner
    self.targets = targets
    self.waitsForEnrolment = waitsForEnrolment
    state = Locked(State(shares: QueueShares(limit: runner.share)))
  }

  /// Works until the task is cancelled.
  ///
  /// - Returns: The exit status of the command.
  func run() async -> Int32 {
    // A group that keeps no results: it runs for months.
    await withDiscardingTaskGroup { group in
      defer { group.cancelAll() }
      var hasPrintedAdvice = false
      for number in 0... {
        guard !Task.isCancelled else { break }
        if await owner?.hasEnded() == true { return 1 }
        if let targets = await targets() {
          await look(for: targets, number, &group)
        } else {
          if !hasPrintedAdvice { printError(Self.advice) }
          hasPrintedAdvice = true
          guard waitsForEnrolment else { return 1 }
          try? await Task.sleep(for: Self.enrolmentPause)
        }
      }
      return 0
    }
  }

  /// Looks for the next device; returns once it is found, or when none was.
  private func look(
    for targets: DeviceTargets, _ number: Int, _ group: inout DiscardingTaskGroup
  ) async {
    if let pending = try? await runner.session?.pendingCount() {
      report(state.withLock { $0.shares.update(pending: pending) })
    }
    let now = monotonicClock.now()
    let (resting, untilNext) = state.withLock { state in
      let busy = state.shares.full.union(state.reading.values)
      let rest = state.turns.untilNext(at: now)
      let time = state.reading.isEmpty ? rest : min(rest ?? Self.searchTime, Self.searchTime)
      return (state.turns.resting(at: now).union(busy), time)
    }
    guard targets.hasMore(than: resting) else { return await wait(untilNext ?? Self.pause) }
    let (isOver, over) = AsyncStream.makeStream(of: Void.self)
    group.addTask {
      await read(targets, except: resting, within: untilNext, number) { over.finish() }
      over.finish()
    }
    for await _ in isOver {}
  }

  private func read(
    _ targets: DeviceTargets, except resting: Set<UUID>, within time: Duration?, _ number: Int,
    whenFound: @escaping @Sendable () -> Void
  ) async {
    let run = await runner.run(.read, targets, except: resting, within: time) { found in
      state.withLock { $0.reading[number] = found.identifier }
      whenFound()
    }
    let now = monotonicClock.now()
    state.withLock { state in
      guard let device = state.reading.removeValue(forKey: number) else { return }
      let new = state.turns.served(device, readings: run.outcome.records.map(\.logID), at: now)
      state.shares.add(new, of: device)
    }
    await report(run)
  }

  /// What to do when there is no device to read.
  static let advice = """
    santorio: no device is enrolled, so none is read: pair yours with "santorio pair --data \
    FOLDER", even those that need no pairing; or name devices, or read every device in range with \
    --any
    """

  /// What to do about devices that were paired for another user; nil when there are none.
  static func adviceOnOthers(_ devices: [UUID]) -> String? {
    guard !devices.isEmpty else { return nil }
    return "santorio: paired for another user of this folder, and not read: "
      + devices.map(\.uuidString).joined(separator: ", ")
      + "; delete what they hold, then run \"santorio pair --take-over --data FOLDER\""
  }

  private func wait(_ duration: Duration) async {
    try? await monotonicClock.sleep(monotonicClock.now() + duration)
  }

  private func report(_ devices: Set<UUID>) {
    for device in devices {
      printError(
        "santorio: \(runner.share) readings of \(device) wait in the queue; the device is not read "
          + "until they have been sent")
    }
  }

  private func report(_ run: DeviceRunner.Run) async {
    let device = run.found?.identifier
    guard case .failed(let error, _) = run.outcome else {
      return state.withLock { $0.errors.forget(device) }
    }
    // It is not reported that nothing appeared for a while.
    guard error.code != .connectionTimeout else { return }
    if state.withLock({ $0.errors.isNew(error, of: device, at: .now) }) {
      printError("santorio: not read: \(error.advice)")
    }
    await wait(Self.pause)
  }
}
