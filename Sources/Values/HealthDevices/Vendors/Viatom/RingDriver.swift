// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Reads an oximeter ring: its recordings first, then the values of the moment, if it is worn.
///
/// Requests go out one at a time. Values of the moment come last, because a newer ring gives no
/// recordings once it was asked for them.
package struct RingDriver<Dialect: RingDialect>: DeviceDriver {
  private enum State: Hashable {
    /// Reading facts and subscribing. Next: asking, over.
    case preparing
    /// A request was written. Next: asking, resting, over.
    case asking(RingRequest, until: Duration)
    /// Between two requests for the values of the moment. Next: asking, over.
    case resting(until: Duration)
    /// Next: none.
    case over
  }

  /// A recording on its way.
  private struct Transfer: Hashable {
    let name: String
    var count = 0
    var blocks = 0
    var bytes: [UInt8] = []
    /// The request that was not answered.
    var unanswered: RingRequest?
  }

  private let dialect: Dialect
  private let context: DriverContext
  private var steps: DriverSteps
  private var state = State.preparing
  private var assembler = FrameAssembler<Dialect.Frame>()
  private var plan: [RingRequest]
  private var liveRequests: [RingRequest]
  private var memory: RingMemory?
  private var transfer: Transfer?
  private var oximetry = LiveOximetry()
  private var writesLeft = 0
  private var hasOpened = false
  private var hasDelivered = false
  /// A recording was left out: what comes after it is no checkpoint, or it would never be read.
  private var hasGap = false
  private var isReadyTold = false

  /// Prepares a driver.
  package init(_ dialect: Dialect, _ context: DriverContext) {
    self.dialect = dialect
    self.context = context
    steps = DriverSteps(.facts + [.subscribe(dialect.answers)], having: context)
    plan = dialect.opening
    liveRequests = dialect.live
  }

  package var isComplete: Bool { state == .over }

  package var deadline: Duration? {
    switch state {
    case .preparing: steps.deadline
    case .asking(_, let until), .resting(let until): until
    case .over: nil
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    switch (state, event) {
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (.over, _): return []
    case (_, .value(dialect.answers, let bytes)): return received(bytes, at: time)
    case (.asking(let request, _), .written(dialect.requests)): return written(request, at: time)
    case (.asking, .writeFailed(dialect.requests, let failure)):
      let reason = failure.message.isEmpty ? "" : " \(failure.message)"
      return fail(
        .communication, "The ring did not take a request.\(reason) Connect to it again.")
    case (_, .timeReached): return timeReached(at: time)
    default: return []
    }
  }

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    steps.isDone ? actions + next(at: time) : actions
  }
}

// MARK: - Requests

extension RingDriver {
  /// The next request, or the end.
  private mutating func next(at time: DriverTime) -> [DriverAction] {
    if !plan.isEmpty { return ask(plan.removeFirst(), at: time) }
    guard context.purpose == .read else { return end([.paired, .finish]) }
    if let name = memory?.popFirst() {
      transfer = Transfer(name: name)
      return ask(.open(name), at: time)
    }
    guard let live = liveRequests.first else { return end([.finish]) }
    return ask(live, at: time)
  }

  private mutating func ask(_ request: RingRequest, at time: DriverTime) -> [DriverAction] {
    state = .asking(request, until: time.elapsed + .seconds(5))
    assembler = FrameAssembler()
    let bytes = dialect.bytes(of: request, at: time)
    let length = dialect.writeLength ?? bytes.count
    let pieces = stride(from: 0, to: bytes.count, by: max(length, 1)).map {
      Array(bytes[$0..<min($0 + length, bytes.count)])
    }
    writesLeft = pieces.count
    return pieces.map { .writeWithoutResponse(dialect.requests, $0) }
  }

  private mutating func written(_ request: RingRequest, at time: DriverTime) -> [DriverAction] {
    writesLeft -= 1
    return request == .authenticate && writesLeft == 0 ? next(at: time) : []
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    guard let deadline, time.elapsed >= deadline else { return [] }
    switch state {
    case .resting: return liveRequests.first.map { ask($0, at: time) } ?? []
    case .asking(let request, _): return missed(request, at: time)
    case .preparing: return prepared(steps.handle(.timeReached, at: time), at: time)
    case .over: return []
    }
  }

