// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A Bioland G-500: after a request for its information, it sends one result for each request.
package struct VirtualBiolandMeter: VirtualDeviceLogic {
  /// The body of a reply that a test of sivulich/AppiaGlucometers plays: version, client, battery,
  /// model, type, serial number.
  private static let information: [UInt8] = [
    0x20, 0x03, 0x32, 0x02, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
  ]

  private var clock: VirtualClock
  private var memory: [[UInt8]]
  /// How many results were sent; nil before the request for its information.
  private var sentCount: Int?

  package init(memory: [[UInt8]], clock: VirtualClock) {
    self.memory = memory
    self.clock = clock
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.biolandRequest.service,
        [
          VirtualCharacteristic(
            GATTAttribute.biolandRequest.characteristic, [.write, .writeWithoutResponse]),
          VirtualCharacteristic(GATTAttribute.biolandReply.characteristic, .notify),
        ])
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number): measure(number, at: time)
    case .remember(let payloads): memory += payloads
    case .subscribed(.biolandReply): return [.report(.subscribed)]
    case .written(.biolandRequest, let bytes):
      guard let frame = try? BiolandFrame(payload: bytes), frame.direction == .request else {
        return [.accept]
      }
      return [.accept] + answer(frame, at: time)
    case .disconnected(let allArrived):
      defer { sentCount = nil }
      return allArrived ? [.report(.transferred(measurements: sentCount ?? 0))] : []
    case .read, .written: return [.refuse(0x06)]
    case .pairingMode, .subscribed, .unsubscribed, .timeReached: break
    }
    return []
  }

  private mutating func answer(_ frame: BiolandFrame, at time: DriverTime) -> [VirtualDeviceOutput]
  {
    switch frame.kind {
    case .handshake: return send(.handshake, [])
    case .information:
      sentCount = sentCount ?? 0
      return setClock(frame.body, at: time) + send(.information, Self.information)
    case .result:
      guard let index = sentCount else { return [] }
      guard memory.indices.contains(index) else { return send(.end, [0x00]) }
      sentCount = index + 1
      return send(.result, memory[index])
    default: return []
    }
  }

  /// The time is in every request.
  private mutating func setClock(_ body: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    guard body.count == 6, let shown = Timestamp(yearSince2000: body).localDateTime,
      clock.set(shown, at: time)
    else { return [] }
    return [.report(.clockSet)]
  }

  private func send(_ kind: BiolandFrame.Kind, _ body: [UInt8]) -> [VirtualDeviceOutput] {
    guard let frame = try? BiolandFrame(.reply, kind, body: body) else { return [] }
    return [.send(.biolandReply, frame.payload)]
  }

  private mutating func measure(_ number: Int, at time: DriverTime) {
    guard
      let result = try? BiolandResult(
        clock.time(at: time), milligramsPerDeciliter: UInt16(88 + number * 13 % 74))
    else { return }
    memory.append(result.payload)
  }
}

extension VirtualDeviceModel {
  /// The Bioland G-500 with results that the tests of sivulich/AppiaGlucometers play.
  package static let biolandG500 = VirtualDeviceModel(
    id: "bioland-g500", summary: "Bioland G-500: sends one result for each request.",
    peripheralID: 10_252, advertisedName: "Bioland-BGM",
    advertisedServices: [GATTAttribute.biolandRequest.service], readingCount: 2
  ) { clock in
    VirtualBiolandMeter(
      memory: [
        [0x0E, 0x01, 0x01, 0x05, 0x18, 0x00, 0xA8, 0x00],
        [0x0E, 0x01, 0x01, 0x05, 0x17, 0x00, 0xB1, 0x00],
      ], clock: clock)
  }

  static let biolandDevices = [biolandG500]
}
