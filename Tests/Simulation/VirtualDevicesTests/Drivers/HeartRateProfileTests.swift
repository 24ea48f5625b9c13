// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of the Heart Rate Profile` {
  @Test func `takes one reading of thirty seconds of contact`() {
    var bench = DriverBench(.heartRateProfile, .polarH10)
    let result = bench.run()

    #expect(result.readings.map(\.values) == [[.init(.pulse, 63)]])
    #expect(result.readings.first?.clock == .age(0))
    #expect(result.readings.first?.findings == [.init("sensor_location", "chest")])
    #expect(result.isReady)
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(33))
    #expect(result.facts.contains(.model("H10")))
  }

  @Test func `takes no reading if the strap disconnects early`() {
    var bench = DriverBench(.heartRateProfile, .polarH10)
    bench.fault = .cut(afterValues: 20)
    let result = bench.run()

    #expect(result.readings.isEmpty)
    #expect(result.end == nil)
  }

  @Test func `pairs`() {
    var bench = DriverBench(.heartRateProfile, .polarH10, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(4))
  }

  @Test func `skips broken frames of the stream`() {
    var driver = HeartRateDriver(DriverContext(attributes: [.heartRateMeasurement]))
    _ = driver.report(.begun, at: 0)
    #expect(driver.report(.subscribed(.heartRateMeasurement), at: 0) == [.ready])
    for second in 0..<30 {
      #expect(driver.report(.value(.heartRateMeasurement, [0x06, 0x40]), at: second) == [])
      #expect(driver.report(.value(.heartRateMeasurement, [0x10, 0x40, 0x01]), at: second) == [])
      #expect(driver.report(.value(.heartRateMeasurement, []), at: second) == [])
    }

    let actions = driver.report(.value(.heartRateMeasurement, [0x06, 0x40]), at: 30)

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(reading[.pulse] == 64)
    #expect(actions.last == .finish)
    // The strap sends until it is disconnected.
    for second in 31..<100 {
      #expect(driver.report(.value(.heartRateMeasurement, [0x06, 0x40]), at: second) == [])
    }
  }
}
