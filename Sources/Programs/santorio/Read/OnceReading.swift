// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency

/// Reads each of some devices once, several at the same time.
///
/// One operation looks for the next device while those that found theirs read it.
struct OnceReading: Sendable {
  /// How often a device is tried whose connection breaks.
  private static let tries = 3

  let runner: DeviceRunner
  let clock: any Clock<Duration>
  /// The user whose readings they are; no device is read for another one.
  let owner: SessionOwner?
  let uploads: UploadReport?
  /// Whether queued readings are sent.
  let sends: Bool

  private enum Event: Sendable {
    /// The operation of a number is about a device.
    case found(DeviceRunner.FoundDevice, by: Int)
    case ended(DeviceRunner.Run, of: Int)
  }

  private struct State {
    /// The devices that are still to be found.
    var remaining: [DeviceChoice]
    /// The choices whose device an operation reads.
    var found: [Int: [DeviceChoice]] = [:]
    /// The choices to be tried again, each list by an operation of its own: a device whose
    /// connection broke does not wait until another one appears.
    var broken: [[DeviceChoice]] = []
    /// The devices that are being read, or were.
    var taken: [Int: UUID] = [:]
    /// The number of the operation that looks for the next device.
    var searching: Int?
    var running = 0
    var started = 0
    /// How often the connection of a choice broke.
    var failures: [DeviceChoice: Int] = [:]
    var hasFailed = false
    var logIDs: Set<String> = []
  }

  /// Works until each device was read, one cannot be, or the task is cancelled.
  ///
  /// - Returns: The exit status of the command.
  func run(_ devices: [DeviceChoice]) async -> Int32 {
    var state = State(remaining: devices)
    let (events, feed) = AsyncStream.makeStream(of: Event.self)
    let isRead = await withTaskGroup(of: Void.self) { group in
      var iterator = events.makeAsyncIterator()
      while !state.hasFailed || state.running > 0 {
        guard await startAll(&state, &group, feed) else { return false }
        guard state.running > 0, let event = await iterator.next() else { break }
        await take(event, &state)
      }
      return !state.hasFailed && state.remaining.isEmpty && !Task.isCancelled
    }
    guard isRead else { return 1 }
    await uploads?.wait(for: state.logIDs)
    return 0
  }

  /// Looks for whichever of the remaining devices appears first, and again for those whose
  /// connection broke; false when there is none to look for.
  private func startAll(
    _ state: inout State, _ group: inout TaskGroup<Void>, _ feed: AsyncStream<Event>.Continuation
  ) async -> Bool {
    guard !state.hasFailed else { return true }
    for choices in state.broken {
      state.found[state.started] = choices
      guard await start(choices, &state, &group, feed) else { return false }
    }
    state.broken = []
    guard state.searching == nil, !state.remaining.isEmpty else { return true }
    state.searching = state.started
    return await start(state.remaining, &state, &group, feed)
  }

  private func start(
    _ choices: [DeviceChoice], _ state: inout State, _ group: inout TaskGroup<Void>,
    _ feed: AsyncStream<Event>.Continuation
  ) async -> Bool {
    if await owner?.hasEnded() == true { return false }
    let enrolled = await runner.receiver.enrolledOrNone()
    guard let targets = DeviceTargets(choices, enrolled: enrolled) else {
      printError(TurnReading.advice)
      if sends { await uploads?.waitUntilSettled() }
      return false
    }
    let (number, taken) = (state.started, Set(state.taken.values))
    state.started += 1
    state.running += 1
    group.addTask {
      let run = await runner.run(.read, targets, except: taken) { device in
        feed.yield(.found(device, by: number))
      }
      feed.yield(.ended(run, of: number))
    }
    return true
  }

  private func take(_ event: Event, _ state: inout State) async {
    switch event {
    case .found(let device, let number):
      // Another device may have answered before the first one.
      state.remaining += state.found[number] ?? []
      state.found[number] = state.remaining.filter { $0.matches(device) }
      state.remaining.removeAll { $0.matches(device) }
      state.taken[number] = device.identifier
      if state.searching == number { state.searching = nil }
    case .ended(let run, let number):
      state.running -= 1
      if state.searching == number { state.searching = nil }
      await ended(run, number, &state)
    }
  }

  private func ended(_ run: DeviceRunner.Run, _ number: Int, _ state: inout State) async {
    state.logIDs.formUnion(run.outcome.records.map(\.logID))
    switch run.outcome {
    case .finished: break
    case .nothingNew: run.found.map { printError(Self.line(about: $0, held: run.held.count)) }
    case .cancelled: state.hasFailed = true
    case .failed(let error, _):
      printError("santorio: not read: \(error.advice)")
      let choices = state.found[number] ?? state.remaining
      for choice in choices { state.failures[choice, default: 0] += 1 }
      let most = choices.compactMap { state.failures[$0] }.max() ?? 0
      guard Self.maySucceed(after: error), most < Self.tries else {
        state.hasFailed = true
        return
      }
      try? await clock.sleep(for: TurnReading.pause)
      state.taken[number] = nil
      if let choices = state.found.removeValue(forKey: number) { state.broken.append(choices) }
    }
  }

  /// What is said of a device of which nothing was taken.
  static func line(about device: DeviceRunner.FoundDevice, held: Int) -> String {
    held == 0
      ? "\(device.peripheral.name) has nothing new"
      : "\(device.peripheral.name) has nothing else; it is not known whether what is held is this user's"
  }

  /// Whether another attempt may succeed.
  ///
  /// A connection may break because bluetoothd is still closing that of the program that used the
  /// device before, which takes some seconds.
  private static func maySucceed(after error: BluetoothError) -> Bool {
    [.communicationFailure, .connectionFailure].contains(error.code)
  }
}
