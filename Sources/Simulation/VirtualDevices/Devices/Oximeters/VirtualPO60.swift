// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A Beurer PO60: sends all of its measurements, ten for each request, and erases none.
package struct VirtualPO60: VirtualDeviceLogic {
  private let clock: VirtualClock
  private var memory: [PO60Record.Draft]
  private var isOn = true
  private var sent = 0

  package init(clock: VirtualClock) {
    self.clock = clock
    memory = (1...12).map { number in
      let start = LocalDateTime(
        year: 2026, month: 3, day: number, hour: 7, minute: 30, second: 0)
      return PO60Record.Draft(number: number, start: start)
    }
  }

  package var isAdvertising: Bool { isOn }

  package var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.po60Requests.service,
        [
          VirtualCharacteristic(GATTAttribute.po60Requests.characteristic, .write),
          VirtualCharacteristic(GATTAttribute.po60Records.characteristic, .notify),
        ]),
      .deviceInformation(
        manufacturer: "Beurer GmbH", model: "PO60", serialNumber: "PO60-001234",
        firmwareRevision: "V1.0"),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      isOn = true
      memory.append(.init(number: number, start: clock.time(at: time)))
      return []
    case .subscribed(.po60Records): return [.report(.subscribed)]
    case .written(.po60Requests, PO60Record.start):
      sent = 0
      return [.accept] + batch()
    case .written(.po60Requests, PO60Record.proceed): return [.accept] + batch()
    case .written(.po60Requests, [0x99, 0x7F, 0x18]):
      memory = []
      return [.accept]
    case .disconnected:
      isOn = false
      return [.report(.transferred(measurements: sent))]
    case .read, .written: return [.refuse(0x13)]
    case .subscribed, .unsubscribed, .remember, .pairingMode, .timeReached: return []
    }
  }

  /// The next ten records, in notifications that do not end at record boundaries.
  private mutating func batch() -> [VirtualDeviceOutput] {
    let drafts = memory.dropFirst(sent).prefix(PO60Record.batchCount)
    let bytes = drafts.enumerated().flatMap { position, draft in
      draft.record(number: position, isLast: sent + position == memory.count - 1).payload
    }
    sent += drafts.count
    return bytes.cut(into: 20).map { .send(.po60Records, $0) }
  }
}

extension PO60Record {
  /// A measurement without its position in a transfer.
  fileprivate struct Draft: Hashable {
    let number: Int
    let start: LocalDateTime

    func record(number position: Int, isLast: Bool) -> PO60Record {
      let saturation = UInt8(94 + number * 3 % 5)
      let pulse = UInt8(58 + number * 7 % 30)
      let end = start.secondsSince1970.map { LocalDateTime(secondsSince1970: $0 + 15) } ?? start
      return PO60Record(
        number: UInt8(position), isLast: isLast, start: Timestamp(start), end: Timestamp(end),
        saturation: .init(
          highest: saturation + 1, lowest: saturation - 2, average: saturation),
        pulseRate: .init(highest: pulse + 6, lowest: pulse - 4, average: pulse))
    }
  }
}

extension VirtualDeviceModel {
  /// The Beurer PO60, with twelve measurements that it does not erase.
  package static let po60 = VirtualDeviceModel(
    id: "po60", summary: "Beurer PO60: sends its memory ten records at a time; composed records.",
    peripheralID: 10306, advertisedName: "PO60", advertisedServices: [], readingCount: 12
  ) { VirtualPO60(clock: $0) }
}
