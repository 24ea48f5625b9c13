// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Microlife's monitors with Bluetooth.
  package static let microlife = DriverModel(
    id: "microlife", name: "Microlife blood pressure monitors",
    required: [.microlifeReplies, .microlifeCommands], confidence: .agreed,
    sources: ["joergmlpts/blood-pressure-monitor", "derdilla/blood-pressure-monitor-fl"],
    readsMemory: true
  ) { MicrolifeDriver($0) }
}

extension GATTAttribute {
  package static let microlifeReplies = GATTAttribute("FFF0", "FFF1")
  package static let microlifeCommands = GATTAttribute("FFF0", "FFF2")
}

/// Drives a Microlife monitor: sets its clock, reads all of its memory and ends the connection.
package struct MicrolifeDriver: DeviceDriver {
  private static let timeout = Duration.seconds(5)
  private static let pieceCount = 20

  private enum State {
    /// Reading facts, subscribing. Next: settingTime.
    case preparing
    /// Waits until the clock is set; some models say nothing. Next: reading, over.
    case settingTime(until: Duration)
    /// Waits for the memory. Next: over.
    case reading(until: Duration)
    /// Next: none.
    case over
  }

  private let purpose: DriverContext.Purpose
  private var steps: DriverSteps
  private var assembler = FrameAssembler<MicrolifeFrame>()
  private var state = State.preparing

  package init(_ context: DriverContext) {
    purpose = context.purpose
    steps = DriverSteps(.facts + [.subscribe(.microlifeReplies)], having: context)
  }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .settingTime(let instant), .reading(let instant): instant
    case .over: nil
    }
  }

  package var isComplete: Bool { false }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.over, _): return []
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (_, .value(.microlifeReplies, let bytes)): return received(bytes, at: time)
    case (_, .writeFailed(.microlifeCommands, let failure)):
      return fail(.communication, "The monitor refuses requests. \(failure.message)")
    case (.settingTime(let instant), .timeReached) where time.elapsed >= instant:
      return timeIsSet(at: time)
    case (.reading(let instant), .timeReached) where time.elapsed >= instant:
      return fail(
        .timeout, "The monitor does not send its memory. Switch Bluetooth on there again.")
    default: return []
    }
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    guard steps.isDone else { return actions }
    guard let now = time.local else { return actions + timeIsSet(at: time) }
    state = .settingTime(until: time.elapsed + Self.timeout)
    return actions + write(.setTime(now))
  }

  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    // A memory comes in many pieces: wait as long as they keep coming.
    if case .reading = state { state = .reading(until: time.elapsed + Self.timeout) }
    return assembler.received(bytes).flatMap { replied($0, at: time) }
  }

  private mutating func replied(_ frame: MicrolifeFrame, at time: DriverTime) -> [DriverAction] {
    switch state {
    case .settingTime where frame.content == MicrolifeFrame.done: return timeIsSet(at: time)
    case .reading where frame.content != MicrolifeFrame.done:
      state = .over
      return readings(in: frame.content) + write(.disconnect) + [.finish]
    default: return []
    }
  }

  private mutating func timeIsSet(at time: DriverTime) -> [DriverAction] {
    guard purpose == .read else {
      state = .over
      return [.paired] + write(.disconnect) + [.finish]
    }
    state = .reading(until: time.elapsed + Self.timeout)
    return write(.readAll)
  }

  private func readings(in content: [UInt8]) -> [DriverAction] {
    do throws(PayloadError) {
      let memory = try MicrolifeMemory(payload: content)
      return memory.records.map { .deliver(DeviceReading($0)) }
        + memory.damagedSlots.map { .deliver(DeviceReading(damagedSlot: $0)) }
    } catch {
      return [.deliver(DeviceReading(error, payload: content))]
    }
  }

  private func write(_ frame: MicrolifeFrame) -> [DriverAction] {
    let bytes = frame.payload
    return stride(from: 0, to: bytes.count, by: Self.pieceCount).map {
      .write(
        .microlifeCommands, Array(bytes[$0..<min($0 + Self.pieceCount, bytes.count)]))
    }
  }

  private mutating func fail(_ kind: DriverFailure.Kind, _ message: String) -> [DriverAction] {
    state = .over
    return [.fail(DriverFailure(kind, message))]
  }
}

extension DeviceReading {
  fileprivate init(_ record: MicrolifeMemory.Record) {
    self.init(
      systolic: record.systolic, diastolic: record.diastolic, pulseRate: record.pulseRate,
      clock: .local(record.time), payload: record.slot)
  }

  fileprivate init(damagedSlot bytes: [UInt8]) {
    self.init(
      rejected: .malformed, "A stored measurement has no possible time. Set the monitor's clock.",
      payload: bytes)
  }
}
