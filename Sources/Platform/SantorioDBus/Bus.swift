// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Dispatch
import Glibc

/// A connection of sd-bus and everything that depends on it.
///
/// Its sources hold it until it is closed, so it is always closed on its queue.
@safe final class Bus: @unchecked Sendable {
  // Everything but `queue` is touched on `queue` only.
  let queue: DispatchQueue
  let handle: OpaquePointer
  private(set) var isClosed = false
  private let closed: @Sendable () -> Void
  private static let current = DispatchSpecificKey<ObjectIdentifier>()
  private var watch: BusWatch?
  private var isDraining = false
  private var calls: [UInt64: PendingCall] = [:]
  private var callCount: UInt64 = 0
  private var matches: [ObjectIdentifier: Match] = [:]
  var published: PublishedObjects?
  /// For how long messages that arrive may be left unread, unless an answer is awaited.
  var patience: @Sendable () -> Duration = { .zero }

  init(
    _ address: DBusAddress, queue: DispatchQueue, closed: @escaping @Sendable () -> Void
  ) throws(DBusError) {
    self.queue = queue
    self.closed = closed
    unsafe handle = try Self.connect(address)
  }

  deinit { unsafe sd_bus_unref(handle) }

  private static func connect(_ address: DBusAddress) throws(DBusError) -> OpaquePointer {
    var bus: OpaquePointer?
    switch address {
    case .system:
      try DBusError.check(unsafe sd_bus_open_system(&bus))
    case .address(let address):
      try DBusError.check(unsafe sd_bus_new(&bus))
      let codes = unsafe [
        sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1), sd_bus_start(bus),
      ]
      if let code = codes.first(where: { $0 < 0 }) {
        unsafe sd_bus_close_unref(bus)
        throw DBusError(code: code)
      }
    }
    guard let made = unsafe bus else { throw DBusError(code: -ENOMEM) }
    unsafe sd_bus_set_exit_on_disconnect(made, 0)
    return unsafe made
  }

  /// Waits until the bus has accepted the connection, and returns the assigned name.
  func waitForName() throws(DBusError) -> String {
    let end = ContinuousClock.now + .seconds(10)
    while unsafe sd_bus_is_ready(handle) <= 0 {
      guard try DBusError.check(unsafe sd_bus_process(handle, nil)) == 0 else { continue }
      let left = (end - ContinuousClock.now).microseconds
      guard left > 1, try DBusError.check(unsafe sd_bus_wait(handle, left)) > 0 else {
        throw DBusError(code: -ETIMEDOUT)
      }
    }
    var name: UnsafePointer<CChar>?
    try DBusError.check(unsafe sd_bus_get_unique_name(handle, &name))
    return unsafe name.map { unsafe String(cString: $0) } ?? ""
  }

  /// Begins to follow the connection.
  func begin() throws(DBusError) {
    let descriptor = try DBusError.check(unsafe sd_bus_get_fd(handle))
    queue.setSpecific(key: Self.current, value: ObjectIdentifier(queue))
    watch = try BusWatch(descriptor, queue: queue) {
      self.read()
    } deadlinePassed: {
      self.watch?.timerFired()
      self.drain()
    }
    queue.async { self.drain() }
  }
}

extension Bus {
  /// A registration that ends immediately on the queue, and soon after from elsewhere.
  func registration(_ end: @escaping @Sendable (Bus) -> Void) -> DBusRegistration {
    DBusRegistration { [weak self, queue] in
      if DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(queue) {
        if let self { end(self) }
      } else {
        queue.async { [weak self] in
          if let self { end(self) }
        }
      }
    }
  }
}

// MARK: - Work

extension Bus {
  /// Handles messages that have arrived, now or with those that follow soon: where many programs talk,
  /// waking for each of them takes longer than handling it.
  private func read() {
    let pause = calls.isEmpty ? patience() : .zero
    guard pause > .zero, let watch else { return drain() }
    watch.pause()
    queue.asyncAfter(deadline: .now() + .microseconds(Int(clamping: pause.microseconds))) {
      [weak self] in
      self?.drain()
      self?.watch?.resume()
    }
  }

  /// Handles messages in portions, so that a flood leaves time for other work on the queue.
  private func drain() {
    guard !isClosed else { return }
    isDraining = true
    defer { isDraining = false }
    for _ in 0..<64 {
      let code = unsafe sd_bus_process(handle, nil)
      if isClosed { return }
      guard code >= 0, unsafe sd_bus_is_open(handle) > 0 else { return lose() }
      if code == 0 { return follow() }
    }
    queue.async { self.drain() }
  }

  /// Waits for the events that sd-bus needs now.
  private func follow() {
    guard !isClosed else { return }
    var deadline = UInt64.max
    unsafe sd_bus_get_timeout(handle, &deadline)
    let events = unsafe sd_bus_get_events(handle)
    watch?.follow(isWriting: events & POLLOUT != 0, deadline: deadline)
  }

  /// Sends a message that was built by `make`.
  @discardableResult
  func transmit(
    _ make: () throws(DBusError) -> Message
  ) -> DBusError? {
    guard !isClosed else { return .connectionEnded }
    do {
      let message = try make()
      try DBusError.check(unsafe sd_bus_send(handle, message.pointer, nil))
    } catch {
      return error
    }
    if !isDraining { follow() }
    return nil
  }

