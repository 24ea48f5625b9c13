// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

/// Reads the memory of a Beurer PO60, ten records at a time.
///
/// The records stay on the oximeter: the command that ends a transfer (99 7F) may erase them and is
/// never sent. It sends all of them each time, so equal records are distinguished by their times.
package struct PO60Driver: DeviceDriver {
  private enum State: Hashable {
    /// Asking for facts, and to be sent records. Next: requesting, over.
    case preparing
    /// A batch was asked for. Next: receiving, over.
    case requesting(isFirst: Bool, until: Duration)
    /// A batch is coming. Next: requesting, over.
    case receiving(count: Int, quietUntil: Duration)
    /// Next: none.
    case over
  }

  private static let timeout = Duration.seconds(10)
  private static let quietTime = Duration.seconds(2)

  private let purpose: DriverContext.Purpose
  private var steps: DriverSteps
  private var assembler = FrameAssembler<PO60Record>()
  private var state = State.preparing

  /// Prepares a driver.
  package init(_ context: DriverContext) {
    purpose = context.purpose
    steps = DriverSteps(
      .facts + [.subscribe(.po60Records), .write(.po60Requests, PO60Record.start)],
      having: context)
  }

  package var isComplete: Bool { state == .over }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .requesting(_, let until), .receiving(_, let until): until
    case .over: nil
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.requesting, .value(.po60Records, let bytes)):
      return received(bytes, after: 0, at: time)
    case (.receiving(let count, _), .value(.po60Records, let bytes)):
      return received(bytes, after: count, at: time)
    case (.requesting, .writeFailed(.po60Requests, _)):
      return end([.fail(DriverFailure(.communication, "The PO60 refuses to send more records."))])
    case (.preparing, .value(.po60Records, let bytes)):
      // It may answer before the write is confirmed.
      return received(bytes, after: 0, at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (_, .timeReached): return timeReached(at: time)
    default: return []
    }
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    guard steps.isDone else { return actions }
    state = .requesting(isFirst: true, until: time.elapsed + Self.timeout)
    return actions + (purpose == .pair ? [.paired] : [])
  }

  private mutating func received(
    _ bytes: [UInt8], after count: Int, at time: DriverTime
  ) -> [DriverAction] {
    let records = assembler.received(bytes)
    var actions = damaged(assembler.takeSkipped())
    actions += records.map { .deliver(DeviceReading($0)) }
    if records.contains(where: \.isLast) { return end(actions + [.finish]) }
    let total = count + records.count
    guard total >= PO60Record.batchCount else {
      state = .receiving(count: total, quietUntil: time.elapsed + Self.quietTime)
      return actions
    }
    state = .requesting(isFirst: false, until: time.elapsed + Self.timeout)
    return actions + [.write(.po60Requests, PO60Record.proceed)]
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    guard let deadline, time.elapsed >= deadline else { return [] }
    switch state {
    case .preparing:
      return prepared(steps.handle(.timeReached, at: time), at: time)
    case .requesting(isFirst: true, _):
      return end([
        .fail(
          DriverFailure(
            .timeout, "The PO60 did not send its records. Switch it on again and keep it near."))
      ])
    case .requesting, .receiving:
      // Silence is the end where no record says that it is the last one.
      let rest = assembler.finish()
      let failure = DriverFailure(
        .timeout, "The PO60 did not send all of its records. Switch it on again and keep it near.")
      return end(
        damaged(rest) + [rest.isEmpty || purpose == .pair ? .finish : .fail(failure)])
    case .over: return []
    }
  }

  private func damaged(_ bytes: [UInt8]) -> [DriverAction] {
    guard !bytes.isEmpty else { return [] }
    return [
      .deliver(
        DeviceReading(
          rejected: .malformed, "A record of the PO60 was damaged on its way. Read it again.",
          payload: bytes))
    ]
  }

  private mutating func end(_ actions: [DriverAction]) -> [DriverAction] {
    state = .over
    return actions
  }
}

extension DriverModel {
  /// Beurer PO60.
  package static let po60 = DriverModel(
    id: "beurer-po60", name: "Beurer PO60", required: [.po60Requests, .po60Records],
    confidence: .agreed,
    sources: ["weliem/LivecareBluetoothSDK", "a public script for Beurer's PO60"], readsMemory: true
  ) { PO60Driver($0) }
}

extension GATTAttribute {
  package static let po60Requests = GATTAttribute("FF12", "FF01")
  package static let po60Records = GATTAttribute("FF12", "FF02")
}

extension DeviceReading {
  /// A stored measurement of a PO60: the averages, and between which values they lie.
  ///
  /// A pulse rate that may be above 127 is left out (see ``PO60Record``).
  package init(_ record: PO60Record) {
    let saturation = record.saturation
    guard let end = record.endTime.localDateTime else {
      self.init(
        rejected: .malformed, "The record's time is impossible. Read it again.",
        payload: record.payload)
      return
    }
    guard (1...100).contains(saturation.average) else {
      self.init(
        rejected: .noSignal, "The oximeter stored a measurement without a value. Measure again.",
        payload: record.payload)
      return
    }
    var values = [
      Metric(.oxygenSaturation, Double(saturation.average)),
      Metric(.minimumOxygenSaturation, Double(saturation.lowest)),
      Metric(.maximumOxygenSaturation, Double(saturation.highest)),
    ]
    if let pulse = record.pulseRate, pulse.average > 0 {
      values += [
        Metric(.pulse, Double(pulse.average)),
        Metric(.minimumHeartRate, Double(pulse.lowest)),
        Metric(.maximumHeartRate, Double(pulse.highest)),
      ]
    }
    self.init(values, clock: .local(end), payload: record.payload)
  }
}
