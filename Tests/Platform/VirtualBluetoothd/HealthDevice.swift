// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import SantorioDBus
import VirtualDevices

/// A health device of its own: its logic and memory, its clock, its link, and its object on the bus.
///
/// bluetoothd confirms an indication before any program has it. It keeps a link whose program has
/// ended, but ends that program's subscriptions; the device ends a link that nobody uses.
final class HealthDevice: @unchecked Sendable {
  // Everything is used on the queue of the connection.
  private static let connecting = DispatchTimeInterval.milliseconds(60)
  private static let resolving = DispatchTimeInterval.milliseconds(120)
  private static let packet = DispatchTimeInterval.milliseconds(15)
  private static let patience = DispatchTimeInterval.seconds(5)
  private static let attempt = DispatchTimeInterval.seconds(40)

  private enum Link { case down, connecting, resolving, up }

  private let number: Int
  private let model: VirtualDeviceModel
  private let connection: DBusConnection
  private let report: @Sendable (VirtualDeviceEvent) -> Void
  private var logic: any VirtualDeviceLogic
  private lazy var object = makeObject()
  private lazy var attributes = DeviceAttributes(
    logic.services, below: object.path, device: self)
  private var publications: [DBusRegistration] = []
  private var link = Link.down { didSet { generation += 1 } }
  /// Counts the states of the link.
  ///
  /// What was to happen in an earlier one does not happen.
  private var generation = 0
  private var attempts: [DBusIncomingCall] = []
  private var subscribers: [GATTAttribute: Set<String>] = [:]
  private var outbox: [(attribute: GATTAttribute, bytes: [UInt8])] = []
  private var isSending = false
  private var requests = 0
  private var isBonded = false
  private var skew = 0.0
  private var deadline: DispatchWorkItem?
  private let start = ContinuousClock.now

  /// Whether it has its battery, and is in range.
  var isAwake = false {
    didSet {
      if !isAwake { loseLink() }
      advance()
    }
  }

  init(
    _ number: Int, _ model: VirtualDeviceModel, on connection: DBusConnection,
    report: @escaping @Sendable (VirtualDeviceEvent) -> Void
  ) {
    (self.number, self.model, self.connection, self.report) = (number, model, connection, report)
    logic = model.make(VirtualClock())
  }

  private func makeObject() -> DBusObject {
    BlueZObjects.device(
      [0xF8, 0xF1, 0xF2, 0xF3, UInt8(number >> 8), UInt8(number & 255)], model.advertisedName,
      ["UUIDs": .strings(model.advertisedServices.map(\.fullUUID))],
      [
        "Connect": { [weak self] in self?.connect($0) },
        "Disconnect": { [weak self] in self?.disconnect($0) },
      ])
  }

  var path: String { object.path }

  private var time: DriverTime {
    let date = Date().addingTimeInterval(skew)
    return DriverTime(
      elapsed: ContinuousClock.now - start, secondsSince1970: date.timeIntervalSince1970,
      utcOffsetSeconds: TimeZone.current.secondsFromGMT(for: date))
  }

  /// Does something later, unless the link has changed by then.
  private func after(
    _ time: DispatchTimeInterval, _ body: @escaping @Sendable (HealthDevice) -> Void
  ) {
    let generation = generation
    connection.queue.asyncAfter(deadline: .now() + time) { [weak self] in
      if let self, generation == self.generation { body(self) }
    }
  }

  // MARK: - Its user

  /// Measures; false where the device cannot measure such values.
  func measure(_ measurement: VirtualMeasurement) -> Bool {
    guard let outputs = logic.measure(measurement, at: time) else { return false }
    perform(outputs)
    return true
  }

  /// Its clock is set wrong, or its battery was changed.
  func jump(by seconds: Double) { skew += seconds }

  func enterPairingMode() { handle(.pairingMode) }

  // MARK: - Advertising

  private var isOnAir: Bool { isAwake && link == .down && logic.isAdvertising }

