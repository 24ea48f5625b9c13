// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import VirtualDevices

/// A device whose link drops, doubles and damages one in four values, and adds some of its own
/// making.
struct FaultyDevice: VirtualDeviceLogic {
  private var device: any VirtualDeviceLogic
  private var generator: SeededGenerator

  init(_ model: VirtualDeviceModel, seed: UInt64) {
    device = model.make(VirtualClock())
    generator = SeededGenerator(seed: seed)
  }

  var services: [VirtualService] { device.services }
  var isAdvertising: Bool { device.isAdvertising }
  var deadline: Duration? { device.deadline }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    device.handle(input, at: time).flatMap { output -> [VirtualDeviceOutput] in
      guard case .send(let attribute, var bytes) = output else { return [output] }
      switch Int.random(in: 0..<16, using: &generator) {
      case 0: return []
      case 1 where !bytes.isEmpty:
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 0x10
        return [.send(attribute, bytes)]
      case 2: return [.send(attribute, generator.bytes(0...22)), output]
      case 3: return [output, output]
      default: return [output]
      }
    }
  }
}
