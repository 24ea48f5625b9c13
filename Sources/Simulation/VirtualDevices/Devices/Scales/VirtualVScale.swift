// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  /// The Exingtech Y1: the weight alone, until it is given the user; plays a captured frame.
  package static let exingtechY1 = VirtualDeviceModel(
    id: "exingtech-y1", summary: "Exingtech Y1 scale: computes the composition for a known user.",
    peripheralID: 10_562, advertisedName: "VScale",
    advertisedServices: [GATTAttribute.vScaleResult.service], readingCount: 1
  ) { _ in VirtualVScale() }
}

/// A scale on which a user stands from the moment of the subscription.
struct VirtualVScale: VirtualDeviceLogic {
  /// As captured, for a man of 35 years and 160 cm.
  private static let composition: [UInt8] = [
    0x00, 0xE5, 0x02, 0x14, 0x00, 0x1F, 0x01, 0x29, 0x0A, 0x06, 0x27, 0x01, 0x0B, 0x00,
  ]

  private var weight: UInt16 = 686

  var isAdvertising: Bool { true }

  var services: [VirtualService] {
    [
      VirtualService(
        GATTAttribute.vScaleResult.service,
        [
          VirtualCharacteristic(GATTAttribute.vScaleResult.characteristic, [.read, .notify]),
          VirtualCharacteristic(GATTAttribute.vScalePerson.characteristic, .write),
        ])
    ]
  }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      weight = 600 + UInt16(number % 200)
      return []
    case .subscribed(.vScaleResult):
      return [.report(.subscribed), .send(.vScaleResult, VScaleResult(weight: weight).payload)]
    case .written(.vScalePerson, let bytes):
      guard bytes.count == 5, bytes[0] == 0x10 else { return [.refuse(0x80)] }
      let words = [UInt8(weight >> 8), UInt8(weight & 0xFF)] + Self.composition
      return [.accept, .send(.vScaleResult, bytes.dropFirst() + words)]
    case .read, .written: return [.refuse(0x06)]
    default: return []
    }
  }
}
