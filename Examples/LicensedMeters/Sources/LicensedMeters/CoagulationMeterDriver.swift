// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// Reads a coagulation meter whose values are encrypted with a key of its own.
///
/// A stand-in for Roche's CoaguChek, whose protocol is not public; the workflow is the one
/// that Validic's documentation describes: pair, ask the user for the key in the meter's menu,
/// store it, read.
///
/// - Measurements (notified): each is an encrypted ``CoagulationRecord``.
/// - Control (written, indicated): `01` and a sequence number ask for the records from that one on;
///   when all were sent, `81` and their number answer.
struct CoagulationMeterDriver: DeviceDriver {
  private enum Stage: Hashable {
    /// Facts and subscriptions. Next: transferring, paired, over.
    case preparing
    /// Records come. Next: over.
    case transferring
    /// A pairing has succeeded; the meter may be disconnected. Next: over.
    case over
  }

  /// How long the meter may take from one record to the next.
  private static let timeout = Duration.seconds(10)

  private let context: DriverContext
  private var steps: DriverSteps
  private var stage = Stage.preparing
  private var received = 0
  private var isFirst = true
  private var silentFrom: Duration?

  init(_ context: DriverContext) {
    self.context = context
    let subscriptions: [GATTAttribute] =
      context.purpose == .pair
      ? [.coagulationControl] : [.coagulationControl, .coagulationMeasurement]
    steps = DriverSteps(.facts + subscriptions.map { .subscribe($0) }, having: context)
  }

  var deadline: Duration? { stage == .preparing ? steps.deadline : silentFrom }
  var isComplete: Bool { stage == .over }

  mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (stage, event) {
    case (.preparing, .begun):
      if let failure = missing { return end([.fail(failure)]) }
      return proceed(steps.begin(at: time), at: time)
    case (.preparing, _): return proceed(steps.handle(event, at: time), at: time)
    case (.transferring, .value(.coagulationMeasurement, let frame)):
      silentFrom = time.elapsed + Self.timeout
      return take(frame)
    case (.transferring, .value(.coagulationControl, let bytes)): return finish(bytes)
    case (.transferring, .writeFailed): return end([.fail(.meterRefuses)])
    case (.transferring, .timeReached):
      guard let silentFrom, time.elapsed >= silentFrom else { return [] }
      return end([.fail(DriverFailure(.timeout, "The meter stopped in the middle of its records."))]
      )
    default: return []
    }
  }

  /// What a reading lacks, and a pairing can do without.
  private var missing: DriverFailure? {
    guard context.purpose == .read else { return nil }
    guard context.secrets[.encryptionKey] != nil else {
      return DriverFailure(
        .notAuthorized,
        "The meter's key is missing. It stands in the meter's menu; store it for this device.")
    }
    return nil
  }

  private mutating func proceed(_ actions: [DriverAction], at time: DriverTime) -> [DriverAction] {
    guard steps.isDone else { return actions }
    if case .fail? = actions.last { return end(actions) }
    guard context.purpose == .read else { return end(actions + [.paired, .finish]) }
    stage = .transferring
    silentFrom = time.elapsed + Self.timeout
    let from = UInt16(clamping: context.checkpoint()?.sequenceNumber ?? 0)
    return actions + [
      .write(.coagulationControl, [0x01, UInt8(from & 0xFF), UInt8(from >> 8)])
    ]
  }

  private mutating func take(_ frame: [UInt8]) -> [DriverAction] {
    guard let key = context.secrets[.encryptionKey] else { return [] }
    received += 1
    defer { isFirst = false }
    guard let clear = try? StandInCryptography(key: key).open(frame) else {
      return end([
        .fail(
          DriverFailure(
            .notAuthorized,
            "The stored key does not fit this meter. Read it from the meter's menu again."))
      ])
    }
    do throws(PayloadError) {
      let record = try CoagulationRecord(payload: clear)
      let checkpoint = SyncCheckpoint(
        sequenceNumber: Int(record.sequenceNumber), payload: clear, key: context.checkpointKey)
      if isFirst, checkpoint == context.checkpoint() { return [] }
      return [.deliver(record.reading), .advance(checkpoint)]
    } catch {
      return [.deliver(DeviceReading(error, payload: clear))]
    }
  }

  private mutating func finish(_ bytes: [UInt8]) -> [DriverAction] {
    guard bytes.count == 3, bytes[0] == 0x81 else { return end([.fail(.meterRefuses)]) }
    let announced = Int(bytes[1]) | Int(bytes[2]) << 8
    guard announced == received else {
      return end([
        .fail(DriverFailure(.communication, "Not all records of the meter arrived. Read again."))
      ])
    }
    return end([.finish])
  }

  private mutating func end(_ actions: [DriverAction]) -> [DriverAction] {
    stage = .over
    silentFrom = nil
    return actions
  }
}

extension DriverFailure {
  fileprivate static let meterRefuses = DriverFailure(
    .communication, "The meter does not give its records. Is it another kind of meter?")
}