  /// A request was refused, or not answered.
  private mutating func missed(
    _ request: RingRequest, isRefused: Bool = false, at time: DriverTime
  ) -> [DriverAction] {
    switch request {
    case .authenticate, .setUp, .settings, .setClock: return next(at: time)
    case .close:
      // Silence to this, too: the ring does not answer at all.
      if let earlier = transfer?.unanswered, !isRefused { return silent(earlier) }
      return closed(at: time)
    case .live where liveRequests.count > 1, .liveAsBefore where liveRequests.count > 1:
      liveRequests.removeFirst()
      return next(at: time)
    case .read where isRefused: return ask(.close, at: time)
    case .open where isRefused:
      guard let name = transfer?.name else { return next(at: time) }
      transfer = nil
      return leaveOut(name, Self.missing(name, "refuses to send"), at: time)
    case .open where goesOnWithoutOpening, .read where dialect.namesRequests:
      transfer?.unanswered = request
      return ask(.close, at: time)
    default:
      return isRefused
        ? fail(.communication, "The ring refuses to send \(request.subject).") : silent(request)
    }
  }

  /// Where no recording could be opened, something else is wrong than with this one.
  private var goesOnWithoutOpening: Bool {
    dialect.namesRequests && (hasOpened || memory?.names.isEmpty == false)
  }

  private mutating func silent(_ request: RingRequest) -> [DriverAction] {
    fail(.timeout, "The ring did not send \(request.subject) in time. \(request.advice)")
  }
}

// MARK: - Answers

extension RingDriver {
  private mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    for frame in assembler.received(bytes) {
      guard case .asking(let request, _) = state,
        let answer = dialect.answer(frame, to: request)
      else { continue }
      // One request has one answer; with the next request the assembler begins anew.
      return answered(request, answer, at: time)
    }
    return []
  }

  private mutating func answered(
    _ request: RingRequest, _ answer: RingAnswer, at time: DriverTime
  ) -> [DriverAction] {
    switch answer {
    case .refused: return missed(request, isRefused: true, at: time)
    case .done: return request == .close ? closed(at: time) : next(at: time)
    case .information(let information): return informed(information, at: time)
    case .names(let names):
      memory = RingMemory(
        names, after: context.checkpoint(RingMemory.checkpoint), key: context.checkpointKey)
      return next(at: time)
    case .opened(let count): return opened(count, at: time)
    case .bytes(let bytes): return readOn(bytes, at: time)
    case .moment(let moment): return live(moment, at: time)
    }
  }

  private mutating func informed(
    _ information: RingInformation, at time: DriverTime
  ) -> [DriverAction] {
    var facts = information.facts
    if let shown = information.clock?.secondsSince1970 {
      facts.append(
        .clockDrift(seconds: (Double(shown) - time.localSecondsSince1970).rounded()))
    }
    if let names = information.names {
      memory = RingMemory(
        names, after: context.checkpoint(RingMemory.checkpoint), key: context.checkpointKey)
    }
    return facts.map { .fact($0) } + next(at: time)
  }
}

// MARK: - Recordings

extension RingDriver {
  /// No ring records so much; a larger number cannot be a size.
  private static var largestRecording: Int { 1 << 22 }

  private mutating func opened(_ count: Int, at time: DriverTime) -> [DriverAction] {
    hasOpened = true
    transfer?.count = count
    guard (1...Self.largestRecording).contains(count) else { return ask(.close, at: time) }
    return ask(.read(block: 0, offset: 0), at: time)
  }

  private mutating func readOn(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard var running = transfer else { return next(at: time) }
    running.bytes += bytes.prefix(running.count - running.bytes.count)
    running.blocks += 1
    transfer = running
    guard !bytes.isEmpty, running.bytes.count < running.count else {
      return ask(.close, at: time)
    }
    return ask(.read(block: running.blocks, offset: running.bytes.count), at: time)
  }

