// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `Reading each device once` {
  private let air = SimulatedRadioEnvironment(seed: 1)
  private let gateway: SimulatedHost
  private let host: SimulatedHost
  private let monitor: VirtualDevice

  init() {
    gateway = air.makeHost(named: "Gateway")
    let model = VirtualDeviceModel.ua651BLE(memory: [])
    host = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 2))
    monitor = VirtualDevice(model, on: host)
    monitor.switchOn()
    monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
  }

  private var device: DeviceChoice { .identifier(gateway.identifier(of: host)) }

  /// Reads devices on the air's clock; returns the exit status and how many readings were printed.
  private func read(
    _ devices: [DeviceChoice], into session: SantorioSession? = nil, of owner: SessionOwner? = nil
  ) async -> (status: Int32, printed: Int) {
    let printed = Locked(0)
    let radio = CommandRadio(gateway)
    let reading = OnceReading(
      runner: radio.runner(
        for: session,
        printing: RecordPrinter(isJSON: false) { _ in printed.withLock { $0 += 1 } }),
      clock: radio.clock, owner: owner, uploads: nil, sends: false)
    let moving = Task { [air] in
      while !Task.isCancelled {
        await air.advance(by: .milliseconds(250))
        await Task.yield()
      }
    }
    let status = await reading.run(devices)
    moving.cancel()
    await moving.value
    return (status, printed.withLock { $0 })
  }

  @Test func `ends when all were read`() async {
    let (status, printed) = await read([device])
    #expect(status == 0)
    #expect(printed == 1)
  }

  @Test func `tries a broken connection again while another device is still looked for`() async {
    host.dropLink(afterPackets: 3)
    let (status, printed) = await read([device, .identifier(UUID())])
    #expect(status == 1)
    #expect(printed == 1)
  }

  @Test func `reads nothing for the user of another session`() async throws {
    let queue = QueueFixture()
    defer { try? FileManager.default.removeItem(at: queue.folder) }
    let session = try queue.session()
    try await session.start(.default)
    let owner = try #require(try await SessionOwner(session))
    try await session.start(queue.alice)

    let (status, printed) = await read([device], into: session, of: owner)

    #expect(status == 1)
    #expect(printed == 0)
    #expect(try await session.pendingCount() == 0)
    #expect(gateway.scansStarted == 0)
  }
}
