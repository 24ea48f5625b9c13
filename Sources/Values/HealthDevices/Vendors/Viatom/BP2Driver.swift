// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DriverModel {
  /// Viatom's and Wellue's BP2 family.
  package static let viatomBP2 = DriverModel(
    id: "viatom-bp2", name: "Viatom BP2", required: [.bp2Requests, .bp2Answers],
    confidence: .agreed, sources: ["chalimov/viatom_bp2_ha"],
    // An account of the manufacturer's app, which the monitor does not show.
    userNumbering: .notPublic
  ) { BP2Driver($0) }
}

extension GATTAttribute {
  package static let bp2Requests = GATTAttribute(
    "14839AC4-7D7E-415C-9A42-167340CF2339", "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3")
  package static let bp2Answers = GATTAttribute(
    "14839AC4-7D7E-415C-9A42-167340CF2339", "0734594A-A8E7-4B1A-A6B1-CD5243059A57")
}

/// Drives a BP2: sets its clock, reads the file of its measurements, and waits for one when there
/// is no recent one.
///
/// The file is always sent whole; it is not numbered, and a clock that was reset makes times go
/// back.
package struct BP2Driver: DeviceDriver {
  private static let timeout = Duration.seconds(4)
  private static let attempts = 3
  private static let pollInterval = Duration.seconds(5)
  private static let idleTime = Duration.seconds(120)
  /// A measurement of the last ten minutes is the one that the user wants to see.
  private static let recentSeconds = 600.0
  private static let largestFile = 1 << 20

  private enum State {
    /// Reading facts, subscribing. Next: asking, over.
    case preparing
    /// Waits for an answer. Next: asking, resting, over.
    case asking(BP2Request, until: Duration)
    /// Asks for the state at this instant. Next: asking, over.
    case resting(until: Duration)
    /// Next: none.
    case over
  }

  private let purpose: DriverContext.Purpose
  private var steps: DriverSteps
  private var assembler = FrameAssembler<LepuFrame>()
  private var state = State.preparing
  private var attemptsLeft = attempts
  /// The number of the request under way.
  package private(set) var sequence: UInt8 = 0
  /// Whether the monitor's answers have the number of the request, as those of its kin do.
  private var repeatsNumbers = true
  private var file: [UInt8] = []
  private var fileSize = 0
  private var delivered: Set<BP2File.Record> = []
  private var drift = 0.0
  private var hasMeasured = false
  /// Whether the file was read.
  private var hasRead = false
  private var isReady = false
  private var idleUntil: Duration?

  package init(_ context: DriverContext) {
    purpose = context.purpose
    steps = DriverSteps(.facts + [.subscribe(.bp2Answers)], having: context)
  }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .asking(_, let instant), .resting(let instant): instant
    case .over: nil
    }
  }

  package var isComplete: Bool {
    switch state {
    case .resting, .asking(.state, _): isReady
    case .preparing, .asking, .over: false
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.over, _): return []
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (_, .value(.bp2Answers, let bytes)):
      return assembler.received(bytes).flatMap { received($0, at: time) }
    case (.asking(let request, _), .writeFailed(.bp2Requests, let failure)):
      state = .over
      let name = String(request.command, radix: 16, uppercase: true)
      return fail(.communication, "The monitor refuses request \(name). \(failure.message)")
    case (.asking(let request, let instant), .timeReached) where time.elapsed >= instant:
      return timedOut(request, at: time)
    case (.resting(let instant), .timeReached) where time.elapsed >= instant:
      return ask(.state, at: time)
    default: return []
    }
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    steps.isDone ? actions + ask(.information, at: time) : actions
  }

  // MARK: - Requests

  private mutating func ask(_ request: BP2Request, at time: DriverTime) -> [DriverAction] {
    attemptsLeft = Self.attempts
    return send(request, at: time)
  }

  private mutating func send(_ request: BP2Request, at time: DriverTime) -> [DriverAction] {
    state = .asking(request, until: time.elapsed + Self.timeout)
    // What is left of an answer that was cut would swallow the next one.
    assembler = FrameAssembler()
    sequence = sequence &+ 1
    let frame = try? LepuFrame(
      command: request.command, sequence: sequence, content: request.content)
    return [.write(.bp2Requests, frame?.payload ?? [])]
  }

  private mutating func timedOut(
    _ request: BP2Request, at time: DriverTime
  ) -> [DriverAction] {
    attemptsLeft -= 1
    switch request {
    // Not answered during a measurement: wait for its end.
    case .openFile: return rest(at: time)
    // The measurements are there already.
    case .closeFile: return filed(at: time)
    // A late answer could not be told from that to the next request.
    case .part where !repeatsNumbers:
      return fail(.timeout, "The monitor did not send all of its measurements. Read it again.")
    case _ where attemptsLeft > 0: return send(request, at: time)
    default:
      return fail(.timeout, "The monitor does not answer. Switch it on anew and try again.")
    }
  }

  private mutating func received(_ frame: LepuFrame, at time: DriverTime) -> [DriverAction] {
    guard case .asking(let request, _) = state, frame.command == request.command else { return [] }
    // An answer that comes late belongs to an earlier request. It shows all the same that answers
    // have numbers.
    if request == .information { repeatsNumbers = frame.sequence > 0 && frame.sequence <= sequence }
    guard !repeatsNumbers || frame.sequence == sequence else { return [] }
    switch request {
    case .openFile where !frame.isAccepted, .part where !frame.isAccepted: return refused()
    case .information: return informed(frame.content, at: time)
    case .setTime: return ask(.battery, at: time)
    case .battery: return batteryKnown(frame.content, at: time)
    case .openFile: return opened(frame.content, at: time)
    case .part: return partCame(frame.content, at: time)
    case .closeFile: return filed(at: time)
    case .state: return stateKnown(frame.content, at: time)
    }
  }

  // MARK: - Answers

  private mutating func informed(_ content: [UInt8], at time: DriverTime) -> [DriverAction] {
    var facts: [DriverAction] = []
    if let information = try? BP2Information(payload: content) {
      if let serialNumber = information.serialNumber {
        facts.append(.fact(.serialNumber(serialNumber)))
      }
      if let shown = information.time?.secondsSince1970 {
        drift = (Double(shown) - time.localSecondsSince1970).rounded()
        facts.append(.fact(.clockDrift(seconds: drift)))
      } else {
        facts.append(.fact(.clockNotSet))
      }
    }
    return facts + (time.local.map { ask(.setTime($0), at: time) } ?? ask(.battery, at: time))
  }

  private mutating func batteryKnown(_ content: [UInt8], at time: DriverTime) -> [DriverAction] {
    var facts: [DriverAction] = []
    if content.count >= 4 {
      let millivolts = Int(content[2]) | Int(content[3]) << 8
      let percent = min(max((millivolts - 3000) * 100 / 1200, 0), 100)
      facts = [.fact(.batteryPercent(percent))]
    }
    guard purpose == .read else {
      state = .over
      return facts + [.paired, .finish]
    }
    return facts + ask(.openFile, at: time)
  }

  private mutating func opened(_ content: [UInt8], at time: DriverTime) -> [DriverAction] {
    var reader = PayloadReader(content)
    fileSize = (try? reader.uint32(field: "Size")).map { Int($0) } ?? 0
    file = []
    guard fileSize <= Self.largestFile else {
      return fail(.communication, "The monitor's memory cannot be as large as it says. Try again.")
    }
    return fileSize == 0 ? ask(.closeFile, at: time) : ask(.part(offset: 0), at: time)
  }

  /// A monitor gives its file once in a connection; a second request for it is refused.
  private mutating func refused() -> [DriverAction] {
    deliver()
      + fail(
        .communication,
        "The monitor refuses to send its measurements. Connect to it again to read them.")
  }

  private mutating func partCame(_ content: [UInt8], at time: DriverTime) -> [DriverAction] {
    file += content
    guard !content.isEmpty, file.count < fileSize else { return ask(.closeFile, at: time) }
    return ask(.part(offset: UInt32(clamping: file.count)), at: time)
  }

  private mutating func stateKnown(_ content: [UInt8], at time: DriverTime) -> [DriverAction] {
    switch BP2State(payload: content) {
    case .result: hasMeasured = true
    case .idle where hasMeasured || !hasRead: break
    case .measuring:
      hasMeasured = true
      idleUntil = time.elapsed + Self.idleTime
      return rest(at: time)
    default: return rest(at: time)
    }
    return ask(.openFile, at: time)
  }

  private mutating func rest(at time: DriverTime) -> [DriverAction] {
    let end = idleUntil ?? time.elapsed + Self.idleTime
    idleUntil = end
    guard time.elapsed < end else {
      return hasRead ? finish() : fail(.timeout, "The monitor did not send its measurements.")
    }
    state = .resting(until: time.elapsed + Self.pollInterval)
    defer { isReady = true }
    return isReady ? [] : [.ready]
  }

  // MARK: - Measurements

  private mutating func filed(at time: DriverTime) -> [DriverAction] {
    hasRead = true
    let actions = deliver()
    let now = time.localSecondsSince1970
    let isRecent = delivered.contains { record in
      [now, now + drift].contains { abs(Double(record.seconds) - $0) < Self.recentSeconds }
    }
    return actions + (hasMeasured || isRecent ? finish() : rest(at: time))
  }

  private mutating func deliver() -> [DriverAction] {
    defer { file = [] }
    guard !file.isEmpty else { return [] }
    do throws(PayloadError) {
      let stored = try BP2File(payload: file)
      let new = stored.records.filter { !delivered.contains($0) }.sorted { $0.seconds < $1.seconds }
      delivered.formUnion(new)
      let cut = stored.trailingBytes
      return new.map { .deliver(DeviceReading($0)) }
        + (cut.isEmpty ? [] : [.deliver(DeviceReading(cutRecord: cut))])
    } catch {
      return [.deliver(DeviceReading(error, payload: file))]
    }
  }

  private mutating func finish() -> [DriverAction] {
    state = .over
    return [.finish]
  }

  private mutating func fail(_ kind: DriverFailure.Kind, _ message: String) -> [DriverAction] {
    state = .over
    return [.fail(DriverFailure(kind, message))]
  }
}

extension LepuFrame {
  /// A refusal has another byte in the place of the direction, and no content.
  fileprivate var isAccepted: Bool { direction == 1 }
}

extension DeviceReading {
  /// A measurement in the file of a BP2.
  fileprivate init(_ record: BP2File.Record) {
    self.init(
      systolic: record.systolic, diastolic: record.diastolic, mean: record.meanArterialPressure,
      pulseRate: record.pulseRate, clock: .local(record.time), payload: record.bytes)
    userSlot = record.user == 0 ? nil : Int(record.user)
    if record.hasIrregularPulse { findings.append(.init("irregular_pulse")) }
  }

  fileprivate init(cutRecord bytes: [UInt8]) {
    self.init(
      rejected: .malformed, "The last measurement of the memory is cut. Read the monitor again.",
      payload: bytes)
  }
}