  /// A recording was closed: it is delivered, and not asked for again once it is safe.
  private mutating func closed(at time: DriverTime) -> [DriverAction] {
    guard let done = transfer else { return next(at: time) }
    transfer = nil
    guard done.unanswered == nil, done.bytes.count == done.count else {
      return leaveOut(done.name, Self.missing(done.name, "sent only a part of"), at: time)
    }
    // A ring may still write the newest recording.
    let isNewest = memory?.names.isEmpty ?? true
    guard done.count > 0 else {
      return isNewest ? next(at: time) : deliver(Self.unusable(done.name), done.name, at: time)
    }
    switch dialect.recording(done.name, done.bytes) {
    case .reading(let reading) where reading.rejection?.reason != .malformed:
      return deliver(reading, done.name, at: time)
    case .reading(let reading) where isNewest:
      hasDelivered = true
      return [.deliver(reading)] + next(at: time)
    case .reading(let reading): return leaveOut(done.name, reading, at: time)
    case .unfinished where isNewest: return next(at: time)
    case .unfinished: return leaveOut(done.name, Self.unusable(done.name), at: time)
    }
  }

  /// The recordings after it are read all the same.
  ///
  /// The next time it is asked for once more.
  private mutating func leaveOut(
    _ name: String, _ reading: DeviceReading, at time: DriverTime
  ) -> [DriverAction] {
    hasDelivered = true
    let mark = RingMemory.checkpoint(
      of: name, RingMemory.leftOut, at: time.local, key: context.checkpointKey)
    let earlier = context.checkpoint(RingMemory.leftOut)?.sequenceNumber ?? 0
    let isRepeated = mark.map { $0.sequenceNumber <= earlier } ?? true
    if !isRepeated { hasGap = true }
    let advance = isRepeated ? nil : mark.map { [DriverAction.advance($0)] }
    return [.deliver(reading)] + (advance ?? []) + next(at: time)
  }

  private mutating func deliver(
    _ reading: DeviceReading, _ name: String, at time: DriverTime
  ) -> [DriverAction] {
    hasDelivered = true
    let checkpoint = RingMemory.checkpoint(of: name, at: time.local, key: context.checkpointKey)
    let advance = hasGap ? nil : checkpoint.map { [DriverAction.advance($0)] }
    return [.deliver(reading)] + (advance ?? []) + next(at: time)
  }

  private static func missing(_ name: String, _ what: String) -> DeviceReading {
    DeviceReading(
      rejected: .malformed, "The ring \(what) its recording \(name). Read it again.",
      payload: Array(name.utf8))
  }

  /// It must not keep the recordings after it from being read.
  private static func unusable(_ name: String) -> DeviceReading {
    DeviceReading(
      rejected: .malformed,
      "The ring's recording \(name) is empty or was never finished.",
      payload: Array(name.utf8))
  }
}

// MARK: - Values of the moment

extension RingDriver {
  private mutating func live(_ moment: OximetryMoment, at time: DriverTime) -> [DriverAction] {
    var actions = oximetry.news(in: moment)
    if let reading = oximetry.reading(moment, at: time.elapsed) {
      return actions + end([.deliver(reading), .finish])
    }
    if let limit = oximetry.limit, time.elapsed >= limit {
      return actions + end([.deliver(LiveOximetry.unsteady), .finish])
    }
    // A ring that lies beside the phone has sent its recordings and has nothing else to send.
    if !moment.isOnFinger, oximetry.limit == nil {
      if hasDelivered { return actions + end([.finish]) }
      if !isReadyTold { actions.append(.ready) }
      isReadyTold = true
    }
    state = .resting(until: time.elapsed + .seconds(1))
    return actions
  }

  private mutating func end(_ actions: [DriverAction]) -> [DriverAction] {
    state = .over
    return actions
  }

  private mutating func fail(_ kind: DriverFailure.Kind, _ message: String) -> [DriverAction] {
    end([.fail(DriverFailure(kind, message))])
  }
}

extension RingRequest {
  /// What was asked for, within a sentence.
  fileprivate var subject: String {
    switch self {
    case .authenticate, .setUp, .settings: "that it is ready"
    case .information: "its serial number"
    case .setClock: "that its clock is set"
    case .list: "the list of its recordings"
    case .open: "a recording"
    case .read, .close: "the rest of a recording"
    case .live, .liveAsBefore: "the values of the moment"
    }
  }

  /// What to do about it.
  fileprivate var advice: String {
    switch self {
    case .open:
      "If this happens each time, the link's packets are too small: its MTU must be 247 or more."
    default: "Keep the ring near and read it again."
    }
  }
}
