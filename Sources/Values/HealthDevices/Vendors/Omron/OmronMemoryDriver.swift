// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Drives an Omron device whose measurements are read from its memory.
///
/// All of the memory is read each time: it is small, and where it begins is kept in a part that
/// would have to be written. Nothing is ever written but the key of the pairing, in a
/// characteristic of its own; the device's clock is set by its buttons.
package struct OmronMemoryDriver: DeviceDriver {
  private static let timeout = Duration.seconds(3)
  private static let attempts = 4

  private enum State {
    /// Reading facts, subscribing. Next: unlocking, opening, over.
    case preparing
    /// Waits for the answer to a key. Next: unlocking, opening, over.
    case unlocking(OmronUnlock.Request)
    /// Waits for the session to begin. Next: reading, closing, over.
    case opening
    /// Waits for a block. Next: reading, closing, over.
    case reading(OmronMemoryMap.Block)
    /// Waits for the session to end. Next: over.
    case closing
    /// Next: none.
    case over
  }

  private let context: DriverContext
  private let access: OmronAccess
  private var steps: DriverSteps
  private var channels: OmronChannels
  private var map: OmronMemoryMap?
  private var model = ""
  private var blocks: ArraySlice<OmronMemoryMap.Block> = []
  private var state = State.preparing
  private var attemptsLeft = attempts
  /// The answer that refused a user's first block; the second one shows what that means.
  private var refusedFirst: OmronFrame?
  private var answerDeadline: Duration?
  /// Takes over where the memory of the model is not known and the device has the profile.
  private var profile: OmronProfileDriver?

  package init(_ context: DriverContext, access: OmronAccess) {
    self.context = context
    self.access = access
    channels = OmronChannels(channelCount: access.answers.count)
    let unlock = access.unlock.map { [DriverSteps.Step.subscribe($0)] } ?? []
    steps = DriverSteps(
      .facts + access.answers.map { .subscribe($0) } + unlock, having: context)
  }

  package var deadline: Duration? {
    if let profile { return profile.deadline }
    return if case .preparing = state { steps.deadline } else { answerDeadline }
  }

  package var isComplete: Bool {
    if let profile { return profile.isComplete }
    return switch state {
    case .closing, .over: true
    default: false
    }
  }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    if profile != nil { return profile?.handle(event, at: time) ?? [] }
    switch (state, event) {
    case (.over, _): return []
    case (.preparing, .begun): return prepared(steps.begin(at: time), at: time)
    case (.preparing, _): return prepared(steps.handle(event, at: time), at: time)
    case (.unlocking(let request), .value(let attribute, let bytes))
    where attribute == access.unlock:
      return answered(request, bytes, at: time)
    case (_, .value(let attribute, let bytes)):
      guard let channel = access.answers.firstIndex(of: attribute),
        let frame = channels.received(bytes, channel: channel).flatMap({
          try? OmronFrame(payload: $0)
        })
      else { return [] }
      return received(frame, at: time)
    case (_, .writeFailed(_, let failure)):
      return fail(.notPaired, "The device refuses requests: pair it anew. \(failure.message)")
    case (_, .timeReached): return timeReached(at: time)
    default: return []
    }
  }

  // MARK: - Opening

  private mutating func prepared(
    _ actions: [DriverAction], at time: DriverTime
  ) -> [DriverAction] {
    for case .fact(.model(let text)) in actions {
      model = text
      map = OmronMemoryMap.map(of: text)
    }
    guard steps.isDone else { return actions }
    guard let map else { return actions + unknownModel(at: time) }
    blocks = context.purpose == .read ? map.blocks[...] : []
    return actions + unlock(at: time)
  }

  private mutating func unknownModel(at time: DriverTime) -> [DriverAction] {
    guard context.has(.bloodPressureMeasurement) else {
      return fail(
        .communication,
        "Where this model (\"\(model)\") keeps its measurements is not known. It cannot be read.")
    }
    profile = OmronProfileDriver(context)
    return profile?.handle(.begun, at: time) ?? []
  }

  private mutating func unlock(at time: DriverTime) -> [DriverAction] {
    guard let unlock = access.unlock, context.has(unlock) else { return paired() + open(at: time) }
    let request: OmronUnlock.Request =
      switch (access.usesKey, context.purpose) {
      case (false, _): .token(Self.token(at: time))
      case (true, .pair): .takeKey
      case (true, .read): .open(key)
      }
    return ask(request, at: time)
  }

  private var key: [UInt8] {
    context.secrets[.password].flatMap { $0.count == OmronUnlock.keyCount ? $0 : nil }
      ?? OmronUnlock.usualKey
  }

  /// Any four bytes will do.
  private static func token(at time: DriverTime) -> [UInt8] {
    let seconds = UInt32(truncatingIfNeeded: Int(time.secondsSince1970))
    return (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) }
  }

  private mutating func ask(
    _ request: OmronUnlock.Request, at time: DriverTime
  ) -> [DriverAction] {
    guard let unlock = access.unlock else { return [] }
    state = .unlocking(request)
    answerDeadline = time.elapsed + Self.timeout
    return [.write(unlock, request.payload)]
  }

  private mutating func answered(
    _ request: OmronUnlock.Request, _ bytes: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    guard bytes.starts(with: request.agreement) else { return refused(request) }
    switch request {
    case .takeKey: return ask(.key(key), at: time)
    case .key(let key): return [.keep(.password, key)] + paired() + open(at: time)
    case .open, .token: return paired() + open(at: time)
    }
  }

  private func paired() -> [DriverAction] { context.purpose == .pair ? [.paired] : [] }

  private mutating func refused(_ request: OmronUnlock.Request) -> [DriverAction] {
    switch request {
    case .takeKey, .key:
      fail(
        .notPaired,
        "The device is not in its pairing mode. Hold its Bluetooth button until \"P\" blinks.")
    case .open:
      fail(.notAuthorized, "The device does not accept its key: pair it anew.")
    case .token: fail(.notPaired, "The device does not open its memory: pair it anew.")
    }
  }

  private mutating func open(at time: DriverTime) -> [DriverAction] {
    attemptsLeft = Self.attempts
    state = .opening
    return request(.start, at: time)
  }

  // MARK: - Reading

  private mutating func received(_ frame: OmronFrame, at time: DriverTime) -> [DriverAction] {
    switch (state, frame.kind) {
    case (.opening, .started): return readNext(at: time)
    case (.reading(let block), .memory) where frame.address == block.address:
      guard frame.data.count >= Int(block.count) else { return refused(block, frame, at: time) }
      return taken(frame, of: block) + readNext(at: time)
    case (.closing, .ended):
      state = .over
      return [.finish]
    case (.opening, .ended), (.reading, .ended):
      return fail(.communication, "The device has ended the transfer. Try again.")
    default: return []
    }
  }

  /// A block that the device does not send, or only in part, is asked for again, and then left out:
  /// the others are not lost for it.
  ///
  /// A device refuses to read the memory of a user that was not set up: of one whose first two
  /// blocks are refused nothing more is asked for.
  private mutating func refused(
    _ block: OmronMemoryMap.Block, _ frame: OmronFrame, at time: DriverTime
  ) -> [DriverAction] {
    attemptsLeft -= 1
    guard attemptsLeft <= 0 else {
      return request(.read(block.count, at: block.address), at: time)
    }
    let all = map?.blocks ?? []
    let mayBeNobody = frame.data.isEmpty && all.contains { $0.user != block.user }
    if mayBeNobody, all.first(where: { $0.user == block.user }) == block {
      refusedFirst = frame
      return readNext(at: time)
    }
    if mayBeNobody, refusedFirst != nil {
      refusedFirst = nil
      blocks = blocks.drop { $0.user == block.user }
      let message =
        "The device refuses to send the memory of user \(block.user). If it has that user, "
        + "read it again."
      let reading = DeviceReading(rejected: .malformed, message, payload: frame.payload)
      return [.deliver(reading)] + readNext(at: time)
    }
    return taken(frame, of: block) + [.deliver(DeviceReading(unsent: frame))] + readNext(at: time)
  }

  /// The readings in a block, after the refusal of the one before it.
  private mutating func taken(
    _ frame: OmronFrame, of block: OmronMemoryMap.Block
  ) -> [DriverAction] {
    defer { refusedFirst = nil }
    let refused = refusedFirst.map { [DriverAction.deliver(DeviceReading(unsent: $0))] }
    return (refused ?? []) + readings(in: frame.data, of: block)
  }

  private mutating func readNext(at time: DriverTime) -> [DriverAction] {
    attemptsLeft = Self.attempts
    if let block = blocks.popFirst() {
      state = .reading(block)
      return request(.read(block.count, at: block.address), at: time)
    }
    state = .closing
    return request(.end, at: time)
  }

  private func readings(
    in data: [UInt8], of block: OmronMemoryMap.Block
  ) -> [DriverAction] {
    guard let layout = map?.layout else { return [] }
    return stride(from: 0, to: data.count, by: layout.byteCount).compactMap { start in
      let slot = Array(data[start..<min(start + layout.byteCount, data.count)])
      return DeviceReading(omronSlot: slot, layout: layout, user: block.user).map { .deliver($0) }
    }
  }

  private mutating func request(_ frame: OmronFrame, at time: DriverTime) -> [DriverAction] {
    answerDeadline = time.elapsed + Self.timeout
    let pieces = OmronChannels.pieces(of: frame.payload, channelCount: access.requests.count)
    return zip(access.requests, pieces).map { .write($0, $1) }
  }

  private mutating func timeReached(at time: DriverTime) -> [DriverAction] {
    guard let answerDeadline, time.elapsed >= answerDeadline else { return [] }
    attemptsLeft -= 1
    switch state {
    case .closing:
      // All measurements are there; the device may have disconnected already.
      state = .over
      return [.finish]
    case .opening where attemptsLeft > 0: return request(.start, at: time)
    case .reading(let block) where attemptsLeft > 0:
      return request(.read(block.count, at: block.address), at: time)
    case .unlocking(let asked) where attemptsLeft > 0: return ask(asked, at: time)
    default:
      return fail(.timeout, "The device does not answer. Press its Bluetooth button and try again.")
    }
  }

  private mutating func fail(_ kind: DriverFailure.Kind, _ message: String) -> [DriverAction] {
    state = .over
    return [.fail(DriverFailure(kind, message))]
  }
}

extension DeviceReading {
  /// A block of the memory that a device does not send.
  fileprivate init(unsent answer: OmronFrame) {
    self.init(
      rejected: .malformed, "The device refuses to send a part of its memory. Read it again.",
      payload: answer.payload)
  }
}
