// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

/// A virtual device of a profile, and the driver that reads it.
private struct Pair: CustomTestStringConvertible {
  let virtual: VirtualDeviceModel
  let driver: DriverModel

  var testDescription: String { virtual.id }
}

private let pairs = [
  Pair(virtual: .spotCheckOximeter, driver: .pulseOximeterSpotCheck),
  Pair(virtual: .continuousOximeter, driver: .pulseOximeterContinuous),
  Pair(virtual: .ut201BLE, driver: .thermometerProfile),
  Pair(virtual: .earThermometer, driver: .thermometerProfile),
  Pair(virtual: .uc352BLE, driver: .weightScaleProfile),
  Pair(virtual: .uc352BLEOwnService, driver: .aAndDWeightScale),
  Pair(virtual: .bf720, driver: .weightScaleProfile),
  Pair(virtual: .esWBE28, driver: .renphoESWBE28),
  Pair(virtual: .polarH10, driver: .heartRateProfile),
]

@Suite struct `Virtual devices of the profiles` {
  @Test(arguments: pairs)
  private func `send their readings in order after their facts`(pair: Pair) throws {
    var bench = DriverBench(pair.driver, pair.virtual)
    let result = bench.run()

    #expect(result.accepted.count == pair.virtual.readingCount)
    #expect(result.end == .finish)
    #expect(result.isReady)
    let hasSerialNumber = result.facts.contains {
      if case .serialNumber = $0 { true } else { false }
    }
    #expect(hasSerialNumber)
  }

  @Test(arguments: pairs)
  private func `send one more reading after a measurement`(pair: Pair) {
    var bench = DriverBench(pair.driver, pair.virtual)
    _ = bench.run()
    let before = bench.run().accepted.count
    bench.press(.measure(number: 3))
    let after = bench.run().accepted.count

    // A device that keeps nothing gives one reading each time it is worn.
    #expect(after == (before == 1 && pair.isLive ? 1 : before + 1))
  }

  @Test(arguments: pairs)
  private func `have the attributes that their driver needs`(pair: Pair) {
    let attributes = pair.virtual.make(VirtualClock()).services.flatMap { service in
      service.characteristics.map { GATTAttribute(service.uuid, $0.uuid) }
    }

    #expect(Set(pair.driver.required).isSubset(of: attributes))
  }

  @Test(arguments: pairs.filter(\.hasClock))
  private func `reject an invalid time`(pair: Pair) throws {
    var device = pair.virtual.make(VirtualClock())
    let clock = try #require(
      pair.driver.optional.first { $0.characteristic == "2A08" })

    #expect(
      device.handle(.written(clock, [0xEA, 0x07, 13, 1, 0, 0, 0]), at: DriverBench.noon)
        == [.refuse(0x0E)])
    #expect(device.handle(.written(clock, [0xEA]), at: DriverBench.noon) == [.refuse(0x0D)])
    #expect(
      device.handle(.written(clock, [0xEA, 0x07, 3, 29, 14, 0, 0]), at: DriverBench.noon)
        == [.report(.clockSet)])
  }
}

extension Pair {
  fileprivate var hasClock: Bool { ["ut-201ble", "uc-352ble"].contains(virtual.id) }

  fileprivate var isLive: Bool { ["plx-continuous", "polar-h10"].contains(virtual.id) }
}

@Suite struct `A virtual scale with users` {
  private static let model = VirtualDeviceModel.bf720
  private var scale = model.make(VirtualClock())

  private mutating func report(_ input: VirtualDeviceInput) -> [VirtualDeviceOutput] {
    scale.handle(input, at: DriverBench.noon)
  }

  @Test mutating func `sends nothing of a user without consent`() {
    #expect(report(.subscribed(.weightMeasurement)) == [])
    #expect(report(.read(.dateOfBirth)) == [.refuse(0x80)])
    #expect(report(.written(.gender, [1])) == [.refuse(0x80)])
  }

  @Test mutating func `refuses requests before its answers are subscribed`() {
    #expect(report(.written(.userControlPoint, [0x04])) == [.refuse(0xFD)])
  }

  @Test mutating func `deletes nobody`() {
    _ = report(.subscribed(.userControlPoint))

    #expect(
      report(.written(.userControlPoint, [0x05, 0xFF]))
        == [.accept, .send(.userControlPoint, [0x20, 0x05, 0x02])])
  }

  @Test mutating func `has no ninth user`() {
    _ = report(.subscribed(.userControlPoint))
    for index in [1, 3, 4, 5, 6, 7, 8] as [UInt8] {
      #expect(
        report(.written(.userControlPoint, [0x01, 0, 0]))
          == [.accept, .send(.userControlPoint, [0x20, 0x01, 0x01, index])])
    }

    #expect(
      report(.written(.userControlPoint, [0x01, 0, 0]))
        == [.accept, .send(.userControlPoint, [0x20, 0x01, 0x04])])
  }
}

@Suite struct `Generic devices` {
  @Test func `follow the Blood Pressure Profile`() {
    var bench = DriverBench(
      .bloodPressureProfile, .bloodPressureMonitor, clock: VirtualClock(offsetSeconds: -120))
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [nil, nil, .failedMeasurement])
    #expect(result.accepted.map { $0[.systolic]?.rounded() } == [118, 116])
    #expect(result.accepted.first?[.pulse] == 66)
    #expect(result.events.contains(.clockSet))
  }

  @Test func `follow the Weight Scale Profile`() {
    var bench = DriverBench(.weightScaleProfile, .weightScale)
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [nil, nil, .failedMeasurement])
    #expect(result.accepted.map { $0[.bodyWeight] } == [79.4, 79.732])
  }

  @Test func `support the Body Composition Service alone`() {
    var bench = DriverBench(.bodyCompositionProfile, .bodyCompositionScale)
    let result = bench.run()

    #expect(result.accepted.map { $0[.bodyWeight] } == [79.355])
    #expect(result.accepted.first?[.bodyFat] == 19.8)
    #expect(result.accepted.first?[.bodyMuscle] == 41.2)
    #expect(result.accepted.first?[.bodyImpedance] == 487)
  }
}
