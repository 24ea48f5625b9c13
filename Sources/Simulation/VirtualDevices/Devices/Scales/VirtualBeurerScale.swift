// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A Beurer BF710 or a related model: users with stored measurements, then a weighing.
package struct VirtualBeurerScale: VirtualDeviceLogic {
  /// A user with stored results, oldest first.
  package struct User: Hashable, Sendable {
    package var id: [UInt8]
    package var results: [BeurerScaleResult]
  }

  private static let family: UInt8 = 0xE
  private static let port = GATTAttribute.beurerScale

  private let users: [User]
  private var isGreeted = false
  /// The frames to send, each after the previous one was acknowledged.
  private var outbox: [BeurerScaleFrame] = []
  private var waiting: [BeurerScaleResult]
  private var isWeighing = false

  package init(_ users: [User], weighings: [BeurerScaleResult]) {
    self.users = users
    waiting = weighings
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [VirtualService("FFE0", [VirtualCharacteristic("FFE1", [.notify, .write])])]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      let weight = UInt16(clamping: 1224 + number % 40 * 10)
      let seconds = UInt32(clamping: Int(time.secondsSince1970))
      waiting.append(BeurerScaleResult(seconds: seconds, weight: weight))
      return isGreeted && outbox.isEmpty ? stepOn() : []
    case .subscribed(Self.port): return [.report(.subscribed)]
    case .written(Self.port, let bytes):
      guard let frame = try? BeurerScaleFrame(payload: bytes), frame.family == Self.family else {
        return [.refuse(0x80)]
      }
      return [.accept] + received(frame)
    case .disconnected:
      (isGreeted, isWeighing, outbox) = (false, false, [])
      return []
    case .read, .written: return [.refuse(0x06)]
    default: return []
    }
  }

  private mutating func received(_ frame: BeurerScaleFrame) -> [VirtualDeviceOutput] {
    guard isGreeted || frame.kind == .hello else { return [] }
    switch (frame.kind, frame.command) {
    case (.hello, _):
      isGreeted = true
      return send(BeurerScaleFrame(family: Self.family, kind: .hello, content: [0x00]))
    case (.time, _): return [.report(.clockSet)]
    case (_, .status?): return send(answer(.status, [0, 80, 20, 5, 1, 0, 0, 0, 1]))
    case (_, .userList?): return listUsers()
    case (_, .storedMeasurements?): return recall(Array(frame.content.dropFirst()))
    case (_, .acknowledgement?): return next(after: frame)
    default: return []
    }
  }

  private func answer(_ command: BeurerScaleFrame.Command, _ content: [UInt8]) -> BeurerScaleFrame {
    BeurerScaleFrame(family: Self.family, .scaleAcknowledgement, [command.rawValue] + content)
  }

  private func send(_ frame: BeurerScaleFrame) -> [VirtualDeviceOutput] {
    [.send(Self.port, frame.payload)]
  }

  private mutating func listUsers() -> [VirtualDeviceOutput] {
    outbox = users.enumerated().map { number, user in
      BeurerScaleFrame(
        family: Self.family, .userInformation,
        [UInt8(users.count), UInt8(number + 1)] + user.id + [0x41, 0x4E, 0x4E, 80])
    }
    return send(answer(.userList, [0, UInt8(users.count), 10])) + first()
  }

  private mutating func recall(_ id: [UInt8]) -> [VirtualDeviceOutput] {
    let results = users.first { $0.id == id }?.results ?? []
    let count = UInt8(clamping: results.count * 2)
    outbox = results.enumerated().flatMap { number, result -> [BeurerScaleFrame] in
      let content = result.payload
      return [content.prefix(11), content.dropFirst(11)].enumerated().map { half, part in
        let place: [UInt8] = [count, UInt8(number * 2 + half + 1)]
        return BeurerScaleFrame(family: Self.family, .storedPart, place + part)
      }
    }
    isWeighing = id == users.last?.id
    let empty = count == 0 && isWeighing ? stepOn() : []
    return send(answer(.storedMeasurements, [count])) + first() + empty
  }

  private func first() -> [VirtualDeviceOutput] { outbox.first.map { send($0) } ?? [] }

  private mutating func next(after frame: BeurerScaleFrame) -> [VirtualDeviceOutput] {
    guard let sent = outbox.first, sent.acknowledgement == frame else { return [] }
    outbox.removeFirst()
    return outbox.isEmpty && isWeighing ? stepOn() : first()
  }

  /// Sends the weight, and then the result in three parts.
  private mutating func stepOn() -> [VirtualDeviceOutput] {
    guard !waiting.isEmpty else { return [] }
    let result = waiting.removeFirst()
    let content = result.payload
    let weight = [UInt8(result.weight >> 8), UInt8(result.weight & 0xFF)]
    outbox =
      [[0x01] + weight, [0x00] + weight].map {
        BeurerScaleFrame(family: Self.family, .liveWeight, $0)
      }
      + [
        BeurerScaleFrame(family: Self.family, .resultPart, [3, 1, 1] + (users.last?.id ?? [])),
        BeurerScaleFrame(family: Self.family, .resultPart, [3, 2] + content.prefix(11)),
        BeurerScaleFrame(family: Self.family, .resultPart, [3, 3] + content.dropFirst(11)),
      ]
    return first() + [.report(.transferred(measurements: 1))]
  }
}

extension VirtualDeviceModel {
  static let beurerScales = [beurerBF710]

  /// The Beurer BF710: two users, one with two stored measurements, and a weighing.
  ///
  /// One result is captured, the others are composed after it.
  package static let beurerBF710 = VirtualDeviceModel(
    id: "bf710", summary: "Beurer BF710: stored measurements of its users, then a weighing.",
    peripheralID: 10530, advertisedName: "BEURER BF710", advertisedServices: ["FFE0"],
    readingCount: 3
  ) { _ in
    VirtualBeurerScale(
      [
        .init(
          id: [0, 0, 0, 0, 0, 0, 0, 0x64],
          results: [
            BeurerScaleResult(seconds: 0x6A20_0000, weight: 1302),
            BeurerScaleResult(seconds: 0x6A21_5180, weight: 1298),
          ]),
        .init(id: [0, 0, 0, 0, 0, 0, 0, 0x65], results: []),
      ], weighings: [.captured])
  }
}

extension BeurerScaleResult {
  /// KristianP26/ble-scale-sync, beurer-sanitas.test.ts.
  fileprivate static let captured: BeurerScaleResult = {
    var result = BeurerScaleResult(seconds: 0x6A21_F4C6, weight: 0x0687)
    result.impedance = 0x01B5
    result.bodyFat = 0x00DF
    result.bodyWater = 0x0209
    result.muscle = 0x018D
    result.boneMass = 0x00E9
    result.basalMetabolicRate = 0x0717
    result.activeMetabolicRate = 0x0AA2
    result.bodyMassIndex = 0x0108
    return result
  }()
}