  /// bluetoothd receives an advertisement.
  func advertise(strength: Int16) {
    guard isOnAir else { return }
    object.set("RSSI", of: BlueZObjects.device, to: .int16(strength))
    publish()
  }

  func advertises(_ services: Set<String>) -> Bool {
    model.advertisedServices.contains { services.contains($0.fullUUID) }
  }

  func discoveryEnds() { object.remove("RSSI", of: BlueZObjects.device) }

  /// bluetoothd forgets a device that it has only heard.
  func forgetUnlessUsed() {
    if !isBonded, link == .down, attempts.isEmpty { publications = [] }
  }

  private func publish() {
    guard publications.isEmpty,
      let publication = try? connection.publish([object], root: "/")
    else { return }
    publications = [publication]
  }

  // MARK: - The link

  private func connect(_ call: DBusIncomingCall) {
    if link == .up { return call.reply() }
    guard attempts.isEmpty else { return call.fail(BlueZObjects.inProgress) }
    attempts = [call]
    connection.queue.asyncAfter(deadline: .now() + Self.attempt) { [weak self] in
      guard let self, link == .down, attempts.contains(where: { $0 === call }) else { return }
      failAttempts()
    }
    advance()
  }

  private func failAttempts() {
    for attempt in attempts { attempt.fail(BlueZObjects.failed) }
    attempts = []
  }

  private func disconnect(_ call: DBusIncomingCall) {
    failAttempts()
    end(allArrived: outbox.isEmpty)
    call.reply()
  }

  /// Goes on after a change: makes the link that is wanted, sends what is to be sent.
  private func advance() {
    arm()
    if isOnAir, !attempts.isEmpty {
      link = .connecting
      after(Self.connecting) { $0.comeUp() }
    }
    sendNext()
  }

  private func comeUp() {
    link = .resolving
    object.set("Connected", of: BlueZObjects.device, to: .boolean(true))
    after(Self.resolving) { $0.resolve() }
  }

  private func resolve() {
    if publications.count < 2,
      let publication = try? connection.publish(attributes.objects, root: "/")
    {
      publications.append(publication)
    }
    let all = Set(model.advertisedServices + logic.services.map(\.uuid)).map(\.fullUUID).sorted()
    object.set("UUIDs", of: BlueZObjects.device, to: .strings(all))
    object.set("ServicesResolved", of: BlueZObjects.device, to: .boolean(true))
    link = .up
    for attempt in attempts { attempt.reply() }
    attempts = []
    waitForUse()
  }

  /// Ends the link when nobody has asked for anything for some time.
  private func waitForUse() {
    let requests = requests
    after(Self.patience) { device in
      if device.requests == requests, device.subscribers.isEmpty {
        device.end(allArrived: true)
      } else {
        device.waitForUse()
      }
    }
  }

  /// The link breaks: what was sent last may not have arrived.
  func loseLink() { end(allArrived: false) }

  private func end(allArrived: Bool) {
    guard link != .down else { return }
    link = .down
    isSending = false
    outbox = []
    object.set("ServicesResolved", of: BlueZObjects.device, to: .boolean(false))
    object.set("Connected", of: BlueZObjects.device, to: .boolean(false))
    unsubscribe(allArrived: allArrived) { _ in true }
    failAttempts()
    advance()
  }

  /// Removes the bond and what bluetoothd knows of it.
  func remove() {
    loseLink()
    isBonded = false
    for property in ["Paired", "Bonded"] {
      object.set(property, of: BlueZObjects.device, to: .boolean(false))
    }
    publications = []
  }

  // MARK: - Requests

  func request(_ call: DBusIncomingCall, of attribute: GATTAttribute, isProtected: Bool) {
    guard link == .up else { return call.fail(BlueZObjects.notConnected) }
    requests += 1
    after(Self.packet) { device in
      if isProtected { device.bond() }
      switch call.member {
      case "ReadValue": device.read(attribute, call)
      case "WriteValue": device.write(attribute, call)
      case "StartNotify": device.subscribe(call.sender, to: attribute, call)
      default:
        device.unsubscribe(allArrived: device.outbox.isEmpty) {
          $0 == (attribute, call.sender)
        }
        call.reply()
      }
      device.advance()
    }
  }

