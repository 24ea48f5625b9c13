// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import SantorioBluetooth
import SantorioConcurrency
import Testing
import VirtualDevices

@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `Reading several devices once` {
  private let air = SimulatedRadioEnvironment(seed: 3)
  private let events = Locked<[BluetoothEvent]>([])

  private func device(_ model: VirtualDeviceModel) -> VirtualDevice {
    let device = VirtualDevice(
      model, managerOptions: air.makeHost(named: model.advertisedName).managerOptions)
    device.switchOn()
    device.enterPairingMode()
    return device
  }

  private func read(_ names: [String]) async throws -> Int32 {
    let radio = CommandRadio(air.makeHost(named: "Gateway"))
    var runner = radio.runner(for: nil, printing: RecordPrinter(isJSON: false) { _ in })
    runner.observe = { [events] event in events.withLock { $0.append(event) } }
    let choices = try names.map { try DeviceChoice($0, for: "read") }
    let reading = OnceReading(
      runner: runner, clock: radio.clock, owner: nil, uploads: nil, sends: false)
    let time = Task {
      while !Task.isCancelled {
        await air.advance(by: .milliseconds(100))
        await Task.yield()
      }
    }
    let status = await reading.run(choices)
    time.cancel()
    await time.value
    return status
  }

  private var found: [Int] {
    events.withLock { $0 }.compactMap { event in
      if case .found(let model, _) = event { model.id } else { nil }
    }
  }

  @Test func `reads several at the same time`() async throws {
    let devices = [device(.ua651BLE()), device(.bm54()), device(.bu540)]
    #expect(try await read(["UA-651BLE", "10100", "10108"]) == 0)
    let kinds = events.withLock { $0 }.compactMap { event -> String? in
      switch event {
      case .found: "found"
      case .ended: "ended"
      default: nil
      }
    }
    #expect(Set(found).count == 3, "\(found)")
    #expect(kinds.prefix(3) == ["found", "found", "found"], "\(kinds)")
    withExtendedLifetime(devices) {}
  }

  @Test func `fails when one never appears, and reads the other all the same`() async throws {
    let device = device(.ua651BLE())
    #expect(try await read(["UA-651BLE", "10100"]) == 1)
    #expect(found == [2])
    let outcomes = events.withLock { $0 }.compactMap { event -> Int? in
      if case .ended(.finished(let records)) = event { records.count } else { nil }
    }
    #expect(outcomes == [2])
    withExtendedLifetime(device) {}
  }
}
