// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Reads a scale out of its advertisements.
///
/// One weighing is one reading, though the scale broadcasts it for seconds, and though the next
/// search may begin before it is done: a checkpoint keeps what was delivered last. It ends when the
/// scale has been quiet for a while after a reading.
package struct ScaleBroadcastDriver: BroadcastDriver {
  /// What an advertisement says.
  package enum Interpretation: Sendable {
    /// A weight.
    case sample(WeightSample)
    /// The user has left the scale, or the weighing is over.
    case left
    /// It cannot be read.
    case failure(DriverFailure)
  }

  /// What an advertisement says; nil for one that says nothing.
  package typealias Decoding = @Sendable (Advertisement, DriverTime) -> Interpretation?

  /// How long a scale is quiet after a weighing.
  package static let quietTime = Duration.seconds(3)
  /// How long a scale that does not become quiet is listened to after a reading.
  package static let longestRepetition = Duration.seconds(12)
  static let memory = "weighing"

  private let decode: Decoding
  private var weighing: Weighing
  private var delivered: SyncCheckpoint?
  private let checkpointKey: CheckpointKey
  private var isReady = false
  private var quietUntil: Duration?
  private var lastEnd: Duration?
  private var isOver = false

  /// Prepares a driver.
  ///
  /// - Parameters:
  ///   - context: What is known of the device.
  ///   - timeout: How long the rest of a weighing is waited for.
  ///   - decode: What an advertisement says.
  package init(
    _ context: DriverContext, timeout: Duration = .seconds(10), decode: @escaping Decoding
  ) {
    self.decode = decode
    weighing = Weighing(timeout: timeout)
    delivered = context.checkpoint(Self.memory)
    checkpointKey = context.checkpointKey
  }

  package var deadline: Duration? {
    guard !isOver else { return nil }
    let end = quietUntil.map { min($0, lastEnd ?? $0) }
    return [weighing.deadline, end].compactMap { $0 }.min()
  }

  package mutating func handle(
    _ advertisement: Advertisement, at time: DriverTime
  ) -> [DriverAction] {
    guard !isOver, let news = decode(advertisement, time) else { return [] }
    if quietUntil != nil { quietUntil = time.elapsed + Self.quietTime }
    switch news {
    case .failure(let failure):
      isOver = true
      return [.fail(failure)]
    case .left: return deliver(weighing.ended(at: time), at: time)
    case .sample(let sample):
      let ready: [DriverAction] = isReady ? [] : [.ready]
      isReady = true
      return ready + deliver(weighing.received(sample, at: time), at: time)
    }
  }

  package mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    guard !isOver else { return [] }
    let actions = deliver(weighing.timeReached(at: time), at: time)
    guard actions.isEmpty, let deadline, time.elapsed >= deadline else { return actions }
    return ended(at: time) + [.finish]
  }

  package mutating func ended(at time: DriverTime) -> [DriverAction] {
    isOver = true
    return deliver(weighing.ended(at: time), at: time)
  }

  private mutating func deliver(_ readings: [DeviceReading], at time: DriverTime) -> [DriverAction]
  {
    readings.flatMap { reading -> [DriverAction] in
      let seconds = Int(time.secondsSince1970.rounded(.down))
      let checkpoint = SyncCheckpoint(
        memory: Self.memory, sequenceNumber: seconds, payload: "\(reading.grams ?? 0)".utf8,
        key: checkpointKey)
      let isRepeated = delivered.map { checkpoint.repeats($0) } ?? false
      // Also for one that is repeated: it is the same weighing for a minute from now on.
      delivered = checkpoint
      quietUntil = time.elapsed + Self.quietTime
      lastEnd = lastEnd ?? time.elapsed + Self.longestRepetition
      return (isRepeated ? [] : [.deliver(reading)]) + [.advance(checkpoint)]
    }
  }
}

extension SyncCheckpoint {
  /// Whether it is of the same weighing as an earlier one.
  fileprivate func repeats(_ earlier: SyncCheckpoint) -> Bool {
    fingerprint == earlier.fingerprint
      && abs(sequenceNumber - earlier.sequenceNumber) < Weighing.sameness.components.seconds
  }
}
