// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A Microlife monitor whose Bluetooth was switched on; it sends its whole memory each time.
package struct VirtualMicrolife: VirtualDeviceLogic {
  private static let replies = GATTAttribute.microlifeReplies
  private static let commands = GATTAttribute.microlifeCommands
  private static let pieceCount = 20
  private static let headerCount = 38

  private var clock: VirtualClock
  private var slots: [[UInt8]]
  private var assembler = FrameAssembler<MicrolifeFrame>()

  /// A monitor that keeps some slots, each of ten bytes.
  package init(slots: [[UInt8]], clock: VirtualClock) {
    self.slots = slots
    self.clock = clock
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [
      VirtualService(
        Self.commands.service,
        [
          VirtualCharacteristic(Self.replies.characteristic, .notify, isProtected: true),
          VirtualCharacteristic(
            Self.commands.characteristic, [.write, .writeWithoutResponse], isProtected: true),
        ])
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      slots.append(slot(number, at: time))
      return []
    case .remember(let slots):
      self.slots += slots
      return []
    case .subscribed(Self.replies): return [.report(.subscribed)]
    case .written(Self.commands, let bytes):
      return assembler.received(bytes).flatMap { reply($0, at: time) }
    case .disconnected(let allArrived):
      return allArrived ? [.report(.transferred(measurements: slots.count))] : []
    case .read, .written: return [.refuse(0x06)]
    case .pairingMode, .subscribed, .unsubscribed, .timeReached: return []
    }
  }

  private mutating func reply(
    _ command: MicrolifeFrame, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard command.sender == .host else { return [] }
    switch command.content.first {
    case 0x0D: return setClock(command.content, at: time) + send(MicrolifeFrame.done)
    case 0x00 where command == .readAll:
      return send([UInt8](repeating: 0, count: Self.headerCount) + slots.joined())
    default: return []
    }
  }

  private mutating func setClock(
    _ content: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard content.count == 7,
      let shown = Timestamp(yearSince2000: content.dropFirst()).localDateTime,
      clock.set(shown, at: time)
    else { return [] }
    return [.report(.clockSet)]
  }

  private func send(_ content: [UInt8]) -> [VirtualDeviceOutput] {
    guard let bytes = (try? MicrolifeFrame(.monitor, content: content))?.payload else { return [] }
    return stride(from: 0, to: bytes.count, by: Self.pieceCount).map {
      .send(Self.replies, Array(bytes[$0..<min($0 + Self.pieceCount, bytes.count)]))
    }
  }

  private func slot(_ number: Int, at time: DriverTime) -> [UInt8] {
    let values = SimulatedPressure(number)
    return [values.systolic, values.diastolic, values.pulseRate]
      + Timestamp(clock.time(at: time)).bytesSince2000.prefix(5) + [0, 0]
  }
}
