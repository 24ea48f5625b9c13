// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// An Omron monitor whose measurements are read from its memory.
///
/// It opens its memory for the key that was set in its pairing mode, or for a bonded host that sends
/// four bytes. Before that it does not answer. It refuses writes to its memory.
package struct VirtualOmronMemory: VirtualDeviceLogic {
  private enum Session {
    case closed, open, reading
  }

  private let access: OmronAccess
  private let model: String
  private let map: OmronMemoryMap
  private var clock: VirtualClock
  private var memory: [UInt16: UInt8] = [:]
  private var counts: [Int]
  private var requests: OmronChannels
  private var key: [UInt8]?
  private var isPairing = false
  private var acceptsKey = false
  private var session = Session.closed

  /// A monitor with some slots for each of its users; a key means that it was paired before.
  package init(
    _ access: OmronAccess, model: String, map: OmronMemoryMap, slots: [[[UInt8]]],
    key: [UInt8]? = OmronUnlock.usualKey, clock: VirtualClock
  ) {
    self.access = access
    self.model = model
    self.map = map
    self.key = key
    self.clock = clock
    counts = map.users.map { _ in 0 }
    requests = OmronChannels(channelCount: access.requests.count)
    for (user, slots) in slots.enumerated() {
      for slot in slots { store(slot, user: user) }
    }
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    let requests = access.requests.map {
      VirtualCharacteristic(
        $0.characteristic, [.write, .writeWithoutResponse], isProtected: true)
    }
    let answers = access.answers.map {
      VirtualCharacteristic($0.characteristic, .notify, isProtected: true)
    }
    let unlock = access.unlock.map {
      VirtualCharacteristic($0.characteristic, [.write, .notify], isProtected: true)
    }
    return [
      VirtualService(
        access.requests[0].service, requests + answers + [unlock].compactMap { $0 }),
      .deviceInformation(
        manufacturer: "OMRON", model: model, serialNumber: "20260018", firmwareRevision: "0.20"),
      .battery(percent: 70),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      measure(number, at: time)
      return []
    case .remember(let slots):
      for slot in slots { store(slot, user: 0) }
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(access.answers[0]): return [.report(.subscribed)]
    case .written(let attribute, let bytes) where attribute == access.unlock:
      return unlocked(by: bytes).map { [.send(attribute, $0)] } ?? []
    case .written(let attribute, let bytes):
      guard let channel = access.requests.firstIndex(of: attribute) else { return [.refuse(0x06)] }
      guard let frame = requests.received(bytes, channel: channel) else { return [] }
      return answer(frame)
    case .disconnected(let allArrived):
      session = .closed
      isPairing = false
      acceptsKey = false
      return allArrived ? [.report(.transferred(measurements: counts.reduce(0, +)))] : []
    case .read: return [.refuse(0x02)]
    case .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private mutating func unlocked(by bytes: [UInt8]) -> [UInt8]? {
    let rest = Array(bytes.dropFirst())
    switch (bytes.first, access.usesKey) {
    case (0x02, true):
      acceptsKey = isPairing
      return [0x82, acceptsKey ? 0x00 : 0x0F]
    case (0x00, true):
      guard acceptsKey, rest.count == OmronUnlock.keyCount else { return [0x80, 0x0F] }
      key = rest
      session = .open
      return [0x80, 0x00]
    case (0x01, true):
      guard rest == key else { return [0x81, 0x0F] }
      session = .open
      return [0x81, 0x00]
    case (0x11, false):
      session = .open
      return [0x91, 0x00] + rest.prefix(4)
    default: return nil
    }
  }

  private mutating func answer(_ bytes: [UInt8]) -> [VirtualDeviceOutput] {
    guard let request = try? OmronFrame(payload: bytes) else { return [] }
    let frame: OmronFrame?
    switch (request.kind, session) {
    case (.start, .open), (.start, .reading):
      session = .reading
      frame = try? OmronFrame(.started, size: 0x10, data: [UInt8](repeating: 0, count: 16))
    case (.read, .reading):
      frame = try? OmronFrame(
        .memory, address: request.address, data: read(request.size, at: request.address))
    case (.end, .reading):
      session = .open
      frame = try? OmronFrame(.ended)
    default: frame = try? OmronFrame(.ended, status: 0x01)
    }
    let pieces = OmronChannels.pieces(
      of: frame?.payload ?? [], channelCount: access.answers.count)
    return zip(access.answers, pieces).map { .send($0, $1) }
  }

  private func read(_ count: UInt8, at address: UInt16) -> [UInt8] {
    (0..<UInt16(count)).map { memory[address &+ $0] ?? 0xFF }
  }

  private mutating func store(_ slot: [UInt8], user: Int) {
    guard map.users.indices.contains(user) else { return }
    let address = map.users[user] &+ UInt16(counts[user] % map.slotCount * map.layout.byteCount)
    for (offset, byte) in slot.prefix(map.layout.byteCount).enumerated() {
      memory[address &+ UInt16(offset)] = byte
    }
    counts[user] += 1
  }

  private mutating func measure(_ number: Int, at time: DriverTime) {
    let values = SimulatedPressure(number)
    let slot = OmronRecord.slot(
      systolic: values.systolic, diastolic: values.diastolic, pulseRate: values.pulseRate,
      time: clock.time(at: time), sequence: UInt16(truncatingIfNeeded: counts[0] + 1),
      layout: map.layout)
    store(slot, user: 0)
  }
}
