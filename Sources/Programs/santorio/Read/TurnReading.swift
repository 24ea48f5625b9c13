// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore

/// Reads devices in turn for as long as it runs.
struct TurnReading: Sendable {
  /// How long to wait after an error, and while nothing can be read.
  static let pause = Duration.seconds(2)
  /// How often to check whether a device has been enrolled.
  static let enrolmentPause = Duration.seconds(30)

  let runner: DeviceRunner
  let monotonicClock: MonotonicClock
  /// The user whose readings they are; reading ends with that user's session.
  let owner: SessionOwner?
  /// What to look for now; nil while no device is enrolled.
  let targets: @Sendable () async -> DeviceTargets?
  /// Whether there is something else to do while no device is enrolled: to send queued readings.
  let waitsForEnrolment: Bool

  private struct State {
    var turns = DeviceTurns()
    var shares: QueueShares
    var errors = ReportedErrors()
    var hasPrintedAdvice = false
  }

  /// Works until the task is cancelled.
  ///
  /// - Returns: The exit status of the command.
  func run() async -> Int32 {
    var state = State(shares: QueueShares(limit: runner.share))
    while !Task.isCancelled {
      if await owner?.hasEnded() == true { return 1 }
      if let targets = await targets() {
        await read(targets, &state)
      } else {
        if !state.hasPrintedAdvice { printError(Self.advice) }
        state.hasPrintedAdvice = true
        guard waitsForEnrolment else { return 1 }
        try? await Task.sleep(for: Self.enrolmentPause)
      }
    }
    return 0
  }

  /// Reads the next device, or waits until one may be read.
  private func read(_ targets: DeviceTargets, _ state: inout State) async {
    if let pending = try? await runner.session?.pendingCount() {
      report(state.shares.update(pending: pending))
    }
    let now = monotonicClock.now()
    let resting = state.turns.resting(at: now).union(state.shares.full)
    let untilNext = state.turns.untilNext(at: now)
    guard targets.hasMore(than: resting) else { return await wait(untilNext ?? Self.pause) }
    let run = await runner.run(.read, targets, except: resting, within: untilNext)
    if let device = run.found?.identifier {
      let new = state.turns.served(
        device, readings: run.outcome.records.map(\.logID), at: monotonicClock.now())
      state.shares.add(new, of: device)
    }
    await report(run.outcome, &state.errors)
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

  private func report(_ outcome: BluetoothOutcome, _ errors: inout ReportedErrors) async {
    guard case .failed(let error, _) = outcome else { return errors.forget() }
    // It is not reported that nothing appeared for a while.
    guard error.code != .connectionTimeout else { return }
    if errors.isNew(error, at: .now) { printError("santorio: not read: \(error.advice)") }
    await wait(Self.pause)
  }
}

extension BluetoothOutcome {
  /// The readings that were taken.
  var records: [HealthRecord] {
    switch self {
    case .finished(let records), .cancelled(let records), .failed(_, let records): records
    }
  }
}
