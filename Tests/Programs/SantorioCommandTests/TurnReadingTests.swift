// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `Reading in turns` {
  @Test func `reaches every device in range, however often one can be read`() async {
    let air = SimulatedRadioEnvironment(seed: 7)
    let radio = CommandRadio(air.makeHost(named: "Gateway"))
    let devices = DemoDevices(in: air)
    let (events, feed) = AsyncStream.makeStream(of: BluetoothEvent.self)
    var runner = radio.runner(for: nil, printing: RecordPrinter(isJSON: false) { _ in })
    runner.observe = { feed.yield($0) }
    let reading = TurnReading(
      runner: runner,
      monotonicClock: MonotonicClock(radio.clock), owner: nil, targets: { DeviceTargets([.any]) },
      waitsForEnrolment: false)
    let work = Task { await reading.run() }
    let time = Task {
      while !Task.isCancelled {
        await air.advance(by: .milliseconds(250))
        await Task.yield()
      }
    }
    // All but the scale that broadcasts only while somebody stands on it.
    let awake = DemoDevices.models.count - 1
    var counts: [UUID: Int] = [:]
    for await case .found(_, let identifier) in events {
      counts[identifier, default: 0] += 1
      if counts.count == awake || counts.values.reduce(0, +) > 300 { break }
    }
    // Without turns one was read more than a hundred times, and most of them never.
    #expect(counts.count == awake, "\(counts.values.sorted())")
    work.cancel()
    #expect(await work.value == 0)
    time.cancel()
    await time.value
    withExtendedLifetime(devices) {}
  }
}

@Suite(.timeLimit(.minutes(15))) struct `A device that floods the queue` {
  @Test func `is not read until its readings have been sent, and none is dropped`()
    async throws
  {
    let queue = QueueFixture()
    defer { try? FileManager.default.removeItem(at: queue.folder) }
    let session = try queue.session()
    try await session.start(.default)
    let air = SimulatedRadioEnvironment(seed: 1)
    let device = VirtualDevice(.bm54(), on: air.makeHost(named: "Monitor"))
    device.switchOn()
    device.enterPairingMode()
    let radio = CommandRadio(air.makeHost(named: "Gateway"))
    var settings = BluetoothSettings()
    settings.takesEveryUser = true
    var runner = radio.runner(
      for: session, settings: settings, printing: RecordPrinter(isJSON: false) { _ in })
    runner.share = 2
    let found = Locked(0)
    let ended = Locked(false)
    runner.observe = { event in
      if case .found = event { found.withLock { $0 += 1 } }
      if case .ended = event, found.withLock({ $0 }) > 0 { ended.withLock { $0 = true } }
    }
    let reading = TurnReading(
      runner: runner, monotonicClock: MonotonicClock(radio.clock), owner: nil,
      targets: { DeviceTargets([.any]) }, waitsForEnrolment: false)
    let work = Task { await reading.run() }
    // On a busy machine the device must not grow tired of waiting for the disk.
    let move = { @Sendable in
      await air.advance(by: .milliseconds(250))
      _ = try? await session.heldCount()
      await Task.yield()
    }
    while !ended.withLock({ $0 }) { await move() }
    for _ in 0..<2400 { await move() }
    work.cancel()
    let pumping = Task {
      while !Task.isCancelled { await move() }
    }
    #expect(await work.value == 0)
    pumping.cancel()
    #expect(found.withLock { $0 } == 1)
    #expect(try await session.pendingCount() >= 2)
    withExtendedLifetime(device) {}
  }
}

@Suite struct `Shares of a queue` {
  private let first = UUID()
  private let second = UUID()
  private var shares = QueueShares()

  @Test mutating func `are full at the limit and reported once`() {
    shares.add(QueueShares.limit - 1, of: first)
    shares.add(10, of: second)
    #expect(shares.update(pending: 6000) == [])
    shares.add(1, of: first)
    #expect(shares.update(pending: 6000) == [first])
    #expect(shares.update(pending: 6000) == [])
    #expect(shares.full == [first])
  }

  @Test mutating func `are free again when the queue has been sent`() {
    shares.add(QueueShares.limit + 1000, of: first)
    #expect(shares.update(pending: 6000) == [first])
    #expect(shares.update(pending: QueueShares.limit - 1) == [])
    #expect(shares.full == [])
    // What was sent does not count any more.
    #expect(shares.update(pending: 9000) == [])
    shares.add(1, of: first)
    #expect(shares.update(pending: 9000) == [first])
  }
}