  private func bond() {
    guard !isBonded else { return }
    isBonded = true
    for property in ["Paired", "Bonded"] {
      object.set(property, of: BlueZObjects.device, to: .boolean(true))
    }
  }

  private func read(_ attribute: GATTAttribute, _ call: DBusIncomingCall) {
    let offset = call.arguments.first?.properties?["offset"]?.int ?? 0
    let fixed = logic.services.lazy.flatMap { service in
      service.characteristics.filter { GATTAttribute(service.uuid, $0.uuid) == attribute }
    }.first?.value
    switch fixed.map(VirtualDeviceOutput.answer) ?? handle(.read(attribute)) {
    case .answer(let bytes)?: call.reply([.bytes(Data(bytes.dropFirst(offset)))])
    case let output: call.fail(BlueZObjects.refused(output))
    }
  }

  private func write(_ attribute: GATTAttribute, _ call: DBusIncomingCall) {
    let bytes = call.arguments.first?.data.map(Array.init) ?? []
    let output = handle(.written(attribute, bytes))
    if case .refuse? = output {
      call.fail(BlueZObjects.refused(output))
    } else {
      call.reply()
    }
  }

  // MARK: - Subscriptions

  private func subscribe(
    _ program: String, to attribute: GATTAttribute, _ call: DBusIncomingCall
  ) {
    let isFirst = subscribers[attribute] == nil
    subscribers[attribute, default: []].insert(program)
    call.reply()
    if isFirst { handle(.subscribed(attribute)) }
  }

  /// A program has ended.
  func programEnded(_ program: String) {
    unsubscribe(allArrived: outbox.isEmpty) { $0.program == program }
    advance()
  }

  private func unsubscribe(
    allArrived: Bool, _ isEnded: ((attribute: GATTAttribute, program: String)) -> Bool
  ) {
    guard !subscribers.isEmpty else { return }
    for (attribute, programs) in subscribers {
      let left = programs.filter { !isEnded((attribute, $0)) }
      guard left.isEmpty else {
        subscribers[attribute] = left
        continue
      }
      subscribers[attribute] = nil
      perform(logic.handle(.unsubscribed(attribute), at: time))
    }
    guard subscribers.isEmpty else { return }
    outbox = []
    perform(logic.handle(.disconnected(allArrived: allArrived), at: time))
  }

  // MARK: - The logic

  @discardableResult
  private func handle(_ input: VirtualDeviceInput) -> VirtualDeviceOutput? {
    let outputs = logic.handle(input, at: time)
    perform(outputs)
    return outputs.first { output in
      switch output {
      case .answer, .accept, .refuse: true
      case .send, .report: false
      }
    }
  }

  private func perform(_ outputs: [VirtualDeviceOutput]) {
    for output in outputs {
      switch output {
      case .send(let attribute, let bytes): outbox.append((attribute, bytes))
      case .report(let event): report(event)
      case .answer, .accept, .refuse: break
      }
    }
    advance()
  }

  private func sendNext() {
    outbox.removeAll { subscribers[$0.attribute] == nil }
    guard !isSending, link == .up, !outbox.isEmpty else { return }
    isSending = true
    after(Self.packet) { device in
      device.isSending = false
      if !device.outbox.isEmpty {
        let (attribute, bytes) = device.outbox.removeFirst()
        device.attributes.object(attribute)?.set(
          "Value", of: BlueZObjects.characteristic, to: .bytes(Data(bytes)))
      }
      device.sendNext()
    }
  }

  private func arm() {
    deadline?.cancel()
    deadline = nil
    guard let due = logic.deadline else { return }
    let item = DispatchWorkItem { [weak self] in self?.handle(.timeReached) }
    deadline = item
    let seconds = max(0, (due - (ContinuousClock.now - start)) / .seconds(1))
    connection.queue.asyncAfter(deadline: .now() + seconds, execute: item)
  }
}