  func send(_ call: DBusCall) {
    transmit { () throws(DBusError) in
      let message = try unsafe Message.call(call, on: handle)
      unsafe sd_bus_message_set_expect_reply(message.pointer, 0)
      return message
    }
  }

  func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
    transmit { () throws(DBusError) in
      try unsafe Message.signal(path, interface, member, arguments, on: handle)
    }
  }
}

// MARK: - End

extension Bus {
  /// Ends the connection from this side.
  func close() {
    let calls = end()
    guard !calls.isEmpty else { return }
    queue.async { for call in calls { call.reply(.failure(.connectionEnded)) } }
  }

  /// The connection has ended from the other side.
  private func lose() {
    for call in end() { call.reply(.failure(.connectionEnded)) }
    closed()
  }

  /// Releases everything and returns the calls that were not answered, oldest first.
  private func end() -> [PendingCall] {
    guard !isClosed else { return [] }
    isClosed = true
    watch?.cancel()
    watch = nil
    unsafe sd_bus_close(handle)
    // Their handlers may hold registrations, whose ends call back here: release them last.
    let (matches, published) = (matches, published)
    (self.matches, self.published) = ([:], nil)
    defer { withExtendedLifetime((matches, published)) {} }
    for match in matches.values { match.drop() }
    let unanswered = calls.values.sorted { $0.number < $1.number }
    calls = [:]
    for call in unanswered { call.drop() }
    return unanswered
  }
}

// MARK: - Calls

extension Bus {
  typealias Reply = @Sendable (Result<[DBusValue], DBusError>) -> Void

  func call(_ call: DBusCall, timeout: Duration, reply: @escaping Reply) {
    do {
      callCount += 1
      let pending = PendingCall(self, callCount, reply)
      try start(call, timeout, pending)
      calls[pending.number] = pending
      watch?.resume()
      if !isDraining { follow() }
    } catch {
      queue.async { reply(.failure(error)) }
    }
  }

  private func start(
    _ call: DBusCall, _ timeout: Duration, _ pending: PendingCall
  ) throws(DBusError) {
    guard !isClosed else { throw .connectionEnded }
    let message = try unsafe Message.call(call, on: handle)
    let context = unsafe Unmanaged.passUnretained(pending).toOpaque()
    let code = unsafe sd_bus_call_async(
      handle, &pending.slot, message.pointer, callAnswered, context, timeout.microseconds)
    try DBusError.check(code)
  }

  fileprivate func finish(_ pending: PendingCall, _ answer: Result<[DBusValue], DBusError>) {
    guard calls.removeValue(forKey: pending.number) != nil else { return }
    pending.drop()
    pending.reply(answer)
  }
}

/// A call on its way; held by its bus for as long as sd-bus has a slot for it.
@safe private final class PendingCall: @unchecked Sendable {
  // Touched on the queue of the bus only.
  weak var bus: Bus?
  let number: UInt64
  let reply: Bus.Reply
  var slot: OpaquePointer?

  init(_ bus: Bus, _ number: UInt64, _ reply: @escaping Bus.Reply) {
    self.bus = bus
    self.number = number
    self.reply = reply
  }

  func drop() { unsafe slot = unsafe sd_bus_slot_unref(slot) }
}

private let callAnswered: sd_bus_message_handler_t = { message, context, _ in
  guard let message = unsafe message, let context = unsafe context else { return 1 }
  let pending = unsafe Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
  unsafe pending.bus?.finish(pending, MessageReader(message: message).answer)
  return 1
}

// MARK: - Matches

extension Bus {
  func match(
    _ rule: MatchRule, _ handler: @escaping @Sendable (DBusSignal) -> Void
  ) -> DBusRegistration {
    let match = Match(handler)
    if !isClosed, let rule = rule.text {
      let context = unsafe Unmanaged.passUnretained(match).toOpaque()
      unsafe sd_bus_add_match_async(
        handle, &match.slot, rule, signalReceived, matchInstalled, context)
      matches[ObjectIdentifier(match)] = match
      if !isDraining { follow() }
    }
    // Not the match itself: its handler may hold this registration.
    return registration { [weak match] bus in
      if let match { bus.remove(match) }
    }
  }

  private func remove(_ match: Match) {
    guard matches.removeValue(forKey: ObjectIdentifier(match)) != nil else { return }
    match.drop()
    if !isDraining { follow() }
  }
}

/// A subscription; held by its bus for as long as sd-bus has a slot for it.
@safe private final class Match: Sendable {
  let handler: @Sendable (DBusSignal) -> Void
  // Touched on the queue of the bus only.
  nonisolated(unsafe) var slot: OpaquePointer?

  init(_ handler: @escaping @Sendable (DBusSignal) -> Void) { self.handler = handler }

  func drop() { unsafe slot = unsafe sd_bus_slot_unref(slot) }
}

// Returns 0 in any case, so that other matches get the signal as well.
private let signalReceived: sd_bus_message_handler_t = { message, context, _ in
  guard let message = unsafe message, let context = unsafe context else { return 0 }
  let match = unsafe Unmanaged<Match>.fromOpaque(context).takeUnretainedValue()
  if let signal = unsafe MessageReader(message: message).signal { match.handler(signal) }
  return 0
}

// Without one, sd-bus ends the connection where the bus refuses a match.
private let matchInstalled: sd_bus_message_handler_t = { _, _, _ in 0 }
